//! Progress bars, on a terminal only, and time limits.

use crate::interrupt::{self, Guard};
use crate::output::is_quiet;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linsep::Observer;
use linsep::control::{Cancel, Epoch, EpochMetric};
use linsep_report::number::{count, number, upper_percent};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Interval between redraws of a bar without updates, so that the elapsed time advances.
const TICK: Duration = Duration::from_millis(250);

/// Template of a phase of unknown length.
const PHASE: &str = "{spinner} {prefix} {msg} {elapsed}";

/// Template of a solver.
const ITERATIONS: &str = "{spinner} {prefix}: iteration {pos} of at most {len}, {msg}, {elapsed}";

/// Template of jobs of about equal length.
pub const JOBS: &str =
    "{spinner} {prefix} {bar:30.cyan} {pos}/{len} ({percent} %), {elapsed}, {eta} left";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A bar with this template if stderr is a terminal, else a hidden one.
pub fn bar(template: &str, label: &str) -> ProgressBar {
    let shown = std::io::stderr().is_terminal() && !is_quiet();
    let target =
        if shown { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style(template))
        .with_prefix(label.to_owned());
    if shown {
        bar.enable_steady_tick(TICK);
    }
    bar
}

/// The bar of a phase such as reading: label, message, elapsed time.
pub struct Phase(ProgressBar);

impl Phase {
    pub fn new(label: &str) -> Self {
        Self(bar(PHASE, label))
    }

