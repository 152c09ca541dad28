//! The worked examples of the lectures.

use crate::harness::{assert_close, example, fit};
use linsep::core::Hyperplane;
use linsep::core::binary::Tie;
use linsep::core::control::Record;
use linsep::jobs::{Trace, TraceOutcome};
use linsep::prelude::*;

/// The steps of a method on an example.
fn trace(name: &str, method: Method, positive: &str, start: &[f64]) -> TraceOutcome {
    let mut trace = Trace::default();
    trace.run.method = method;
    trace.run.positive = Some(Label::parse(positive));
    trace.run.start = start.to_vec();
    trace.run(example(name)).unwrap()
}

#[test]
fn batch_perceptron_example() {
    let trace = trace("gales.csv", Method::batch_perceptron(), "w1", &[0.0, 1.0, -0.5]);
    assert_eq!(trace.method, "batch-perceptron");
    assert_eq!(trace.columns, ["x1", "x2"]);
    assert_eq!(trace.classes[trace.positive.unwrap()], Label::parse("w1"));
    assert_eq!(trace.stop, StopReason::Separated);
    let [
        Record::Batch { step: 0, scores, mistakes, criterion, .. },
        Record::Batch { step: 1, hyperplane, scores: after, mistakes: none, criterion: zero },
    ] = &trace.steps[..]
    else {
        panic!("two steps: {trace:?}")
    };

    // The scores of ω1 and ω2 under the first estimate, and Y[0] = {1, 4 of ω1; 2, 3 of ω2}.
    assert_close(scores, &[-0.5, 0.5, 0.1, -0.1, -0.5, 0.5, 0.5, -0.1], 1e-12);
    assert_eq!(mistakes[..], [0, 3, 5, 6]);
    assert_close(&[*criterion], &[0.5 + 0.1 + 0.5 + 0.5], 1e-12);

    // One update, and the scores under it.
    assert_close(&hyperplane.w, &[1.45, -0.6], 1e-12);
    assert_close(&[hyperplane.b], &[-0.5], 1e-12);
    assert_close(after, &[0.95, 0.35, 0.01, 0.275, -0.5, -1.1, -0.7375, -0.305], 1e-12);
    assert!(none.is_empty() && *zero == 0.0, "{none:?} {zero}");
}

#[test]
fn rosenblatt_rule_by_row() {
    let method = Method::perceptron().tie(Tie::Negative).eta(1.0);
    let trace = trace("rosenblatt.csv", method, "pos", &[]);
    // Row, W·X, y, updated, (w0, w1, w2) after: the lecture's table.
    let table = [
        (0, 0.0, -1, true, [1.0, 1.0, 1.0]),
        (1, 1.0, 1, false, [1.0, 1.0, 1.0]),
        (2, 0.0, -1, true, [2.0, 1.0, 0.0]),
        (3, 1.0, 1, true, [1.0, 2.0, 1.0]),
        (4, 0.0, -1, false, [1.0, 2.0, 1.0]),
        (5, 2.0, 1, true, [0.0, 2.0, 0.0]),
        (0, 2.0, 1, false, [0.0, 2.0, 0.0]),
    ];
    let targets = [1, 1, 1, -1, -1, -1, 1];
    assert!(trace.steps.len() > table.len());
    for ((step, expected), side) in trace.steps.iter().zip(table).zip(targets) {
        let Record::Row { row, z, predicted, target, updated, hyperplane, .. } = step else {
            panic!("one row per step: {step:?}")
        };
        let [w1, w2] = hyperplane.w[..] else { panic!("two coefficients: {step:?}") };
        let found = (*row, *z, *predicted, *updated, [hyperplane.b, w1, w2]);
        assert_eq!((found, *target), (expected, side));
    }

    // Training continues until an epoch makes no update, and ends at (1, 2, −1).
    let last = &trace.steps[trace.steps.len() - 6..];
    let end = Hyperplane { w: vec![2.0, -1.0], b: 1.0 };
    let unchanged = |step: &Record| matches!(step, Record::Row { updated: false, hyperplane, .. } if *hyperplane == end);
    assert!(last.iter().all(unchanged), "{last:?}");
    assert_eq!(trace.stop, StopReason::Separated);
}

#[test]
fn every_method_ends_without_error_on_xor() {
    for method in [
        Method::perceptron(),
        Method::batch_perceptron(),
        Method::averaged_perceptron(),
        Method::pocket(),
        Method::gradient_descent(),
    ] {
        let found = fit(method.clone(), &example("xor.csv")).fit;
        let ends = [StopReason::Stalled, StopReason::IterationLimit];
        assert!(ends.contains(&found.stop), "{method:?}: {:?}", found.stop);
        assert!(found.mistakes >= 1.0, "{method:?}");
    }
}
