//! Properties of every multiclass scheme with every method that supports the scheme.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_core::learner::{self, Build, FitResult, Learner, Scheme};
use linsep_core::math::rng::Rng;
use linsep_core::options::Options;
use linsep_core::prelude::*;

/// Rows around k centers, with label noise; small integers, so that sums are exact.
struct Data {
    d: usize,
    rows: Vec<Vec<f64>>,
    labels: Vec<String>,
    weights: Vec<f64>,
}

impl Data {
    fn new(seed: u64, n: usize, d: usize, k: usize) -> Self {
        let mut rng = Rng::new(seed, 1);
        let centers: Vec<Vec<f64>> =
            (0..k).map(|_| (0..d).map(|_| rng.below(13) as f64 - 6.0).collect()).collect();
        let class = |i: usize| i % k;
        let near = |rng: &mut Rng, c: usize| -> Vec<f64> {
            centers[c].iter().map(|v| v + rng.below(5) as f64 - 2.0).collect()
        };
        let rows = (0..n).map(|i| near(&mut rng, class(i))).collect();
        let labels = (0..n).map(|i| format!("c{:03}", class(i))).collect();
        let weights = (0..n).map(|i| if i < k { 1.0 } else { rng.below(4) as f64 }).collect();
        Self { d, rows, labels, weights }
    }

    fn x(&self) -> Design {
        Design::dense(self.rows.len(), self.d, self.rows.concat()).unwrap()
    }

    fn parsed(&self) -> Labels {
        Labels::parse(self.labels.iter().map(String::as_str))
    }

    fn fit(&self, learner: &dyn Learner, weighted: bool) -> FitResult {
        let (x, labels) = (self.x(), self.parsed());
        let weights = weighted.then(|| self.weights.clone());
        let problem = Problem::new(&x, &labels, weights).unwrap();
        learner.learn(&problem, None, None, &mut ()).unwrap()
    }

    /// Repeats every row as often as its weight says.
    fn repeated(&self) -> Self {
        let repeat = |i: usize| std::iter::repeat_n(i, self.weights[i] as usize);
        let order: Vec<usize> = (0..self.rows.len()).flat_map(repeat).collect();
        Self {
            d: self.d,
            rows: order.iter().map(|&i| self.rows[i].clone()).collect(),
            labels: order.iter().map(|&i| self.labels[i].clone()).collect(),
            weights: vec![1.0; order.len()],
        }
    }
}

/// Every method with every scheme that the method supports.
fn pairs(epochs: u64, tol: f64) -> Vec<(&'static str, Scheme, Box<dyn Learner>)> {
    let mut pairs: Vec<(&'static str, Scheme, Box<dyn Learner>)> = Vec::new();
    for entry in learner::ALL.iter().filter(|entry| matches!(entry.build, Build::Solver(_))) {
        for scheme in Scheme::ALL {
            let order = entry.takes.contains(&"order").then_some(Order::Cyclic);
            // Solvers with a tolerance stop near the common optimum; the others after a bounded
            // number of steps.
            let exact = entry.takes.contains(&"tol");
            let options = Options {
                multiclass: Some(scheme),
                epochs: Some(if exact { 2_000 } else { epochs }),
                tol: exact.then_some(tol),
                order,
                ..Options::default()
            };
            if let Ok(learner) = learner::by_name(entry.name, &options) {
                pairs.push((entry.name, scheme, learner));
            }
        }
    }
    assert!(pairs.len() > 8 * 3 + 3 * 2, "{}", pairs.len());
    pairs
}

fn close(a: &FitResult, b: &FitResult, by: f64) -> bool {
    let numbers = |fit: &FitResult| -> Vec<f64> {
        fit.model.hyperplanes().iter().flat_map(|p| p.w.iter().chain([&p.b]).copied()).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    let scale = 1.0 + a.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= by * scale)
}

#[test]
fn same_bits_for_any_thread_count() {
    let in_pool = |threads: usize, learner: &dyn Learner, data: &Data| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| data.fit(learner, true))
    };
    let data = Data::new(11, 1_300, 3, 5);
    for (name, scheme, learner) in pairs(4, 1e-2) {
        let one = in_pool(1, learner.as_ref(), &data);
        for threads in [2, 5] {
            let many = in_pool(threads, learner.as_ref(), &data);
            assert_eq!(one.model, many.model, "{name} {}", scheme.name());
            assert_eq!((one.stop, one.updates), (many.stop, many.updates));
        }
    }
}

#[test]
fn sample_weight_equals_repetition() {
    for seed in 0..5 {
        let data = Data::new(seed, 24, 2, 3);
        let repeated = data.repeated();
        for (name, scheme, learner) in pairs(12, 1e-4) {
            let (a, b) = (data.fit(learner.as_ref(), true), repeated.fit(learner.as_ref(), false));
            let what = format!("{name} {} {seed}", scheme.name());
            let exact = learner.settings().iter().any(|(name, _)| *name == "tol");
            if exact {
                let (a, b) = (a.objective.unwrap(), b.objective.unwrap());
                assert!((a - b).abs() <= 2e-4 * a, "{what}: {a} {b}");
            } else if name != "gradient-descent" {
                // The gradient divides by the total weight and is not exact; the perceptrons are.
                assert!(close(&a, &b, 1e-11), "{what}");
                assert_eq!((a.mistakes, a.stop), (b.mistakes, b.stop), "{what}");
            }
        }
    }
}

