//! Invariances of every registered binary learner.
//!
//! The data are small integers, so that every sum is exact and results are compared for equality.
//! Solvers that minimize an objective stop near its minimum, not at one hyperplane: the invariances
//! of their optimum are in `optima.rs`.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_core::binary::BinaryFit;
use linsep_core::learner::{self, Build, Entry};
use linsep_core::math::rng::Rng;
use linsep_core::options::Options;
use linsep_core::prelude::*;
use proptest::prelude::*;

/// n rows of small integers with noisy labels, and integer weights 0 to 3.
struct Data {
    d: usize,
    rows: Vec<Vec<f64>>,
    labels: Vec<&'static str>,
    weights: Vec<f64>,
}

impl Data {
    fn new(seed: u64, n: usize, d: usize) -> Self {
        let mut rng = Rng::new(seed, 1);
        let rows: Vec<Vec<f64>> =
            (0..n).map(|_| (0..d).map(|_| rng.below(7) as f64 - 3.0).collect()).collect();
        let labels = rows
            .iter()
            .enumerate()
            .map(|(i, row)| match i {
                0 => "a", // both classes occur, with positive weight
                1 => "b",
                _ if (row[0] > 0.0) == (rng.unit() < 0.8) => "b",
                _ => "a",
            })
            .collect();
        let weights = (0..n).map(|i| if i < 2 { 1.0 } else { rng.below(4) as f64 }).collect();
        Self { d, rows, labels, weights }
    }

    fn dense(&self) -> Design {
        Design::dense(self.rows.len(), self.d, self.rows.concat()).unwrap()
    }

    fn sparse(&self) -> Design {
        let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
        for row in &self.rows {
            for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                indices.push(j as u32);
                values.push(v);
            }
            starts.push(indices.len());
        }
        Design::sparse(self.d, starts, indices, values).unwrap()
    }

    /// Repeats every row as often as its weight says.
    fn repeated(&self) -> Self {
        let copies = |i: usize| self.weights[i] as usize;
        let repeat = |i| std::iter::repeat_n(i, copies(i));
        let order: Vec<usize> = (0..self.rows.len()).flat_map(repeat).collect();
        Self {
            d: self.d,
            rows: order.iter().map(|&i| self.rows[i].clone()).collect(),
            labels: order.iter().map(|&i| self.labels[i]).collect(),
            weights: vec![1.0; order.len()],
        }
    }
}

/// The methods with binary learners.
fn solvers() -> impl Iterator<Item = &'static Entry> {
    learner::ALL.iter().filter(|entry| matches!(entry.build, Build::Solver(_)))
}

/// The perceptrons: binary learners that update on misclassified rows.
fn perceptrons() -> impl Iterator<Item = &'static Entry> {
    solvers().filter(|entry| !entry.takes.contains(&"tol"))
}

fn solve(entry: &Entry, x: &Design, data: &Data, weighted: bool, positive: usize) -> BinaryFit {
    let order = entry.takes.contains(&"order").then_some(Order::Cyclic);
    let labels = Labels::parse(data.labels.iter().copied());
    let problem = Problem::new(x, &labels, weighted.then(|| data.weights.clone())).unwrap();
    // With η = S the steps along a mean are integers, too.
    let eta = (entry.name == "gradient-descent").then(|| problem.weights().iter().sum());
    let options = Options { eta, epochs: Some(12), order, ..Options::default() };
    let Build::Solver(build) = entry.build else { panic!("{} is no solver", entry.name) };
    build(&options)
        .unwrap()
        .fit(&problem.against_rest(positive), Hyperplane::zero(data.d), &mut ())
        .unwrap()
}

/// Equality up to rounding: the average of the averaged perceptron divides.
fn close(a: &Hyperplane, b: &Hyperplane) -> bool {
    let scale = 1.0 + a.norm_sq().sqrt();
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * scale;
    a.w.iter().chain([&a.b]).zip(b.w.iter().chain([&b.b])).all(near)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn sample_weight_equals_repetition(seed in any::<u64>(), n in 2..12_usize, d in 1..4_usize) {
        let data = Data::new(seed, n, d);
        let repeated = data.repeated();
        for entry in perceptrons() {
            let a = solve(entry, &data.dense(), &data, true, 1);
            let b = solve(entry, &repeated.dense(), &repeated, false, 1);
            prop_assert!(close(&a.hyperplane, &b.hyperplane), "{}: {:?} {:?}", entry.name, a, b);
            prop_assert_eq!(a.mistakes, b.mistakes, "{}", entry.name);
            prop_assert_eq!(a.stop, b.stop, "{}", entry.name);
        }
    }

    #[test]
    fn same_bits_for_any_storage(seed in any::<u64>(), n in 2..20_usize, d in 1..6_usize) {
        let data = Data::new(seed, n, d);
        for entry in perceptrons() {
            let dense = solve(entry, &data.dense(), &data, true, 1);
            let sparse = solve(entry, &data.sparse(), &data, true, 1);
            prop_assert_eq!(dense, sparse, "{}", entry.name);
        }
    }

    #[test]
    fn swapping_the_classes_negates_the_hyperplane(seed in any::<u64>(), n in 2..20_usize, d in 1..6_usize) {
        let data = Data::new(seed, n, d);
        for entry in perceptrons() {
            let b = solve(entry, &data.dense(), &data, true, 1);
            let mut a = solve(entry, &data.dense(), &data, true, 0);
            a.hyperplane.w.iter_mut().for_each(|w| *w = -*w);
            a.hyperplane.b = -a.hyperplane.b;
            prop_assert_eq!(a, b, "{}", entry.name);
        }
    }

    #[test]
    fn permuting_the_columns_permutes_the_coefficients(seed in any::<u64>(), n in 2..20_usize, d in 1..6_usize) {
        let data = Data::new(seed, n, d);
        let reversed = Data {
            d,
            rows: data.rows.iter().map(|row| row.iter().rev().copied().collect()).collect(),
            labels: data.labels.clone(),
            weights: data.weights.clone(),
        };
        for entry in perceptrons() {
            let a = solve(entry, &data.dense(), &data, true, 1);
            let mut b = solve(entry, &reversed.dense(), &reversed, true, 1);
            b.hyperplane.w.reverse();
            prop_assert!(close(&a.hyperplane, &b.hyperplane), "{}", entry.name);
            prop_assert_eq!(a.mistakes, b.mistakes, "{}", entry.name);
        }
    }

    #[test]
    fn runs_respect_the_epoch_limit_and_results_are_finite(seed in any::<u64>(), n in 2..12_usize, exponent in -300..300_i32) {
        let mut data = Data::new(seed, n, 2);
        let scale = 10.0_f64.powi(exponent);
        data.rows.iter_mut().flatten().for_each(|v| *v *= scale);
        for entry in solvers() {
            let solution = solve(entry, &data.dense(), &data, true, 1);
            prop_assert!(solution.hyperplane.is_finite(), "{}", entry.name);
            prop_assert!(solution.epochs <= 12, "{}", entry.name);
        }
    }
}

#[test]
fn same_seed_gives_the_same_run() {
    let data = Data::new(5, 30, 3);
    let x = data.dense();
    let labels = Labels::parse(data.labels.iter().copied());
    let problem = Problem::new(&x, &labels, None).unwrap();
    let run = |seed| {
        let options = Options {
            epochs: Some(7),
            order: Some(Order::Random),
            seed: Some(seed),
            ..Options::default()
        };
        let learner = learner::by_name("perceptron", &options).unwrap();
        let mut trace = Trace::new(1000);
        learner.learn(&problem, None, None, &mut trace).unwrap();
        trace.records().to_vec()
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}
