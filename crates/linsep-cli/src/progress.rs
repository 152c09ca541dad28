//! The observer of all commands: progress bar, on a terminal only, time limits and Ctrl-C.

use crate::interrupt::{self, Guard};
use crate::output::{is_quiet, print_notes};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linsep::core::Observer;
use linsep::core::control::{Cancel, Epoch, EpochMetric, Note, Phase};
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

/// Template of steps of about equal length.
pub const STEPS: &str =
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

/// A thread that sets cancellation tokens at given times; dropping the timer ends it.
struct Timer {
    /// Channel to the thread; closing it ends the thread.
    alarms: Sender<Alarm>,
}

/// Time, token, and the function that sets the token.
type Alarm = (Instant, Cancel, fn(&Cancel));

impl Timer {
    /// A timer without alarms.
    fn new() -> Self {
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

/// Observer of a command, from reading to saving.
pub struct Progress {
    bar: ProgressBar,
    shows: Shows,
    token: Cancel,
    limit: Option<Limit>,
    guard: Option<Guard>,
    /// Time limit of each stage.
    stages: Option<f64>,
}

/// What the bar shows.
#[derive(Clone, Copy, PartialEq)]
enum Shows {
    /// A stage of unknown length.
    Stage,
    /// Iterations of a solver.
    Iterations,
    /// A stage of so many steps.
    Steps,
}

impl Progress {
    /// An observer of work without partial results: Ctrl-C ends the program at once.
    pub fn new(label: &str) -> Self {
        let bar = bar(PHASE, label);
        let (shows, token) = (Shows::Stage, Cancel::default());
        Self { bar, shows, token, limit: None, guard: None, stages: None }
    }

    /// Limits each stage to so many seconds.
    pub fn limit_stages(mut self, seconds: f64) -> Self {
        self.stages = Some(seconds);
        self
    }

    /// An observer of work that ends early after `seconds`, if given, and at Ctrl-C.
    pub fn within(label: &str, seconds: Option<f64>) -> Self {
        let mut own = Self::new(label);
        own.phase(Phase::Partial(seconds));
        own
    }

    fn show(&mut self, shows: Shows, template: &str) {
        if self.shows != shows {
            self.bar.set_style(style(template));
            self.shows = shows;
        }
    }
}

impl Observer for Progress {
    fn phase(&mut self, phase: Phase) {
        self.token = Cancel::default();
        self.guard = None;
        self.limit = None;
        if let Phase::Partial(seconds) = phase {
            self.limit = seconds.map(|seconds| Limit::new(seconds, &self.token));
            self.guard = Some(interrupt::guard(&self.token));
        }
    }

    fn stage(&mut self, name: &str, steps: Option<usize>) {
        if let Some(seconds) = self.stages {
            self.token = Cancel::default();
            self.limit = Some(Limit::new(seconds, &self.token));
        }
        match steps {
            None => self.show(Shows::Stage, PHASE),
            Some(steps) => {
                self.show(Shows::Steps, STEPS);
                self.bar.reset();
                self.bar.set_length(steps as u64);
            }
        }
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message("");
    }

    fn done(&mut self, steps: usize) {
        match self.shows {
            Shows::Steps => self.bar.set_position(steps as u64),
            _ => self.bar.set_message(format!("{} rows", count(steps as f64))),
        }
    }

    fn note(&mut self, note: &Note) {
        self.bar.suspend(|| print_notes(std::slice::from_ref(note)));
    }

    fn hyperplane(&mut self, j: usize, of: usize) {
        if self.shows != Shows::Steps && of > 1 {
            self.bar.set_prefix(format!("training: hyperplane {} of {of}", j + 1));
        }
    }

    fn epoch(&mut self, now: &Epoch) -> bool {
        if self.shows != Shows::Steps {
            self.bar.set_message(match now.standing {
                EpochMetric::Mistakes(weight) => format!("{} misclassified", count(weight)),
                EpochMetric::Objective { value, relative_gap: None } => {
                    format!("objective {}", number(value))
                }
                EpochMetric::Objective { value, relative_gap: Some(gap) } => {
                    format!("objective {}, relative gap ≤ {}", number(value), upper_percent(gap))
                }
            });
            self.show(Shows::Iterations, ITERATIONS);
            self.bar.set_length(now.of);
            self.bar.set_position(now.epoch);
        }
        !self.token.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.token.clone()
    }

    fn share(&mut self, left: usize, lanes: usize) -> Cancel {
        match &self.limit {
            Some(limit) => limit.share(&self.token, left, lanes),
            None => self.token.clone(),
        }
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
        for template in [PHASE, ITERATIONS, STEPS] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
            assert!(template.contains("{prefix}") && template.contains("{elapsed}"), "{template}");
        }
        assert!(STEPS.contains("{percent} %") && STEPS.contains("{eta} left"));
        assert!(TICK <= Duration::from_secs(1));
    }
}