#[test]
fn two_classes_use_the_binary_learner_for_any_scheme() {
    let data = Data::new(2, 40, 3, 2);
    for (name, scheme, learner) in pairs(20, 1e-3) {
        let plain = learner.as_reduced().unwrap().solver.as_ref();
        let (x, labels) = (data.x(), data.parsed());
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = learner::fit(&problem, plain, None, &mut ()).unwrap();
        let fit = data.fit(learner.as_ref(), false);
        assert_eq!(fit.model, binary.model, "{name} {}", scheme.name());
        assert_eq!((fit.multiclass, fit.model.decision_rule()), (None, DecisionRule::Sign));
    }
}

#[test]
fn singleton_classes_and_more_classes_than_columns_are_supported() {
    let mut data = Data::new(5, 41, 1, 5);
    data.rows.push(vec![40.0]);
    data.labels.push("single".to_owned());
    data.weights.push(1.0);
    for (name, scheme, learner) in pairs(30, 1e-2) {
        let fit = data.fit(learner.as_ref(), false);
        assert_eq!(fit.model.hyperplanes().len(), scheme.decide().hyperplanes(6), "{name}");
        assert!(
            fit.model.hyperplanes().iter().all(Hyperplane::is_finite),
            "{name} {}",
            scheme.name()
        );
        assert_eq!(fit.multiclass, Some(scheme));
    }
}

/// One dimension, one row per class: every class except the first and last lies between others.
#[test]
fn a_thousand_classes_are_supported() {
    let k = 1_000;
    let data = Data {
        d: 2,
        // On a parabola each point is a vertex of the hull, so the classes are separable by argmax.
        rows: (0..k).map(|c| (f64::from(c) - 499.5) / 500.0).map(|t| vec![t, t * t]).collect(),
        labels: (0..k).map(|c| c.to_string()).collect(),
        weights: vec![1.0; k as usize],
    };
    for scheme in
        [Scheme::OneVsRest, Scheme::OneVsRestButLast, Scheme::WinnerTakeAll, Scheme::Kesler]
    {
        let options = Options { multiclass: Some(scheme), epochs: Some(2), ..Options::default() };
        let fit = data.fit(learner::by_name("perceptron", &options).unwrap().as_ref(), false);
        assert_eq!(
            (fit.model.k(), fit.model.hyperplanes().len()),
            (1_000, scheme.decide().hyperplanes(1_000))
        );
    }
    let options = Options {
        multiclass: Some(Scheme::CrammerSinger),
        lambda: Some(0.1),
        epochs: Some(3),
        ..Options::default()
    };
    let fit = data.fit(learner::by_name("svm", &options).unwrap().as_ref(), false);
    assert!(fit.bound.unwrap() <= fit.objective.unwrap() && fit.model.k() == 1_000);
}

#[test]
fn one_vs_one_of_120_classes_has_7140_hyperplanes() {
    let data = Data::new(1, 360, 3, 120);
    let options =
        Options { multiclass: Some(Scheme::OneVsOne), epochs: Some(20), ..Options::default() };
    let fit = data.fit(learner::by_name("perceptron", &options).unwrap().as_ref(), false);
    assert_eq!(fit.model.hyperplanes().len(), 7_140);
    assert!(fit.accuracy > 0.5, "{}", fit.accuracy);
}

/// The lectures' objection to reductions: the center of a triangle of three classes is ambiguous
/// for votes and for k − 1 hyperplanes.
#[test]
fn rows_in_ambiguous_regions_are_detected() {
    // Three hyperplanes around the center: each point inside has one vote per class.
    let hyperplane = |w: [f64; 2], b| Hyperplane { w: w.to_vec(), b };
    let classes = ["a", "b", "c"].map(Label::parse).to_vec();
    let turn = vec![
        hyperplane([1.0, 0.0], 0.5),
        hyperplane([-1.0, -1.0], -0.5),
        hyperplane([0.0, 1.0], 0.5),
    ];
    let model = LinearModel::new(classes.clone(), turn, DecisionRule::Vote).unwrap();
    let x = Design::dense(3, 2, vec![0.0, 0.0, -10.0, 10.0, 10.0, 10.0]).unwrap();
    let scores = model.scores(&x).unwrap();
    let open: Vec<bool> =
        scores.chunks(3).map(|row| model.decision_rule().ambiguous(row)).collect();
    assert_eq!(open, [true, false, true]);
    let two = vec![hyperplane([1.0, 0.0], 0.0), hyperplane([0.0, 1.0], 0.0)];
    let model = LinearModel::new(classes, two, DecisionRule::OneOrLast).unwrap();
    let scores = model.scores(&x).unwrap();
    let open: Vec<bool> =
        scores.chunks(2).map(|row| model.decision_rule().ambiguous(row)).collect();
    assert_eq!(open, [true, false, true], "on both hyperplanes, on one side, between them");
    assert_eq!(model.predict(&x).unwrap(), [0, 1, 0]);
}
