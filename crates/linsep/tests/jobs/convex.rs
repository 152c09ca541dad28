//! Fits with a certificate: bounds, their record in the model file, paths and probabilities.

use crate::harness::{example, fit, hyperplanes, reloaded};
use linsep::core::learner::SeparationEffect;
use linsep::core::model::Link;
use linsep::core::solvers;
use linsep::jobs::Fit;
use linsep::prelude::*;

#[test]
fn a_fit_and_its_model_file_have_the_certificate() {
    let gales = example("gales.csv");
    for method in [
        Method::logistic(),
        Method::svm(),
        Method::convex().loss(Loss::SquaredHinge),
        Method::convex().loss(Loss::SmoothHinge),
        Method::convex().loss(Loss::Squared),
    ] {
        let found = fit(method.clone().tol(1e-6), &gales);
        assert_eq!(found.fit.stop, StopReason::Optimal, "{method:?}");
        assert!(found.fit.bound.unwrap() <= found.fit.objective.unwrap(), "{method:?}");
        let training = reloaded(&found).header.training;
        assert_eq!(training, found.model_file.header.training, "the model file keeps it");
        let [certificate] = &training.certificates[..] else { panic!("one certificate") };
        assert_eq!(Some(certificate.primal), found.fit.objective);
        assert_eq!(certificate.dual, found.fit.bound);
        assert!(certificate.relative_gap.unwrap() <= 1e-6, "{method:?}");
        assert!(certificate.gap.unwrap() >= 0.0, "{method:?}");
        assert!(certificate.radius.unwrap() < 0.1, "{method:?}");
        let certified = training.certified.unwrap();
        let counts = (certified.rows, certified.of, certified.share);
        assert_eq!(counts, (8, 8, 1.0), "{method:?}: rows far from the hyperplane");
    }
}

#[test]
fn iteration_limit_leaves_a_gap() {
    let how = Method::logistic().solver(Solver::Lbfgs).multiclass(Scheme::OneVsRest).max_iter(2);
    let found = fit(how, &example("iris.csv"));
    assert_eq!(found.fit.stop, StopReason::IterationLimit);
    let gaps = found.fit.certificates().iter().map(|(own, _)| own.gap.dual.unwrap().gap).sum();
    let gap: f64 = gaps;
    assert!(gap / found.fit.objective.unwrap() > 1e-4 && gap.is_finite(), "{gap}");
}

#[test]
fn unpenalized_fit_has_no_bound_and_reports_separation() {
    let found = fit(Method::logistic().penalty(Penalty::None), &example("gales.csv"));
    assert_eq!((found.fit.stop, found.fit.bound), (StopReason::NoMinimum, None));
    let separation = found.model_file.header.training.separation.unwrap();
    assert_eq!(separation.effect, Some(SeparationEffect::None));
}

#[test]
fn the_solver_of_lowest_cost_is_selected() {
    let gales = example("gales.csv");
    let explained = |method| {
        let found = Fit { explain_solver: true, ..Fit::new(method) }.run(&gales).unwrap();
        (found.solvers.unwrap().candidates, found.fit.solver().unwrap().to_owned())
    };
    let (candidates, solver) = explained(Method::logistic());
    assert_eq!(candidates.len(), solvers::all(&solvers::Options::default()).len());
    assert_eq!(candidates[0].0, solver);
    let (candidates, _) = explained(Method::svm());
    let (_, newton) = candidates.iter().find(|(name, _)| name == "newton").unwrap();
    assert_eq!(newton.as_ref().unwrap_err(), "a loss with bounded curvature");
}

#[test]
fn path_goes_from_zero_coefficients_to_the_given_lambda() {
    let lasso = Method::logistic().penalty(Penalty::L1).lambda(0.001);
    let path = Fit { path: Some(6), ..Fit::new(lasso) }.run(&example("gales.csv")).unwrap().path;
    assert_eq!(path.len(), 6);
    assert_eq!(path[5].lambda, 0.001);
    assert!(path.iter().all(|point| point.fit.stop == StopReason::Optimal));
    let nonzeros: Vec<usize> = path.iter().map(|point| point.nonzero).collect();
    assert!(nonzeros[0] == 0 && nonzeros[5] >= 1 && nonzeros.is_sorted(), "{nonzeros:?}");
}

#[test]
fn probabilities_sum_to_one_or_are_refused() {
    let iris = example("iris.csv");
    let found = fit(Method::logistic(), &iris).model_file;
    let p = found.predict_proba(&iris).unwrap();
    for i in 0..150 {
        let sum: f64 = p.row(i).map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{i}: {sum}");
    }
    let evaluation = found.evaluate(&iris).unwrap();
    assert!(evaluation.value("log-loss").unwrap() < 0.4);
    assert!(evaluation.value("brier").unwrap() < 0.1);
    let perceptron = fit(Method::perceptron(), &iris).model_file;
    assert_eq!(*perceptron.model.link(), Link::None);
    let refused = perceptron.predict_proba(&iris).err().unwrap().to_string();
    assert!(refused.contains("does not have. Fit a model with `method=logistic`"), "{refused}");
    assert_eq!(perceptron.evaluate(&iris).unwrap().value("log-loss"), None);
}

#[test]
fn class_weights_move_the_intercept() {
    let intercept = |weight: f64| {
        let class_weights = ClassWeights::Given(vec![(Label::parse("w1"), weight)]);
        let fit = Fit { class_weights, ..Fit::default() };
        hyperplanes(&fit.run(&example("gales.csv")).unwrap())[0].b
    };
    assert!(intercept(100.0) < intercept(0.01), "the heavier class gets the larger region");
}
