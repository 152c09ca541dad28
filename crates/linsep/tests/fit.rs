//! The claims of a fit, through the library alone: no minimum on separable data, certified rows
//! under the decision rule in effect, refusals before any work, complete outcomes.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep::core::calibrate::Calibration;
use linsep::core::control::Epoch;
use linsep::core::learner::{Method, Scheme};
use linsep::core::math::rng::Rng;
use linsep::core::options::{Loss, Options, Penalty, Solver};
use linsep::core::{Observer, StopReason};
use linsep::io::{Input, ReadOptions, Source, read_source};
use linsep::jobs::fit::{InferenceSettings, TestData, Tune};
use linsep::jobs::{Fit, FitOutcome};

/// A table of two numbers and a class, as read from a file.
fn table(rows: &[(f64, f64, &str)]) -> Input {
    let mut text = "a,b,class\n".to_owned();
    rows.iter().for_each(|(a, b, class)| text += &format!("{a},{b},{class}\n"));
    read_source(Source::from_bytes("rows.csv", text), &ReadOptions::default()).unwrap()
}

/// Rows of k classes: `apart` in groups that hyperplanes separate pairwise and from the rest.
fn rows(seed: u64, k: usize, apart: bool) -> Input {
    let mut rng = Rng::new(seed, 5);
    let mut rows = Vec::new();
    for i in 0..60 {
        let class = i % k;
        let angle = class as f64 / k as f64 * std::f64::consts::TAU;
        let (far, wide) = if apart { (10.0, 3.0) } else { (1.0, 3.0) };
        let mut noise = || wide * (rng.unit() - 0.5);
        let (a, b) = (far * angle.cos() + noise(), far * angle.sin() + noise());
        rows.push((a, b, ["x", "y", "z"][class]));
    }
    table(&rows)
}

fn run(fit: &Fit, data: &Input) -> FitOutcome {
    fit.run(data).unwrap()
}

fn of(options: Options) -> Fit {
    Fit { method: Method { options, ..Method::default() }, ..Fit::default() }
}

/// Options of an unpenalized fit, with a tolerance that a diverging run reaches at once.
fn unpenalized(solver: Solver, multiclass: Option<Scheme>) -> Options {
    Options {
        penalty: Some(Penalty::None),
        solver: (solver != Solver::Auto).then_some(solver),
        tol: Some(0.05),
        multiclass,
        ..Options::default()
    }
}

