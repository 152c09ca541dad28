//! Cancel tokens: a set token ends the work promptly with a valid result, and an unset token has no
//! effect.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_core::binary::{RegularizationStrength, RegularizedErm};
use linsep_core::certify::SeparationKind;
use linsep_core::certify::separation::{Limits, Reason, separate};
use linsep_core::control::{Cancel, Epoch, Observer, StopReason};
use linsep_core::data::{Design, Labels, Moments, Problem};
use linsep_core::infer::{Settings, infer};
use linsep_core::learner::{self, FitResult, Scheme, path};
use linsep_core::options::{Loss, Options, Solver};
use linsep_core::solvers;
use linsep_core::{Error, Hyperplane};

/// Overlapping rows of d columns in k classes.
fn rows(n: usize, d: usize, k: usize) -> (Design, Labels) {
    let mut state = 11_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let values = (0..n * d).map(|at| next() + if at % d % k == at / d % k { 0.4 } else { 0.0 });
    let x = Design::dense(n, d, values.collect()).unwrap();
    (x, Labels::parse((0..n).map(|i| ["a", "b", "c", "d", "e"][i % k])))
}

/// Observer that sets its token after some epochs; with `over`, the token also ends certification.
struct CancelAfter {
    cancel: Cancel,
    left: u64,
    over: bool,
}

impl CancelAfter {
    fn new(left: u64, over: bool) -> Self {
        let until = Self { cancel: Cancel::default(), left, over };
        if left == 0 {
            until.end();
        }
        until
    }

    fn end(&self) {
        self.cancel.time_out();
        if self.over {
            self.cancel.cancel_certification();
        }
    }
}

impl Observer for CancelAfter {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.end();
        }
        !self.cancel.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

/// Every solver with several objectives, for two classes and for more.
fn solver_cases() -> Vec<(usize, &'static str, Options)> {
    let mut ways = Vec::new();
    for solver in solvers::all(&solvers::Options::default()) {
        let (method, loss) = match solver.name() {
            "interior-point" | "smoothing" => ("svm", None),
            _ => ("convex", Some(Loss::Logistic)),
        };
        for multiclass in [Scheme::OneVsRest, Scheme::OneVsOne] {
            let options = Options {
                loss,
                solver: Some(solver.name().parse().unwrap()),
                multiclass: Some(multiclass),
                ..Options::default()
            };
            ways.push((3, method, options.clone()));
            ways.push((2, method, options));
        }
    }
    for solver in [Solver::NewtonCg, Solver::DualCd] {
        ways.push((4, "logistic", Options { solver: Some(solver), ..Options::default() }));
    }
    for solver in [Solver::Auto, Solver::DualCd] {
        let multiclass = Some(Scheme::CrammerSinger);
        ways.push((4, "svm", Options { solver: Some(solver), multiclass, ..Options::default() }));
    }
    ways
}

fn learn(k: usize, method: &str, options: &Options, watch: &mut dyn Observer) -> FitResult {
    let (x, labels) = rows(700, 8, k);
    let problem = Problem::new(&x, &labels, None).unwrap();
    learner::by_name(method, options).unwrap().learn(&problem, None, None, watch).unwrap()
}

#[test]
fn an_unset_token_changes_no_bit() {
    for (k, method, options) in solver_cases() {
        let plain = learn(k, method, &options, &mut ());
        let watched = learn(k, method, &options, &mut CancelAfter::new(u64::MAX, true));
        assert_eq!(plain.model.hyperplanes(), watched.model.hyperplanes(), "{method} {options:?}");
        assert_eq!(plain.certified(), watched.certified());
        assert_eq!((plain.stop, plain.epochs), (watched.stop, watched.epochs));
    }
}

#[test]
fn a_token_set_before_the_start_gives_no_certificate() {
    for (k, method, options) in solver_cases() {
        let fit = learn(k, method, &options, &mut CancelAfter::new(0, true));
        let all: Vec<usize> = (0..fit.model.hyperplanes().len()).collect();
        assert_eq!(fit.stop, StopReason::TimeLimit, "{method} {options:?}");
        assert_eq!(fit.not_started(), all, "{method} {options:?}");
        assert!(fit.certificates().is_empty() && fit.certified().is_none(), "{options:?}");
        assert_eq!((fit.objective, fit.bound), (None, None), "{options:?}");
        assert!(fit.model.hyperplanes().iter().all(Hyperplane::is_zero), "{options:?}");
    }
}

