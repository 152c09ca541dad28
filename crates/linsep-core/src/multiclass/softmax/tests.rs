//! Lower bounds hold everywhere, optima are optimal, and certificates hold.

use super::criterion::{SoftmaxObjective, SoftmaxState};
use super::*;
use crate::binary::{BinaryLearner, RegularizationStrength, RegularizedErm};
use crate::control::{Budget, Cancel, StopReason};
use crate::data::{Design, Labels};
use crate::math::rng::Rng;

/// Rows around k centers, some with a wrong class.
fn data(n: usize, d: usize, k: u64, seed: u64) -> (Design, Labels) {
    let mut rng = Rng::new(seed, 0);
    let centers: Vec<f64> = (0..k as usize * d).map(|_| 3.0 * rng.unit() - 1.5).collect();
    let (mut values, mut names) = (Vec::new(), Vec::new());
    for i in 0..n {
        let c = if i < k as usize { i } else { rng.below(k) as usize };
        values.extend((0..d).map(|j| centers[c * d + j] + 2.0 * rng.unit() - 1.0));
        let c = if rng.unit() < 0.1 { rng.below(k) as usize } else { c };
        names.push(format!("c{c}"));
    }
    (Design::dense(n, d, values).unwrap(), Labels::parse(names.iter().map(String::as_str)))
}

fn goal(tol: f64) -> StoppingCriteria {
    StoppingCriteria { tol, budget: Budget::epochs(200) }
}

/// Newton's method alone.
fn fit(problem: &Problem<'_>, l2: f64, intercept: bool, tol: f64) -> MulticlassFit {
    fit_by(problem, l2, intercept, tol, None)
}

/// Coordinate descent first, if a seed is given.
fn fit_by(
    problem: &Problem<'_>,
    l2: f64,
    intercept: bool,
    tol: f64,
    descend: Option<u64>,
) -> MulticlassFit {
    let criterion = SoftmaxObjective::new(problem, l2, intercept, Cancel::default());
    super::fit(problem, &criterion, descend, None, &goal(tol), &mut ())
}

/// Rows with few common features, in k classes separated by few features.
fn words(n: usize, d: u64, k: u64, seed: u64) -> (Design, Labels) {
    let mut rng = Rng::new(seed, 0);
    let (mut starts, mut columns, mut names) = (vec![0], Vec::new(), Vec::new());
    for i in 0..n as u64 {
        let class = if i < k { i } else { rng.below(k) };
        let mut row: Vec<u32> =
            (0..6).map(|_| (rng.below(d / 4) * 4 + (class + rng.below(2)) % 4) as u32).collect();
        row.sort_unstable();
        row.dedup();
        columns.extend(row);
        starts.push(columns.len());
        names.push(format!("c{class}"));
    }
    let values = (0..columns.len()).map(|_| 0.2 + rng.unit()).collect();
    let x = Design::sparse(d as usize, starts, columns, values).unwrap();
    (x, Labels::parse(names.iter().map(String::as_str)))
}

#[test]
fn dual_descent_reaches_the_optimum_of_newton() {
    for (seed, l2, intercept) in
        [(1, 1e-2, false), (2, 1e-3, true), (3, 1e-4, false), (4, 0.1, true)]
    {
        let (x, labels) = words(400, 200, 5, seed);
        let weights = (0..400).map(|i| f64::from(i % 3)).collect();
        let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
        let newton = fit(&problem, l2, intercept, 1e-10).certificate.unwrap().gap;
        let found = fit_by(&problem, l2, intercept, 1e-6, Some(7));
        let certificate = found.certificate.unwrap().gap;
        assert_eq!(found.stop, StopReason::Optimal);
        assert!(certificate.dual.unwrap().value <= newton.primal * (1.0 + 1e-12));
        assert!((-1e-9..=1.1e-6).contains(&(certificate.primal / newton.primal - 1.0)));
        if l2 >= 1e-2 {
            assert_eq!(found.solver, Some("dual-cd"), "{seed}");
        }
    }
}

#[test]
fn best_intercepts_satisfy_the_class_constraints() {
    let (x, labels) = data(300, 3, 4, 23);
    let weights = (0..300).map(|i| f64::from(i % 4)).collect();
    let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
    let criterion = SoftmaxObjective::new(&problem, 0.01, true, Cancel::default());
    let mut rng = Rng::new(23, 1);
    for scale in [0.0, 1.0, 20.0] {
        let mut weights: Vec<f64> = (0..16).map(|_| scale * (rng.unit() - 0.5)).collect();
        let before = SoftmaxState::at(&criterion, &weights).unwrap().value;
        let look = SoftmaxState::settled(&criterion, &mut weights).unwrap();
        assert!(look.value <= before * (1.0 + 1e-14));
        assert!(look.g[12..].iter().all(|r| r.abs() < 1e-12), "{:?}", &look.g[12..]);
        let again = SoftmaxState::at(&criterion, &weights).unwrap();
        assert!((again.value - look.value).abs() <= 1e-12 * look.value);
    }
}