#[test]
fn no_unpenalized_fit_of_separable_classes_is_optimal() {
    let solvers = [
        Solver::Auto,
        Solver::Newton,
        Solver::NewtonCg,
        Solver::Lbfgs,
        Solver::GradientDescent,
        Solver::Sgd,
    ];
    let mut checked = 0;
    for (seed, k) in [(1, 2), (2, 3)] {
        for solver in solvers {
            let schemes = [Scheme::OneVsRest, Scheme::OneVsOne, Scheme::Softmax].map(Some);
            for &scheme in if k > 2 { &schemes[..] } else { &[None] } {
                let fit = of(unpenalized(solver, scheme));
                if fit.check().is_err() {
                    continue; // the scheme does not have the solver
                }
                let found = run(&fit, &rows(seed, k, true));
                assert_eq!(found.fit.stop, StopReason::NoMinimum, "{solver:?} {scheme:?}");
                assert!(found.fit.runs.iter().all(|run| run.stop != StopReason::Optimal));
                assert_eq!(found.model_file.header.training.stop, "no-minimum");
                assert!(found.model_file.header.training.separation.is_some());
                checked += 1;
            }
            // Classes that overlap have a minimum.
            let scheme = (k > 2).then_some(Scheme::OneVsRest);
            let overlap = run(&of(unpenalized(solver, scheme)), &rows(seed, k, false));
            assert_ne!(overlap.fit.stop, StopReason::NoMinimum, "{solver:?}");
            assert!(overlap.model_file.header.training.separation.is_none());
        }
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn certified_rows_are_those_of_the_decision_rule_in_effect() {
    let tol = |tol: f64| Options { tol: Some(tol), ..Options::default() };
    let mut moved = 0;
    for seed in 0..8 {
        let data = rows(seed, 2, false);
        let plain = run(&of(tol(0.02)), &data);
        for threshold in ["0.9", "0.2", "f1"] {
            let threshold = Some(threshold.parse().unwrap());
            let loose = Fit { threshold, ..of(tol(0.02)) };
            let loose = run(&loose, &data);
            let at = loose.model_file.model.operating_point().threshold;
            // The exact optimum, with the threshold of the loose fit.
            let exact = run(&of(tol(1e-12)), &data).model_file.linear("exact").unwrap();
            let predicted = |model: &linsep::core::LinearModel, i: usize| {
                let Input::Table(table) = &data else { unreachable!("a table") };
                model.hyperplanes()[0].at(&table.row(i)[..2]) >= at
            };
            let certified = loose.fit.certified().expect("a penalty has a certificate");
            for (i, certain) in certified.iter().enumerate() {
                let loose = loose.model_file.linear("loose").unwrap();
                let same = predicted(&exact, i) == predicted(&loose, i);
                assert!(!certain || same, "row {i} of {seed} at {at}");
            }
            moved += usize::from(plain.fit.certified() != Some(certified));
            let rows = certified.iter().filter(|own| **own).count();
            assert_eq!(loose.model_file.header.training.certified.as_ref().unwrap().rows, rows);
        }
    }
    assert!(moved > 3, "a moved threshold changes which rows are certified: {moved}");
}

/// An observer that counts epochs, and ends the run after some.
struct Counting {
    epochs: usize,
    most: usize,
}

impl Observer for Counting {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        self.epochs += 1;
        self.epochs < self.most
    }
}

#[test]
fn faults_of_test_data_are_found_before_training() {
    let good = "a,b,class\n1,2,x\n";
    for (bad, problem) in [
        ("a,class\n1,x\n", "b"),
        ("a,b,class\n1,zero,x\n", "zero"),
        ("a,b,class\n1,2,p\n3,4,q\n", "p, q"),
    ] {
        let test = |text: &'static str| {
            let open = move || Ok(Source::from_bytes("test.csv", text));
            TestData::new("test.csv", ReadOptions::default(), open)
        };
        let mut watch = Counting { epochs: 0, most: usize::MAX };
        let fit = Fit::default();
        let found = fit.run_with(rows(1, 2, false), Some(&test(bad)), &mut watch);
        let message = found.unwrap_err().to_string();
        assert!(message.contains("test.csv") && message.contains(problem), "{message}");
        assert_eq!(watch.epochs, 0, "{problem}");
        let found = fit.run_with(rows(1, 2, false), Some(&test(good)), &mut watch);
        assert!(found.unwrap().evaluated.is_some_and(|own| own.held_out));
    }
}

#[test]
fn contradictory_settings_are_refused_without_data() {
    let lambda = Options { lambda: Some(0.1), ..Options::default() };
    let perceptron = Method::perceptron();
    let infer = || Some(InferenceSettings::default());
    for (fit, what) in [
        (Fit { tune: Some(Tune::default()), ..of(lambda.clone()) }, "lambda"),
        (Fit { inference: infer(), ..of(lambda) }, "penalty"),
        (
            Fit { inference: infer(), calibrate: Some(Calibration::Platt), ..Fit::default() },
            "infer",
        ),
        (Fit { inference: infer(), method: perceptron.clone(), ..Fit::default() }, "logistic"),
        (Fit { tune: Some(Tune::default()), method: perceptron.clone(), ..Fit::default() }, "tune"),
        (Fit { path: Some(5), method: perceptron, ..Fit::default() }, "path"),
        (
            Fit {
                path: Some(5),
                positive: Some(linsep::core::Label::parse("x")),
                ..Fit::default()
            },
            "path",
        ),
        (Fit { folds: Some(linsep::validate::FoldSettings::default()), ..Fit::default() }, "folds"),
        (Fit { holdout: Some(1.5), ..Fit::default() }, "holdout"),
    ] {
        let error = fit.check().err().unwrap();
        assert!(error.is_usage() && error.to_string().contains(what), "{error}");
        let text = serde_json::to_string(&fit).unwrap();
        assert_eq!(serde_json::from_str::<Fit>(&text).unwrap(), fit, "a request is plain data");
    }
}

