//! Least squares, Fisher's discriminant and Gaussian classes.

use crate::harness::{assert_close, example, example_path, fit, hyperplanes, reloaded};
use linsep::SampleWeights;
use linsep::core::learner::{Fact, InterceptRule};
use linsep::io::csv::Force;
use linsep::jobs::{Evaluate, Fit, Transform};
use linsep::model_file::FORMAT;
use linsep::prelude::*;

#[test]
fn the_lectures_fisher_discriminant() {
    let method = Method::fisher().intercept_rule(InterceptRule::MaxMargin);
    for standardize in [true, false] {
        let mut fit = Fit { positive: Some(Label::parse("w1")), ..Fit::new(method.clone()) };
        fit.data.recipe.standardize = standardize;
        let found = fit.run(&example("gales.csv")).unwrap();
        let Some(Fact::Points(means)) = found.fit.facts.get("means") else { panic!("no means") };
        assert_close(&means[0], &[0.825, 0.5], 1e-12);
        assert_close(&means[1], &[0.1375, 0.6], 1e-12);
        let Some(Fact::Scatter(scatter)) = found.fit.facts.get("within-scatter") else {
            panic!("no scatter matrix")
        };
        assert_close(&scatter[0], &[0.204_375, 0.03], 1e-12);
        assert_close(&scatter[1], &[0.03, 1.24], 1e-12);
        let hyperplane = &hyperplanes(&found)[0];
        assert_close(&hyperplane.w, &[3.387_78, -0.162_61], 5e-6);
        assert_close(&[hyperplane.b], &[-1.443_20], 5e-6);
        assert_eq!((found.fit.mistakes, found.fit.stop), (0.0, StopReason::ClosedForm));
    }
}

#[test]
fn model_file_keeps_gaussian_probabilities() {
    let iris = example("iris.csv");
    let found = fit(Method::gaussian(), &iris);
    let loaded = reloaded(&found);
    assert_eq!((loaded.header.link.as_str(), loaded.header.format), ("softmax", FORMAT));
    let [before, after] =
        [&found.model_file, &loaded].map(|model| model.predict_proba(&iris).unwrap());
    assert_eq!(before, after);
    for i in 0..150 {
        assert!((after.row(i).map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12, "{i}");
    }
    // 3 of 150 rows are misclassified.
    assert_eq!(loaded.evaluate(&iris).unwrap().accuracy(), 0.98);
}

/// The overall mean is the origin, and each direction has variance 1 within classes.
#[test]
fn rows_are_projected_onto_the_directions_of_the_model() {
    let model = reloaded(&fit(Method::fisher(), &example("iris.csv")));
    let project = |dims| {
        let iris = vec![Source::open(example_path("iris.csv")).unwrap()];
        Transform { dims }.run(&model, "model", iris, &ReadOptions::default(), &mut ()).unwrap()
    };
    let all = project(None);
    assert_eq!(all.names, ["direction_1", "direction_2"]);
    let rows: Vec<&Vec<f64>> = all.rows.iter().map(|row| row.as_ref().unwrap()).collect();
    assert_eq!(rows.len(), 150);
    for j in 0..2 {
        assert!(rows.iter().map(|row| row[j]).sum::<f64>().abs() < 1e-9);
        let within: f64 = rows
            .chunks(50)
            .map(|class| {
                let mean = class.iter().map(|row| row[j]).sum::<f64>() / 50.0;
                class.iter().map(|row| (row[j] - mean).powi(2)).sum::<f64>()
            })
            .sum();
        assert!((within / 150.0 - 1.0).abs() < 1e-9, "{within}");
    }
    let first = project(Some(1));
    let firsts: Vec<Option<Vec<f64>>> = rows.iter().map(|row| Some(vec![row[0]])).collect();
    assert_eq!(first.rows, firsts);
}

#[test]
fn far_correct_rows_affect_least_squares_but_not_logistic_regression() {
    let near = || Some(SampleWeights::Named("near".to_owned()));
    let path = example_path("outliers.csv");
    // Misclassified near rows of a model trained with the far rows (sample weight 1) or without
    // (sample weight 0).
    let misclassified = |method: Method, far: bool| {
        let (mut fit, mut read) = (Fit::new(method), ReadOptions::default());
        if far {
            read.csv.force.push(("near".to_owned(), Force::Drop));
        } else {
            fit.data.weights = near();
        }
        let data = read_source(Source::open(&path).unwrap(), &read).unwrap();
        let model = fit.run(&data).unwrap().model_file;
        let job = Evaluate { weights: near(), ..Evaluate::default() };
        let rows = vec![Source::open(&path).unwrap()];
        let found = job.run(&model, rows, &ReadOptions::default(), &mut ()).unwrap();
        (60.0 * (1.0 - found.evaluation.accuracy())).round()
    };
    assert_eq!(misclassified(Method::least_squares(), false), 0.0);
    assert_eq!(misclassified(Method::least_squares(), true), 3.0);
    assert_eq!(misclassified(Method::logistic(), false), 0.0);
    assert_eq!(misclassified(Method::logistic(), true), 0.0);
}