#[test]
fn lower_bounds_hold_at_any_weights_and_are_tight_at_the_optimum() {
    for (seed, l2, intercept) in [(1, 0.1, true), (2, 1e-3, true), (3, 1e-2, false), (4, 1.0, true)]
    {
        let (x, labels) = data(120, 3, 4, seed);
        let weights = (0..120).map(|i| f64::from(i % 3) + 0.5).collect();
        let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
        let best = fit(&problem, l2, intercept, 1e-12);
        let least = best.certificate.unwrap().gap.primal;
        let dual = best.certificate.unwrap().gap.dual.unwrap();
        assert!(matches!(best.stop, StopReason::Optimal | StopReason::Stalled), "{:?}", best.stop);
        assert!(dual.gap <= 1e-11 * least, "{dual:?}");

        let criterion = SoftmaxObjective::new(&problem, l2, intercept, Cancel::default());
        let mut rng = Rng::new(seed, 1);
        for scale in [0.0, 0.01, 0.3, 3.0, 30.0] {
            let mut weights = criterion.weights(Some(&CoefficientMatrix::of(&best.hyperplanes)));
            weights.iter_mut().for_each(|w| *w += scale * (rng.unit() - 0.5));
            if !intercept {
                weights[criterion.penalized()..].fill(0.0);
            }
            let look = SoftmaxState::at(&criterion, &weights).unwrap();
            let bound = look.certificate(&criterion).dual.unwrap().value;
            assert!(look.value >= least * (1.0 - 1e-12), "no objective is below the optimum");
            assert!(bound <= least * (1.0 + 1e-12), "{bound} is above the optimum, {least}");
        }
    }
}

#[test]
fn the_gradient_is_that_of_the_value() {
    let (x, labels) = data(60, 3, 3, 7);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let criterion = SoftmaxObjective::new(&problem, 0.05, true, Cancel::default());
    let weights: Vec<f64> = (0..12).map(|j| f64::from(j).sin()).collect();
    let look = SoftmaxState::at(&criterion, &weights).unwrap();
    for j in 0..12 {
        let step = 1e-6;
        let at = |by: f64| {
            let mut moved = weights.clone();
            moved[j] += by;
            SoftmaxState::at(&criterion, &moved).unwrap().value
        };
        let slope = (at(step) - at(-step)) / (2.0 * step);
        assert!((slope - look.g[j]).abs() < 1e-8, "{j}: {slope} {}", look.g[j]);
    }
}

#[test]
fn hyperplanes_sum_to_zero_and_two_classes_are_logistic_regression() {
    let (x, labels) = data(200, 4, 2, 5);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let found = fit(&problem, 0.02, true, 1e-12);
    let logistic = RegularizedErm {
        strength: RegularizationStrength::Lambda(0.01),
        goal: goal(1e-12),
        ..RegularizedErm::default()
    };
    let hyperplane =
        logistic.fit(&problem.against_rest(1), Hyperplane::zero(4), &mut ()).unwrap().hyperplane;
    for j in 0..4 {
        let [first, second] = [0, 1].map(|c| found.hyperplanes[c].w[j]);
        assert!((first + second).abs() < 1e-10);
        assert!(
            (second - first - hyperplane.w[j]).abs() < 1e-5,
            "{} {}",
            second - first,
            hyperplane.w[j]
        );
    }
}

fn decide(x: &Design, hyperplanes: &[Hyperplane]) -> Vec<u32> {
    let classes =
        (0..hyperplanes.len()).map(|c| crate::data::Label::parse(&c.to_string())).collect();
    let model = crate::LinearModel::new(classes, hyperplanes.to_vec(), crate::DecisionRule::ArgMax)
        .unwrap();
    model.predict(x).unwrap()
}

#[test]
fn certified_predictions_are_those_of_the_optimum() {
    let mut certified = 0;
    for seed in 0..20 {
        let (x, labels) = data(150, 2, 3, seed);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let best = fit(&problem, 1e-2, true, 1e-13);
        for tol in [1e-1, 1e-2, 1e-4] {
            let rough = fit(&problem, 1e-2, true, tol);
            let (exact, ours) = (decide(&x, &best.hyperplanes), decide(&x, &rough.hyperplanes));
            let winners = rough.winners.unwrap();
            for (i, winner) in winners.iter().enumerate() {
                let Some(winner) = winner else { continue };
                assert_eq!((exact[i], ours[i]), (winner.class, winner.class), "row {i}");
                certified += 1;
            }
        }
    }
    assert!(certified > 3_000, "{certified} of 9000");
}

