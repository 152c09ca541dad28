//! Storage order of columns by frequency has no visible effect.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_core::learner::{self, Learner, Scheme};
use linsep_core::options::Options;
use linsep_core::{Design, Hyperplane, Labels, Problem, Trace};

const D: usize = 40_000;

/// Returns a generator of uniform numbers in [0, 1).
fn units(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Draws rows of three classes with a few frequent columns and many rare columns, as text has; once
/// in the given column order, once in storage order by frequency.
fn rows() -> (Design, Design, Labels) {
    const N: usize = 12_000;
    let mut unit = units(11);
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    let mut classes = Vec::new();
    for i in 0..N {
        let class = i % 3;
        let shift = |rank: usize| if rank.is_multiple_of(5) { rank + class } else { rank };
        let mut row: Vec<u32> = (0..60)
            .map(|_| (shift((unit().powi(4) * D as f64) as usize) * 9973 % D) as u32)
            .collect();
        row.sort_unstable();
        row.dedup();
        values.extend(row.iter().map(|_| f64::from((0.1 + 0.1 * unit()) as f32)));
        indices.extend(row);
        starts.push(indices.len());
        classes.push(["a", "b", "c"][class]);
    }
    let plain = Design::sparse(D, starts, indices, values).unwrap();
    let numbered = plain.clone().by_frequency();
    assert!(numbered.in_storage_order().is_some() && plain.in_storage_order().is_none());
    (plain, numbered, Labels::parse(classes))
}

fn learner(method: &str, multiclass: Option<Scheme>) -> Box<dyn Learner> {
    let mut options = Options { multiclass, ..Options::default() };
    if method == "perceptron" {
        options.epochs = Some(3);
    } else if method == "least-squares" {
        options = Options { lambda: Some(1e-2), ..Options::default() };
    } else {
        options.tol = Some(1e-6);
        options.lambda = Some(1e-2);
    }
    learner::by_name(method, &options).unwrap()
}

#[test]
fn coefficients_are_in_the_given_column_order() {
    let (plain, numbered, labels) = rows();
    assert_eq!(plain, numbered);
    let one = Problem::new(&plain, &labels, None).unwrap();
    let other = Problem::new(&numbered, &labels, None).unwrap();
    for (method, multiclass) in [
        ("logistic", Some(Scheme::OneVsRest)),
        ("logistic", Some(Scheme::Softmax)),
        ("logistic", Some(Scheme::OneVsOne)),
        ("svm", Some(Scheme::CrammerSinger)),
        ("perceptron", Some(Scheme::WinnerTakeAll)),
        ("least-squares", None),
    ] {
        let learner = learner(method, multiclass);
        let learn = |problem: &Problem<'_>, starts: Option<&[Hyperplane]>| {
            learner.learn(problem, starts, None, &mut ()).unwrap()
        };
        let (a, b) = (learn(&one, None), learn(&other, None));
        let hyperplanes = a.model.hyperplanes().iter().zip(b.model.hyperplanes());
        for (a, b) in hyperplanes {
            let far =
                a.w.iter()
                    .zip(&b.w)
                    .fold((a.b - b.b).abs(), |most, (a, b)| most.max((a - b).abs()));
            let size = a.w.iter().fold(1.0_f64, |most, w| most.max(w.abs()));
            // Perceptrons add the same rows, unless a row is within rounding of a hyperplane.
            let near = if method == "perceptron" { 1e-9 } else { 1e-3 };
            assert!(far <= near * size, "{method} {multiclass:?}: {far} of {size}");
        }
        assert_eq!(a.runs.len(), b.runs.len());
        assert!(
            b.runs
                .iter()
                .zip(b.model.hyperplanes())
                .all(|(run, hyperplane)| run.hyperplane == *hyperplane)
        );
        assert!((a.accuracy - b.accuracy).abs() < 1e-3, "{} {}", a.accuracy, b.accuracy);
        // Scores do not depend on the storage order of the scored rows.
        let scores = [&plain, &numbered].map(|x| b.model.scores(x).unwrap());
        assert!(scores[0].iter().zip(&scores[1]).all(|(a, b)| (a - b).abs() < 1e-9));
        assert_eq!(b.model.predict(&plain).unwrap(), b.model.predict(&numbered).unwrap());
        if method == "logistic" {
            let again = learn(&other, Some(b.model.hyperplanes()));
            assert!(again.epochs <= 1, "{multiclass:?}: it was there, but took {}", again.epochs);
        }
    }
}

#[test]
fn traces_show_the_given_column_order() {
    let (plain, numbered, labels) = rows();
    let learner = learner("perceptron", Some(Scheme::WinnerTakeAll));
    let traces = [&plain, &numbered].map(|x| {
        let problem = Problem::new(x, &labels, None).unwrap();
        let mut trace = Trace::new(5);
        learner.learn(&problem, None, None, &mut trace).unwrap();
        trace.records().to_vec()
    });
    assert_eq!(traces[0], traces[1]);
}

#[test]
fn warm_starts_of_wrong_length_are_refused() {
    let (_, numbered, labels) = rows();
    let problem = Problem::new(&numbered, &labels, None).unwrap();
    let starts = vec![Hyperplane::zero(3); 3];
    let error =
        learner("logistic", Some(Scheme::Softmax)).learn(&problem, Some(&starts), None, &mut ());
    assert_eq!(
        error.unwrap_err().to_string(),
        "coefficients of the starting point: expected \
        40000, found 3"
    );
}