#[test]
fn a_request_in_json_has_the_names_of_the_command_line() {
    let text = r#"{"method": {"name": "svm", "options": {"loss": "squared-hinge", "penalty": "l2",
        "solver": "dual-cd", "c": 0.5, "multiclass": "one-vs-one"}}, "calibrate": "platt"}"#;
    let method = Method::svm().loss(Loss::SquaredHinge).penalty(Penalty::L2);
    let method = method.solver(Solver::DualCd).c(0.5).multiclass(Scheme::OneVsOne);
    let fit: Fit = serde_json::from_str(text).unwrap();
    assert_eq!(fit, Fit::new(method).calibrate(Calibration::Platt));
    for (text, what) in [
        (r#"{"method": {"name": "svn"}}"#, "`method`: expected one of logistic, svm"),
        (r#"{"method": {"options": {"solver": "nweton"}}}"#, "nweton"),
        (r#"{"calibrate": "beta"}"#, "beta"),
    ] {
        let message = serde_json::from_str::<Fit>(text).unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn every_name_in_json_is_that_of_the_registry() {
    let json = |name| serde_json::Value::String(String::from(name));
    for penalty in Penalty::ALL {
        assert_eq!(serde_json::to_value(penalty).unwrap(), json(penalty.name()));
    }
    for loss in Loss::ALL {
        assert_eq!(serde_json::to_value(loss).unwrap(), json(loss.name()));
    }
    for solver in Solver::ALL {
        assert_eq!(serde_json::to_value(solver).unwrap(), json(solver.name()));
    }
    for calibration in Calibration::ALL {
        assert_eq!(serde_json::to_value(calibration).unwrap(), json(calibration.name()));
    }
}

#[test]
fn a_solver_without_the_penalty_is_refused_before_a_file_is_read() {
    let lasso = Method::logistic().penalty(Penalty::L1).solver(Solver::DualCd);
    let refusal = Fit::new(lasso).check().err().unwrap();
    assert!(refusal.is_usage());
    assert_eq!(
        refusal.to_string(),
        "`solver=dual-cd` requires a pure l2 penalty; use newton or working-set-cd"
    );
}

#[test]
fn unfinished_hyperplanes_are_refused_unless_accepted() {
    let cancel = linsep::core::Cancel::default();
    cancel.time_out();
    let options = Options { multiclass: Some(Scheme::OneVsRest), ..Options::default() };
    let fit = of(options);
    let refused = fit.run_with(rows(1, 3, false), None, &mut cancel.clone()).unwrap_err();
    assert!(refused.to_string().contains("were started"), "{refused}");
    let fit = Fit { unfinished: true, ..fit };
    let found = fit.run_with(rows(1, 3, false), None, &mut cancel.clone()).unwrap();
    assert_eq!(found.fit.not_started(), [0, 1, 2]);
    assert!(found.fit.certificates().is_empty(), "nothing is claimed of them");
}

#[test]
fn an_outcome_is_the_same_after_it_was_saved() {
    let report = Fit { report: true, holdout: Some(0.2), ..Fit::default() };
    for fit in [
        Fit { tune: Some(Tune { points: 4, ..Tune::default() }), ..report.clone() },
        Fit { calibrate: Some(Calibration::Isotonic), ..report.clone() },
        Fit { explain_solver: true, explain_multiclass: true, ..report.clone() },
        Fit { path: Some(3), ..Fit::default() },
        Fit { inference: Some(InferenceSettings::default()), ..Fit::default() },
        Fit { method: Method::gaussian(), ..report.clone() },
        Fit { method: Method::perceptron(), ..report },
    ] {
        let saved = serde_json::to_string(&run(&fit, &rows(3, 2, false))).unwrap();
        let loaded: FitOutcome = serde_json::from_str(&saved).unwrap();
        assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
    }
}