#[test]
fn separable_rows_without_a_penalty_have_no_optimum() {
    let x = Design::dense(3, 2, vec![1.0, 0.0, 0.0, 1.0, -1.0, -1.0]).unwrap();
    let labels = Labels::parse(["a", "b", "c"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let found = fit(&problem, 0.0, true, 1e-9);
    assert_eq!(found.stop, StopReason::NoMinimum);
    assert!(found.hyperplanes.iter().all(Hyperplane::is_finite));
}

#[test]
fn without_a_penalty_the_gradient_vanishes() {
    let (x, labels) = data(300, 2, 3, 11);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let found = fit(&problem, 0.0, true, 1e-8);
    assert_eq!(found.stop, StopReason::Optimal);
    assert!(found.certificate.unwrap().gap.gradient.unwrap() <= 1e-8);
}

#[test]
fn a_weight_of_two_equals_a_repeated_row_in_any_storage() {
    let (x, labels) = data(90, 3, 3, 13);
    let twice: Vec<usize> = (0..90).flat_map(|i| vec![i; 1 + i % 2]).collect();
    let weights = (0..90).map(|i| f64::from(1 + i % 2)).collect();
    let once = Problem::new(&x, &labels, Some(weights)).unwrap();
    let names: Vec<String> =
        twice.iter().map(|&i| labels.classes()[labels.codes()[i] as usize].to_string()).collect();
    let (long, names) = (x.select_rows(&twice), Labels::parse(names.iter().map(String::as_str)));
    let longer = Problem::new(&long, &names, None).unwrap();
    let starts: Vec<usize> = (0..=90).map(|i| 3 * i).collect();
    let indices = (0..270).map(|j| j % 3).collect();
    let sparse =
        Design::sparse(3, starts, indices, (0..90).flat_map(|i| x.row(i)).collect()).unwrap();
    let weights = (0..90).map(|i| f64::from(1 + i % 2)).collect();
    let thin = Problem::new(&sparse, &labels, Some(weights)).unwrap();
    for descend in [None, Some(3)] {
        let fits =
            [&once, &longer, &thin].map(|problem| fit_by(problem, 1e-2, true, 1e-12, descend));
        for other in &fits[1..] {
            for (a, b) in fits[0].hyperplanes.iter().zip(&other.hyperplanes) {
                assert!(a.w.iter().zip(&b.w).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn same_bits_for_any_thread_count() {
    let (x, labels) = data(5_000, 6, 5, 17);
    let problem = Problem::new(&x, &labels, None).unwrap();
    for descend in [None, Some(0)] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit_by(&problem, 1e-3, true, 1e-8, descend))
        };
        let one = on(1);
        assert_eq!(one, on(2));
        assert_eq!(one, on(5));
    }
}

#[test]
fn huge_values_give_finite_results() {
    let x = Design::dense(4, 1, vec![1e200, -1e200, 1e200, 1e-200]).unwrap();
    let labels = Labels::parse(["a", "b", "c", "a"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    for descend in [None, Some(0)] {
        let found = fit_by(&problem, 0.1, true, 1e-6, descend);
        assert!(found.hyperplanes.iter().all(Hyperplane::is_finite));
    }
}

#[test]
fn a_start_from_a_subset_reaches_the_same_optimum() {
    // An eighth of 3000 rows suffices for 16 weights; the last class has 3 rows, of which an eighth
    // may have none.
    let (x, labels) = data(3_000, 4, 3, 31);
    let mut codes = labels.codes().to_vec();
    [17, 900, 2_400].into_iter().for_each(|i| codes[i] = 3);
    let names: Vec<String> = codes.iter().map(|code| format!("c{code}")).collect();
    let labels = Labels::parse(names.iter().map(String::as_str));
    let weights = (0..3_000).map(|i| f64::from(i % 2) + 1.0).collect();
    let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
    for (l2, intercept) in [(1e-2, true), (1e-4, false), (1e-6, true)] {
        let criterion = SoftmaxObjective::new(&problem, l2, intercept, Cancel::default());
        let Some(start) = subset::start(&criterion, &goal(1e-8)) else { panic!("rows are plenty") };
        let zero = Start::zero(&criterion);
        let before = SoftmaxState::at(&criterion, &zero.weights).unwrap().value;
        let near = SoftmaxState::at(&criterion, &start.weights).unwrap().value;
        let look = SoftmaxState::at(&criterion, &zero.weights).unwrap();
        let from_zero = newton::minimize(&criterion, zero, look, 0, &goal(1e-10), &mut ());
        let best = from_zero.look.unwrap().value;
        assert!(near - best < 0.1 * (before - best), "{near} {best} {before}");
        let found = fit(&problem, l2, intercept, 1e-8);
        let certificate = found.certificate.unwrap().gap;
        assert_eq!((from_zero.stop, found.stop), (StopReason::Optimal, StopReason::Optimal));
        assert!((certificate.primal - best).abs() <= 2e-8 * best);
        assert!(certificate.dual.unwrap().value <= best * (1.0 + 1e-12));
    }
}
