//! Metrics and calibrations against scikit-learn (`golden/metrics.json` with its provenance): ties,
//! weights, weights of 0, and a class without rows.

#![allow(clippy::unwrap_used)] // a test may

use linsep::core::calibrate::{self, OutOfFoldScores, Probabilities};
use linsep::core::metric::{
    Confusion, accuracy, auc, average_precision, brier, log_loss, precision_recall, reliability,
    roc,
};
use linsep::core::model::{DecisionRule, Link};
use serde_json::Value;

fn golden() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/metrics.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn classes(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect()
}

fn assert_near(what: &str, got: f64, want: &Value, within: f64) {
    let want = want.as_f64().unwrap();
    assert!((got - want).abs() <= within, "{what}: {got}, but scikit-learn has {want}");
}

#[test]
fn binary_metrics_and_calibrations_match_scikit_learn() {
    for case in golden()["two"].as_array().unwrap() {
        let (target, scores) = (classes(&case["target"]), numbers(&case["scores"]));
        let weights = numbers(&case["weights"]);
        let positive: Vec<bool> = target.iter().map(|&t| t == 1).collect();
        let predicted: Vec<u32> = scores.iter().map(|&z| u32::from(z >= 0.0)).collect();
        let near = |name: &str, got: f64| assert_near(name, got, &case[name], 1e-12);
        near("accuracy", accuracy(&target, &predicted, &weights));
        let confusion = Confusion::new(2, &target, &predicted, &weights);
        near("balanced_accuracy", confusion.balanced_accuracy().unwrap());
        near("correlation", confusion.correlation().unwrap());
        near("auc", auc(&positive, &scores, &weights).unwrap());
        near("average_precision", average_precision(&positive, &scores, &weights).unwrap());

        let mut held = OutOfFoldScores::new(DecisionRule::Sign, 2);
        (0..target.len()).for_each(|i| held.push(0, target[i], weights[i], &scores[i..=i]));
        let p = Probabilities::of(&held, &Link::Logistic).unwrap();
        near("log_loss", log_loss(&p.of_target, &weights));
        near("brier", brier(&p.all, 2, &target, &weights));

        let points = roc(&positive, &scores, &weights).unwrap();
        let want = case["roc"].as_array().unwrap();
        assert_eq!(points.len(), want.len() + 1, "and the corner where nothing is positive");
        for (point, want) in points[1..].iter().zip(want) {
            assert_near("threshold", point.threshold.unwrap(), &want[0], 0.0);
            assert_near("false positive", point.false_positive, &want[1], 1e-12);
            assert_near("true positive", point.true_positive, &want[2], 1e-12);
        }
        let points = precision_recall(&positive, &scores, &weights).unwrap();
        let want = case["precision_recall"].as_array().unwrap();
        assert_eq!(points.len(), want.len());
        for (point, want) in points.iter().zip(want) {
            assert_near("threshold", point.threshold, &want[0], 0.0);
            assert_near("precision", point.precision, &want[1], 1e-12);
            assert_near("recall", point.recall, &want[2], 1e-12);
        }
        let bins = reliability(&p.all, 2, &target, &vec![1.0; target.len()], 10);
        let want = case["reliability_of_equal_weights"].as_array().unwrap();
        assert_eq!(bins.len(), want.len());
        for (bin, want) in bins.iter().zip(want) {
            assert_near("said", bin.probability, &want[0], 1e-12);
            assert_near("happened", bin.observed, &want[1], 1e-12);
        }

        // scikit-learn stops its searches early: the sigmoid at a gradient of about 1e-5, the
        // temperature at a step of that size.
        let plain = calibrate::isotonic_map(&positive, &scores, &weights);
        for entry in calibrate::Calibration::ALL {
            let link = entry.fit(&held).unwrap();
            let mut p = Vec::new();
            for (z, want) in
                numbers(&case["grid"]).iter().zip(case[entry.name()].as_array().unwrap())
            {
                assert!(link.probabilities(DecisionRule::Sign, &[*z], &mut p));
                if entry == calibrate::Calibration::Isotonic {
                    // scikit-learn and the plain regression return 0 and 1; a model with isotonic
                    // calibration never does.
                    assert_near(entry.name(), plain.value(*z), want, 1e-7);
                    assert!(0.0 < p[1] && p[1] < 1.0, "{}", p[1]);
                } else {
                    assert_near(entry.name(), p[1], want, 2e-4);
                }
            }
        }
    }
}

#[test]
fn multiclass_metrics_match_scikit_learn() {
    for case in golden()["three"].as_array().unwrap() {
        let (target, weights) = (classes(&case["target"]), numbers(&case["weights"]));
        let p = numbers(&case["probabilities"]);
        let rows = || p.chunks_exact(3);
        let predicted: Vec<u32> = rows().map(|row| DecisionRule::ArgMax.class(row)).collect();
        let of_target: Vec<f64> = rows().zip(&target).map(|(row, &t)| row[t as usize]).collect();
        let near = |name: &str, got: f64| assert_near(name, got, &case[name], 1e-12);
        near("accuracy", accuracy(&target, &predicted, &weights));
        let confusion = Confusion::new(3, &target, &predicted, &weights);
        near("balanced_accuracy", confusion.balanced_accuracy().unwrap());
        near("correlation", confusion.correlation().unwrap());
        near("log_loss", log_loss(&of_target, &weights));
        near("brier", brier(&p, 3, &target, &weights));
    }
}