#[test]
fn a_token_set_during_a_run_gives_the_best_iterate_and_its_gap() {
    for (k, method, options) in solver_cases() {
        let tight = Options { tol: Some(1e-13), ..options };
        let fit = learn(k, method, &tight, &mut CancelAfter::new(3, false));
        assert!(fit.model.hyperplanes().iter().all(Hyperplane::is_finite));
        if fit.not_started().is_empty() {
            let certificates = fit.certificates();
            assert!(!certificates.is_empty(), "{method} {tight:?}");
            let zero: f64 = certificates.len() as f64 * (k as f64).ln().max(1.0);
            assert!(
                fit.objective.unwrap() <= zero * (1.0 + 1e-9),
                "{method} {tight:?}: {:?}",
                fit.objective
            );
        }
    }
}

/// Observer that cancels the first hyperplanes before they start.
struct CancelFirst {
    none: usize,
}

impl Observer for CancelFirst {
    fn share(&mut self, _left: usize, _lanes: usize) -> Cancel {
        let token = Cancel::default();
        if self.none > 0 {
            self.none -= 1;
            token.cancel_certification();
        }
        token
    }
}

#[test]
fn an_exhausted_share_ends_only_its_hyperplane() {
    let options = Options { multiclass: Some(Scheme::OneVsRest), ..Options::default() };
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let fit = pool.install(|| learn(5, "logistic", &options, &mut CancelFirst { none: 2 }));
        assert_eq!(fit.not_started().len(), 2, "{threads}");
        assert_eq!(fit.stop, StopReason::TimeLimit);
        assert_eq!(fit.runs.iter().filter(|run| run.stop == StopReason::Optimal).count(), 3);
        if threads == 1 {
            assert_eq!(fit.not_started(), [0, 1]);
        }
    }
}

#[test]
fn canceled_closed_forms_return_an_error() {
    let (x, labels) = rows(500, 6, 3);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let ended = |error: Error| matches!(error, Error::Ended { time: true, .. });
    assert!(ended(Moments::of_until(&problem, &CancelAfter::new(0, true).cancel).unwrap_err()));
    for method in ["least-squares", "fisher", "gaussian"] {
        let learner = learner::by_name(method, &Options::default()).unwrap();
        let error =
            learner.learn(&problem, None, None, &mut CancelAfter::new(0, true)).unwrap_err();
        assert!(ended(error), "{method}");
    }
}

#[test]
fn canceled_inference_returns_no_estimate() {
    let (x, labels) = rows(300, 5, 2);
    let problem = Problem::new(&x, &labels, None).unwrap();
    for firth in [false, true] {
        let settings = Settings { firth, ..Settings::default() };
        let run =
            |left| infer(&problem, None, &settings, &mut CancelAfter::new(left, true)).unwrap();
        let (none, plain) = (run(0), infer(&problem, None, &settings, &mut ()).unwrap());
        assert_eq!((none.stop, none.steps, none.inference), (StopReason::Interrupted, 0, None));
        assert_eq!(run(u64::MAX), plain);
        assert_eq!(run(3).inference, None);
    }
}

#[test]
fn separation_is_undecided_after_cancellation() {
    let (x, labels) = rows(60, 4, 3);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let find =
        |watch: &mut dyn Observer| separate(&problem, None, &Limits::default(), watch).unwrap();
    let decided = find(&mut ());
    assert_eq!(decided.verdict, SeparationKind::Overlap);
    assert_eq!(find(&mut CancelAfter::new(u64::MAX, true)), decided);
    let found = find(&mut CancelAfter::new(0, true));
    assert_eq!((found.verdict, found.reason), (SeparationKind::Undecided, Some(Reason::Time)));
    assert_eq!(found.sweeps, 0);
}

#[test]
fn a_canceled_path_ends_at_the_requested_lambda() {
    let (x, labels) = rows(400, 6, 2);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let convex = RegularizedErm {
        strength: RegularizationStrength::Lambda(1e-3),
        ..RegularizedErm::default()
    };
    let points = path(&problem, &convex, 10, &mut CancelAfter::new(4, false)).unwrap();
    assert!(points.len() < 10, "{}", points.len());
    let last = points.last().unwrap();
    assert_eq!((last.lambda, last.fit.stop), (1e-3, StopReason::TimeLimit));
    assert!(!last.fit.model.hyperplanes()[0].is_zero(), "it goes on from the strength before");
}