    /// Shows the number of rows processed.
    pub fn rows(&self, done: usize) {
        self.0.set_message(format!("{} rows", count(done as f64)));
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A thread that sets cancellation tokens at given times; dropping the timer ends it.
pub struct Timer {
    /// Channel to the thread; closing it ends the thread.
    alarms: Sender<Alarm>,
}

/// Time, token, and the function that sets the token.
type Alarm = (Instant, Cancel, fn(&Cancel));

impl Timer {
    /// A timer without alarms.
    pub fn new() -> Self {
        let (alarms, new) = mpsc::channel::<Alarm>();
        thread::spawn(move || {
            // Keyed by time and a serial number, as two alarms may have the same time.
            let mut waiting = BTreeMap::new();
            for number in 0_u64.. {
                let received = match waiting.first_key_value() {
                    Some((&(at, _), _)) => {
                        new.recv_timeout(Instant::saturating_duration_since(&at, Instant::now()))
                    }
                    None => new.recv().map_err(|_| RecvTimeoutError::Disconnected),
                };
                match received {
                    Ok((at, token, set)) => drop(waiting.insert((at, number), (token, set))),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                let later = waiting.split_off(&(Instant::now(), 0));
                for (token, set) in std::mem::replace(&mut waiting, later).into_values() {
                    set(&token);
                }
            }
        });
        Self { alarms }
    }

    /// A timer that sets the time limit of one token after `seconds`.
    pub fn start(seconds: f64, token: &Cancel) -> Self {
        let timer = Self::new();
        timer.at(Instant::now() + Duration::from_secs_f64(seconds), token, Cancel::time_out);
        timer
    }

    /// Sets a token at a time, or at once if the time has passed.
    fn at(&self, at: Instant, token: &Cancel, set: fn(&Cancel)) {
        if at <= Instant::now() {
            return set(token);
        }
        // Sending succeeds: the thread lives as long as the sender.
        let _ = self.alarms.send((at, token.clone(), set));
    }
}

/// Time limits of training and of its certification.
struct Limit {
    timer: Timer,
    /// Share of the time for training.
    training: f64,
    /// End of certification.
    end: Instant,
}

impl Limit {
    /// Certification may take 10 % of the training time in addition, and at least 0.25 s.
    fn new(seconds: f64, token: &Cancel) -> Self {
        let whole = seconds + (0.1 * seconds).max(0.25);
        let (now, timer) = (Instant::now(), Timer::new());
        let end = now + Duration::from_secs_f64(whole);
        timer.at(now + Duration::from_secs_f64(seconds), token, Cancel::time_out);
        timer.at(end, token, Cancel::cancel_certification);
        Self { timer, training: seconds / whole, end }
    }

    /// A token with one of `left` equal shares of the remaining time, for `lanes` parallel jobs.
    fn share(&self, token: &Cancel, left: usize, lanes: usize) -> Cancel {
        let (part, now) = (token.part(), Instant::now());
        let remains = self.end.saturating_duration_since(now);
        let own = remains.mul_f64((lanes as f64 / left.max(1) as f64).min(1.0));
        self.timer.at(now + own.mul_f64(self.training), &part, Cancel::time_out);
        self.timer.at(now + own, &part, Cancel::cancel_certification);
        part
    }
}

/// Observer of training: progress bar, time limit and Ctrl-C.
pub struct Progress {
    bar: ProgressBar,
    label: String,
    /// Whether the bar shows iterations.
    iterates: bool,
    token: Cancel,
    limit: Option<Limit>,
    guard: Option<Guard>,
}

impl Progress {
    /// An observer that ends the run after `seconds`, if given, and at Ctrl-C.
    pub fn new(label: &str, seconds: Option<f64>) -> Self {
        let bar = bar(PHASE, label);
        let token = Cancel::default();
        let label = label.to_owned();
        let limit = seconds.map(|seconds| Limit::new(seconds, &token));
        let guard = interrupt::guard(&token);
        Self { bar, label, iterates: false, token, limit, guard: Some(guard) }
    }

    /// An observer of work without partial results: Ctrl-C ends the program at once.
    pub fn unguarded(label: &str) -> Self {
        let mut own = Self::new(label, None);
        own.guard = None;
        own
    }

    /// Hides the bar while another one is drawn.
    pub fn pause(&self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }

    /// Shows the bar again.
    pub fn resume(&self) {
        self.bar.reset();
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(TICK);
        }
    }

    /// A token with one of `left` equal shares of the remaining time, for `lanes` parallel jobs.
    pub fn share_of(&self, left: usize, lanes: usize) -> Cancel {
        match &self.limit {
            Some(limit) => limit.share(&self.token, left, lanes),
            None => self.token.clone(),
        }
    }
}

impl Observer for Progress {
    fn stage(&mut self, name: &str) {
        self.bar.set_style(style(PHASE));
        self.iterates = false;
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message("");
    }

    fn hyperplane(&mut self, j: usize, of: usize) {
        self.bar.set_prefix(if of > 1 {
            format!("{}: hyperplane {} of {of}", self.label, j + 1)
        } else {
            self.label.clone()
        });
    }

    fn epoch(&mut self, now: &Epoch) -> bool {
        self.bar.set_message(match now.standing {
            EpochMetric::Mistakes(weight) => format!("{} misclassified", count(weight)),
            EpochMetric::Objective { value, relative_gap: None } => {
                format!("objective {}", number(value))
            }
            EpochMetric::Objective { value, relative_gap: Some(gap) } => {
                format!("objective {}, relative gap ≤ {}", number(value), upper_percent(gap))
            }
        });
        if !std::mem::replace(&mut self.iterates, true) {
            self.bar.set_style(style(ITERATIONS));
        }
        self.bar.set_length(now.of);
        self.bar.set_position(now.epoch);
        !self.token.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.token.clone()
    }

    fn share(&mut self, left: usize, lanes: usize) -> Cancel {
        self.share_of(left, lanes)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_a_label_and_the_elapsed_time() {
        for template in [PHASE, ITERATIONS, JOBS] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
            assert!(template.contains("{prefix}") && template.contains("{elapsed}"), "{template}");
        }
        assert!(JOBS.contains("{percent} %") && JOBS.contains("{eta} left"));
        assert!(TICK <= Duration::from_secs(1));
    }
}
