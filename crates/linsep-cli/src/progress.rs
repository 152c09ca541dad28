//! A progress bar on a terminal, time limits, and silence everywhere else.

use crate::interrupt::{self, Guard};
use crate::text::{count, number, upper_percent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linsep::Watch;
use linsep::control::{Cancel, Epoch, Standing};
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

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

/// Sets a token when its time is up, unless it is dropped before.
pub struct Timer {
    /// Closed by dropping it, which ends the thread.
    _alive: Sender<()>,
}

impl Timer {
    /// Starts to count the seconds.
    pub fn start(seconds: f64, token: Cancel) -> Self {
        let (alive, closed) = mpsc::channel::<()>();
        let time = Duration::from_secs_f64(seconds);
        thread::spawn(move || {
            if closed.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                token.time_is_up();
            }
        });
        Self { _alive: alive }
    }
}

/// Looks on while a model is trained.
pub struct Progress {
    bar: ProgressBar,
    token: Cancel,
    _timer: Option<Timer>,
    _guard: Guard,
}

impl Progress {
    /// A bar if stderr is a terminal; ends the run after `seconds`, if given, and at Ctrl-C.
    pub fn new(seconds: Option<f64>) -> Self {
        let bar = bar("{prefix} {bar:30.cyan} {pos}/{len} epochs, {msg}, {elapsed}");
        let token = Cancel::default();
        let timer = seconds.map(|seconds| Timer::start(seconds, token.clone()));
        let guard = interrupt::guard(&token);
        Self { bar, token, _timer: timer, _guard: guard }
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
        !self.token.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.token.clone()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
