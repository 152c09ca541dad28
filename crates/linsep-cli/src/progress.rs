//! A progress bar on a terminal, a time limit, and silence everywhere else.

use crate::text::{count, number, upper_percent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linsep::control::{Epoch, Standing};
use linsep::{Stop, Watch};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A bar of this form if stderr is a terminal, else one that nobody sees.
pub fn bar(form: &str) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template(form);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Looks on while a model is trained.
pub struct Progress {
    bar: ProgressBar,
    deadline: Option<Instant>,
    late: bool,
}

impl Progress {
    /// A bar if stderr is a terminal; stops the run after `seconds`, if given.
    pub fn new(seconds: Option<f64>) -> Self {
        let bar = bar("{prefix} {bar:30.cyan} {pos}/{len} epochs, {msg}, {elapsed}");
        let deadline = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
        Self { bar, deadline, late: false }
    }
}

impl Watch for Progress {
    fn stage(&mut self, name: &str) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.reset();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {msg} {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message("");
        self.bar.enable_steady_tick(Duration::from_millis(100));
    }

    fn plane(&mut self, j: usize, of: usize) {
        self.bar.reset();
        self.bar.set_prefix(if of > 1 {
            format!("plane {} of {of}", j + 1)
        } else {
            String::new()
        });
    }

    fn epoch(&mut self, now: &Epoch) -> bool {
        self.bar.set_length(now.of);
        self.bar.set_position(now.epoch);
        self.bar.set_message(match now.standing {
            Standing::Mistakes(weight) => format!("{} mistakes", count(weight)),
            Standing::Criterion { value, relative_gap: None } => number(value),
            Standing::Criterion { value, relative_gap: Some(gap) } => {
                format!("{}, at most {} above the optimum", number(value), upper_percent(gap))
            }
        });
        self.late |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        !self.late
    }

    fn why(&self) -> Stop {
        if self.late { Stop::Time } else { Stop::Asked }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
