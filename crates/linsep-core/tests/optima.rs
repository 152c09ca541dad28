//! Every valid combination of loss, penalty, solver, storage and intercept reaches the same
//! optimum, and no certificate claims more than is true.
//!
//! Over 400 lines: all claims share the runs and the data of this file.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_core::binary::{BinaryFit, RegularizationStrength, RegularizedErm};
use linsep_core::learner::{Learner, MulticlassLearner};
use linsep_core::loss::{self, Loss};
use linsep_core::math::rng::Rng;
use linsep_core::objective::Objective;
use linsep_core::options;
use linsep_core::penalty::Penalty;
use linsep_core::prelude::*;
use linsep_core::solvers::{self, SolverResult, StoppingCriteria};

/// Noisy rows with columns of different scale, sample weights 0 to 3, in both storages.
struct Data {
    designs: [Design; 2],
    labels: Labels,
    weights: Vec<f64>,
}

impl Data {
    fn new(seed: u64, n: usize, d: usize) -> Self {
        let mut rng = Rng::new(seed, 9);
        let mut values = Vec::with_capacity(n * d);
        let mut labels = Vec::with_capacity(n);
        for i in 0..n {
            let row: Vec<f64> = (0..d)
                .map(|j| if rng.unit() < 0.4 { 0.0 } else { (rng.unit() - 0.4) * (1.0 + j as f64) })
                .collect();
            let score =
                row.iter().zip(0..).map(|(v, j)| if j % 2 == 0 { *v } else { -v }).sum::<f64>();
            let yes = score + 2.0 * (rng.unit() - 0.5) > 0.3;
            labels.push(if i == 0 || i > 1 && yes { "b" } else { "a" });
            values.extend(row);
        }
        let weights = (0..n).map(|i| if i < 2 { 1.0 } else { rng.below(4) as f64 }).collect();
        let (mut starts, mut indices, mut stored) = (vec![0], vec![], vec![]);
        for row in values.chunks(d) {
            for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                indices.push(j as u32);
                stored.push(v);
            }
            starts.push(indices.len());
        }
        let designs = [
            Design::dense(n, d, values).unwrap(),
            Design::sparse(d, starts, indices, stored).unwrap(),
        ];
        Self { designs, labels: Labels::parse(labels), weights }
    }
}

fn run(
    name: &str,
    (x, data): (&Design, &Data),
    loss: &dyn Loss,
    penalty: Penalty,
    intercept: bool,
    tol: f64,
) -> Option<SolverResult> {
    let problem = Problem::new(x, &data.labels, Some(data.weights.clone())).unwrap();
    let binary = problem.against_rest(1);
    let objective = Objective::new(&binary, loss, penalty, intercept).unwrap();
    let way = solvers::by_name(name, &solvers::Options::default()).unwrap();
    if way.unmet_requirement(&objective).is_some() {
        return None;
    }
    let goal = StoppingCriteria { tol, budget: Budget::epochs(100_000) };
    let found = way.solve(&objective, Hyperplane::zero(x.d()), &goal, &mut ());
    // The certificate refers to the returned hyperplane.
    let mut m = vec![0.0; x.n()];
    objective.margins(&found.hyperplane, &mut m);
    let value = objective.value(&found.hyperplane, &m);
    assert!((value - found.certificate.primal).abs() <= 1e-12 * (1.0 + value), "{name}");
    assert!(found.hyperplane.is_finite());
    Some(found)
}

/// Tolerance that each solver reaches within the time of a test.
fn tol_of(name: &str) -> f64 {
    match name {
        "sgd" => 3e-2,
        "gradient-descent" => 1e-4,
        "smoothing" => 1e-7,
        "interior-point" => 1e-8,
        _ => 1e-9,
    }
}

#[test]
fn all_solvers_reach_the_same_optimum() {
    let data = Data::new(4, 120, 5);
    for loss in loss::ALL {
        for entry in options::Penalty::ALL.into_iter().filter(|e| *e != options::Penalty::None) {
            let penalty = entry.with(0.02, 0.4).unwrap();
            for intercept in [true, false] {
                let mut least = f64::INFINITY;
                let mut bound = f64::NEG_INFINITY;
                let mut met = Vec::new();
                for way in solvers::all(&solvers::Options::default()) {
                    let corner = ["dual-cd", "smoothing", "interior-point"];
                    if loss.curvature_bound().is_none() && !corner.contains(&way.name()) {
                        continue; // subgradient methods have a separate test
                    }
                    for x in &data.designs {
                        let tol = tol_of(way.name());
                        let Some(found) =
                            run(way.name(), (x, &data), *loss, penalty, intercept, tol)
                        else {
                            continue;
                        };
                        let what = format!(
                            "{} by {} with {} ({intercept}): {:?}",
                            loss.name(),
                            way.name(),
                            entry.name(),
                            found
                        );
                        // The minimum of the perceptron criterion, at h = 0, is 0.
                        let degenerate = found.certificate.primal < 1e-12;
                        assert!(found.stop == StopReason::Optimal || degenerate, "{what}");
                        least = least.min(found.certificate.primal);
                        bound = bound.max(found.certificate.dual.unwrap().value);
                        met.push((what, found));
                    }
                }
                // No lower bound of any solver exceeds any objective value of any solver.
                for (what, found) in &met {
                    let rounding = 1e-13 * (1.0 + least);
                    assert!(bound <= found.certificate.primal + rounding, "{bound} {what}");
                    let gap = found.certificate.dual.unwrap().gap;
                    assert!(found.certificate.primal - least <= gap + rounding, "{least} {what}");
                }
                assert!(!met.is_empty());
            }
        }
    }
}

/// Any tolerance is valid, however large: the certified gap is at most the tolerance.
#[test]
fn large_tolerances_are_met() {
    let data = Data::new(5, 60, 4);
    for way in solvers::all(&solvers::Options::default()) {
        for loss in loss::ALL {
            for tol in [100.0, 1.0, 0.5, 0.1, 0.01] {
                let x = &data.designs[0];
                let penalty = Penalty::l2(0.05);
                let Some(found) = run(way.name(), (x, &data), *loss, penalty, true, tol) else {
                    continue;
                };
                let reached = found.certificate.reaches(tol) || found.stop != StopReason::Optimal;
                assert!(reached, "{} by {} at {tol}: {found:?}", loss.name(), way.name());
            }
        }
    }
}

/// Accurate solvers for each penalty.
fn accurate_solvers(penalty: &str) -> &'static [&'static str] {
    if penalty == "l2" { &["newton", "newton-cg", "lbfgs", "dual-cd"] } else { &["working-set-cd"] }
}

/// Returns the solution for given rows, labels and weights.
fn minimum(
    x: &Design,
    labels: &[&str],
    weights: &[f64],
    positive: usize,
    penalty: &str,
    way: &str,
) -> SolverResult {
    let labels = Labels::parse(labels.iter().copied());
    let problem = Problem::new(x, &labels, Some(weights.to_vec())).unwrap();
    let binary = problem.against_rest(positive);
    let penalty = penalty.parse::<options::Penalty>().unwrap().with(0.02, 0.4).unwrap();
    let objective = Objective::new(&binary, &loss::Logistic, penalty, true).unwrap();
    let goal = StoppingCriteria { tol: 1e-12, budget: Budget::epochs(100_000) };
    solvers::by_name(way, &solvers::Options::default()).unwrap().solve(
        &objective,
        Hyperplane::zero(x.d()),
        &goal,
        &mut (),
    )
}

fn same(a: &SolverResult, b: &SolverResult, what: &str) {
    let (p, q) = (a.certificate.primal, b.certificate.primal);
    assert!((p - q).abs() <= 1e-11 * p, "{what}: {p} {q}");
    for (v, w) in a
        .hyperplane
        .w
        .iter()
        .chain([&a.hyperplane.b])
        .zip(b.hyperplane.w.iter().chain([&b.hyperplane.b]))
    {
        assert!((v - w).abs() <= 1e-4, "{what}: {a:?} {b:?}");
    }
}

/// Sample weights, the order of rows and columns, and the names of the classes do not change the
/// optimum.
#[test]
fn the_optimum_is_invariant() {
    let (n, d) = (60, 4);
    let data = Data::new(11, n, d);
    let x = &data.designs[0];
    let rows: Vec<Vec<f64>> = (0..n).map(|i| x.row(i)).collect();
    let names: Vec<&str> =
        data.labels.codes().iter().map(|&c| if c == 0 { "a" } else { "b" }).collect();
    for penalty in ["l2", "l1", "elastic-net"] {
        for way in accurate_solvers(penalty) {
            let base = minimum(x, &names, &data.weights, 1, penalty, way);

            let twice: Vec<usize> =
                (0..n).flat_map(|i| std::iter::repeat_n(i, data.weights[i] as usize)).collect();
            let repeated: Vec<f64> = twice.iter().flat_map(|&i| rows[i].clone()).collect();
            let design = Design::dense(twice.len(), d, repeated).unwrap();
            let labels: Vec<&str> = twice.iter().map(|&i| names[i]).collect();
            let other = minimum(&design, &labels, &vec![1.0; twice.len()], 1, penalty, way);
            same(&base, &other, &format!("{way}: sample weight 2 equals a repeated row"));

            let back = Design::dense(n, d, rows.iter().rev().flatten().copied().collect()).unwrap();
            let labels: Vec<&str> = names.iter().rev().copied().collect();
            let weights: Vec<f64> = data.weights.iter().rev().copied().collect();
            let other = minimum(&back, &labels, &weights, 1, penalty, way);
            same(&base, &other, &format!("{way}: order of rows"));

            let turned: Vec<f64> = rows.iter().flat_map(|row| row.iter().rev().copied()).collect();
            let turned = Design::dense(n, d, turned).unwrap();
            let mut other = minimum(&turned, &names, &data.weights, 1, penalty, way);
            other.hyperplane.w.reverse();
            same(&base, &other, &format!("{way}: order of columns"));

            let mut other = minimum(x, &names, &data.weights, 0, penalty, way);
            other.hyperplane.scale(-1.0);
            same(&base, &other, &format!("{way}: names of classes"));
        }
    }
}

/// Without a penalty, the units of a column have no effect.
#[test]
fn unpenalized_optimum_is_independent_of_units() {
    let data = Data::new(5, 150, 3);
    let x = &data.designs[0];
    let scaled: Vec<f64> = (0..x.n())
        .flat_map(|i| {
            let row = x.row(i);
            [row[0] * 1e6, row[1], row[2] * 1e-6]
        })
        .collect();
    let scaled = Design::dense(x.n(), 3, scaled).unwrap();
    let none = Penalty::default();
    let a = run("newton", (x, &data), &loss::Logistic, none, true, 1e-10).unwrap();
    let b = run("newton", (&scaled, &data), &loss::Logistic, none, true, 1e-10).unwrap();
    assert!((a.certificate.primal - b.certificate.primal).abs() < 1e-12);
    for (j, scale) in [1e6, 1.0, 1e-6].into_iter().enumerate() {
        assert!(
            (a.hyperplane.w[j] / (b.hyperplane.w[j] * scale) - 1.0).abs() < 1e-4,
            "{a:?} {b:?}"
        );
    }
}

/// The rows suffice for every pass to be split among threads.
#[test]
fn same_bits_for_any_thread_count() {
    let data = Data::new(8, 6_000, 12);
    for way in solvers::all(&solvers::Options::default()) {
        for x in &data.designs {
            let in_pool = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let penalty = if way.name() == "working-set-cd" {
                    Penalty::l1(0.01)
                } else {
                    Penalty::l2(0.01)
                };
                let tol = tol_of(way.name()).max(1e-6);
                let loss: &dyn Loss = if ["smoothing", "interior-point"].contains(&way.name()) {
                    &loss::Hinge
                } else {
                    &loss::Logistic
                };
                pool.install(|| run(way.name(), (x, &data), loss, penalty, true, tol).unwrap())
            };
            let one = in_pool(1);
            assert_eq!(one, in_pool(2), "{}", way.name());
            assert_eq!(one, in_pool(5), "{}", way.name());
        }
    }
}

/// Thousands of fits with large tolerances: no certified prediction differs from the prediction at
/// the optimum, and the radius is valid.
#[test]
fn certified_predictions_equal_those_of_the_optimum() {
    let (mut certified, mut rows) = (0, 0);
    for seed in 0..120 {
        let data = Data::new(seed, 30 + (seed as usize % 40), 1 + (seed as usize % 4));
        let x = &data.designs[seed as usize % 2];
        let problem = Problem::new(x, &data.labels, Some(data.weights.clone())).unwrap();
        let positive = (problem.labels().k() == 2).then_some(1);
        for loss in loss::ALL.iter().filter(|loss| loss.name() != "perceptron") {
            for intercept in [true, false] {
                let lambda = 10.0_f64.powi(-1 - (seed % 3) as i32);
                let fit = |tol| {
                    let convex = RegularizedErm {
                        loss: *loss,
                        strength: RegularizationStrength::Lambda(lambda),
                        solver: options::Solver::DualCd,
                        goal: StoppingCriteria { tol, budget: Budget::epochs(20_000) },
                        intercept,
                        ..RegularizedErm::default()
                    };
                    let learner = MulticlassLearner::new(Box::new(convex));
                    learner.learn(&problem, None, positive, &mut ()).unwrap()
                };
                let best = fit(1e-13);
                let exact = best.model.scores(x).unwrap();
                for tol in [0.3, 0.03, 1e-3] {
                    let loose = fit(tol);
                    for (own, exact) in loose.runs.iter().zip(&best.runs) {
                        let radius = |run: &BinaryFit| run.certificate.unwrap().radius.unwrap();
                        let far: f64 = own
                            .hyperplane
                            .w
                            .iter()
                            .zip(&exact.hyperplane.w)
                            .map(|(a, b)| (a - b).powi(2))
                            .sum();
                        assert!(far.sqrt() <= radius(own) + radius(exact), "{}", loss.name());
                    }
                    let (ours, theirs) =
                        (loose.model.predict(x).unwrap(), best.model.predict(x).unwrap());
                    for (i, certified) in loose.certified().unwrap().iter().enumerate() {
                        // A near tie is not decided by a reference with tolerance 1e-13.
                        let z = &exact[i * best.model.hyperplanes().len()..]
                            [..best.model.hyperplanes().len()];
                        let near =
                            best.model.operating_point().margin(best.model.decision_rule(), z)
                                < 1e-5;
                        assert!(!certified || near || ours[i] == theirs[i], "{} {i}", loss.name());
                    }
                    certified += loose.certified().unwrap().iter().filter(|own| **own).count();
                    rows += x.n();
                }
            }
        }
    }
    assert!(certified as f64 > 0.4 * rows as f64, "{certified} of {rows}");
}

/// Fits the given rows by every solver that supports the objective.
fn fit_by_every_solver(
    rows: &[&[f64]],
    labels: &[&str],
    penalty: Penalty,
    check: impl Fn(&str, &SolverResult),
) {
    let d = rows[0].len();
    let x = Design::dense(rows.len(), d, rows.concat()).unwrap();
    let labels = Labels::parse(labels.iter().copied());
    let problem = Problem::new(&x, &labels, None).unwrap();
    let binary = problem.against_rest(1);
    for loss in loss::ALL {
        for intercept in [true, false] {
            let objective = Objective::new(&binary, *loss, penalty, intercept).unwrap();
            for way in solvers::all(&solvers::Options::default()) {
                if way.unmet_requirement(&objective).is_some() {
                    continue;
                }
                let goal = StoppingCriteria { tol: 1e-3, budget: Budget::epochs(300) };
                let found = way.solve(&objective, Hyperplane::zero(d), &goal, &mut ());
                let what = format!("{} by {}: {:?}", loss.name(), way.name(), found.stop);
                assert!(found.hyperplane.is_finite(), "{what}");
                assert!(found.certificate.primal.is_finite(), "{what}");
                check(&what, &found);
            }
        }
    }
}

const PENALTIES: [Penalty; 4] = [
    Penalty { l1: 0.0, l2: 0.1 },
    Penalty { l1: 0.1, l2: 0.0 },
    Penalty { l1: 0.05, l2: 0.05 },
    Penalty { l1: 0.0, l2: 0.0 },
];

#[test]
fn degenerate_rows_give_finite_coefficients() {
    let sides = ["a", "b", "a", "b"];
    type Case<'a> = (&'a str, Vec<&'a [f64]>, &'a [&'a str]);
    let cases: [Case<'_>; 6] = [
        ("two rows", vec![&[0.0], &[1.0]], &["a", "b"]),
        ("a constant column", vec![&[1.0, 7.0], &[2.0, 7.0], &[1.5, 7.0], &[3.0, 7.0]], &sides),
        ("the same column twice", vec![&[1.0, 2.0], &[2.0, 4.0], &[1.5, 3.0], &[0.5, 1.0]], &sides),
        ("rows of zeros", vec![&[0.0], &[0.0], &[0.0], &[1.0]], &sides),
        (
            "more columns than rows",
            vec![&[1.0, 0.0, 2.0, 0.5, 3.0], &[0.0, 1.0, 0.0, 0.5, -1.0]],
            &["a", "b"],
        ),
        ("nothing but zeros", vec![&[0.0], &[0.0]], &["a", "b"]),
    ];
    for (name, rows, labels) in &cases {
        for penalty in PENALTIES {
            fit_by_every_solver(rows, labels, penalty, |what, found| {
                assert!(found.stop != StopReason::Diverged, "{name}: {what}");
            });
        }
    }
}

/// Squares overflow or underflow at these scales: every result is finite.
#[test]
fn huge_and_tiny_columns_give_finite_coefficients() {
    for scale in [1e150, 1e-150, 1e300, 1e-300] {
        let rows: Vec<Vec<f64>> = [[1.0, 0.5], [2.0, -1.0], [-1.5, 0.25], [0.5, 3.0]]
            .iter()
            .map(|r| vec![r[0] * scale, r[1]])
            .collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        for penalty in PENALTIES {
            fit_by_every_solver(&rows, &["a", "b", "a", "b"], penalty, |_, _| {});
        }
    }
}

#[test]
fn unpenalized_separable_rows_have_no_minimum() {
    let rows: Vec<&[f64]> = vec![&[0.0, 1.0], &[0.5, 0.5], &[2.0, 0.0], &[3.0, 1.0]];
    let x = Design::dense(4, 2, rows.concat()).unwrap();
    let labels = Labels::parse(["a", "a", "b", "b"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let binary = problem.against_rest(1);
    let objective = Objective::new(&binary, &loss::Logistic, Penalty::default(), true).unwrap();
    for name in ["newton", "newton-cg", "lbfgs"] {
        let way = solvers::choose(
            name.parse().unwrap(),
            &objective,
            &StoppingCriteria::default(),
            &solvers::Options::default(),
        )
        .unwrap();
        let found =
            way.solve(&objective, Hyperplane::zero(2), &StoppingCriteria::default(), &mut ());
        assert_eq!(found.stop, StopReason::NoMinimum, "{name}");
        assert!(found.hyperplane.w.iter().all(|w| w.abs() < 1e6), "no silent giants: {found:?}");
    }
}

#[test]
fn a_step_length_above_two_over_l_diverges() {
    let data = Data::new(2, 50, 3);
    let problem = Problem::new(&data.designs[0], &data.labels, None).unwrap();
    let binary = problem.against_rest(1);
    let objective = Objective::new(&binary, &loss::Squared, Penalty::l2(0.1), true).unwrap();
    let run = |eta| {
        let options = solvers::Options { eta: Some(eta), ..Default::default() };
        let (solver, goal) = (options::Solver::GradientDescent, StoppingCriteria::default());
        let way = solvers::choose(solver, &objective, &goal, &options).unwrap();
        way.solve(&objective, Hyperplane::zero(3), &StoppingCriteria::default(), &mut ())
    };
    let far = run(10.0);
    assert_eq!(far.stop, StopReason::Diverged);
    assert!(
        far.hyperplane.is_finite() && far.certificate.primal <= 1.0,
        "the best hyperplane of the run is returned: {far:?}"
    );
    assert_eq!(run(0.02).stop, StopReason::Optimal);
}

#[test]
fn invalid_settings_are_refused() {
    let data = Data::new(2, 20, 3);
    let problem = Problem::new(&data.designs[0], &data.labels, None).unwrap();
    let binary = problem.against_rest(1);
    let objective = Objective::new(&binary, &loss::Hinge, Penalty::l2(0.1), true).unwrap();
    let refusal = |solver| {
        let (goal, options) = (StoppingCriteria::default(), solvers::Options::default());
        solvers::choose(solver, &objective, &goal, &options).err().unwrap().to_string()
    };
    assert_eq!(
        refusal(options::Solver::Newton),
        "`solver=newton` requires a loss with bounded curvature; use smoothing, dual-cd, \
         interior-point, gradient-descent or sgd"
    );
    let unknown = "newtn".parse::<options::Solver>().unwrap_err().to_string();
    assert!(unknown.contains("`solver`: expected one of auto, newton"), "{unknown}");
    for lambda in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(Objective::new(&binary, &loss::Hinge, Penalty::l2(lambda), true).is_err());
    }
    assert!(StoppingCriteria { tol: 0.0, ..StoppingCriteria::default() }.check().is_err());
}

/// Tall data select Newton, wide sparse rows of unit length dual-cd, l1 the working set, and the
/// hinge with l1 the interior-point method.
#[test]
fn the_cost_model_selects_the_expected_solver() {
    let chosen = |x: &Design, labels: &[&str], loss: &dyn Loss, penalty: Penalty, tol: f64| {
        let labels = Labels::parse(labels.iter().copied());
        let problem = Problem::new(x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        let objective = Objective::new(&binary, loss, penalty, true).unwrap();
        solvers::candidates(&objective, &StoppingCriteria { tol, ..StoppingCriteria::default() })[0]
            .name
    };
    let data = Data::new(1, 4_000, 20);
    let tall = &data.designs[0];
    let names: Vec<&str> =
        data.labels.codes().iter().map(|&c| if c == 0 { "a" } else { "b" }).collect();
    let weak = Penalty::l2(1.0 / 4_000.0);
    for tol in [0.1, 1e-3, 1e-9] {
        assert_eq!(chosen(tall, &names, &loss::Logistic, weak, tol), "newton");
        assert_eq!(chosen(tall, &names, &loss::Hinge, weak, tol), "smoothing");
        assert_eq!(chosen(tall, &names, &loss::Logistic, Penalty::l1(0.01), tol), "newton");
    }
    let (n, d) = (400, 20_000);
    let indices: Vec<u32> =
        (0..n * 4).map(|k| ((k * 7919) % (d / 4) + (k % 4) * (d / 4)) as u32).collect();
    let starts: Vec<usize> = (0..=n).map(|i| 4 * i).collect();
    let wide = Design::sparse(d, starts, indices, vec![0.5; 4 * n]).unwrap();
    let names: Vec<&str> = (0..n).map(|i| if i % 3 == 0 { "a" } else { "b" }).collect();
    for loss in [&loss::Logistic as &dyn Loss, &loss::Hinge] {
        assert_eq!(chosen(&wide, &names, loss, Penalty::l2(1.0 / 400.0), 1e-4), "dual-cd");
    }
    let l1 = Penalty::l1(0.01);
    assert_eq!(chosen(&wide, &names, &loss::Logistic, l1, 1e-4), "working-set-cd");
    assert_eq!(chosen(&wide, &names, &loss::Hinge, l1, 1e-4), "interior-point");
}

/// For a λ so large that all coefficients vanish, every solver returns the best intercept, and
/// certifies it.
#[test]
fn a_large_penalty_gives_the_best_intercept() {
    let data = Data::new(7, 60, 5);
    for loss in loss::ALL {
        let mut least = f64::INFINITY;
        for penalty in [Penalty::l1(1e3), Penalty { l1: 400.0, l2: 600.0 }, Penalty::l2(1e12)] {
            // Subgradient and gradient methods only approach the optimum.
            let all = solvers::all(&solvers::Options::default());
            for way in all.iter().filter(|way| !way.is_last()) {
                for x in &data.designs {
                    let found = run(way.name(), (x, &data), *loss, penalty, true, 1e-4);
                    let Some(found) = found else { continue };
                    let what = format!("{} by {}: {found:?}", loss.name(), way.name());
                    assert!(found.certificate.relative_gap().unwrap() <= 1e-4, "{what}");
                    let none = penalty.l1 == 0.0 || found.hyperplane.w.iter().all(|w| *w == 0.0);
                    assert!(none, "{what}");
                    least = least.min(found.certificate.primal);
                    let over = found.certificate.primal - least;
                    assert!(over <= 1e-3 * least + 1e-9, "{least} {what}");
                }
            }
        }
    }
}

/// Draws rows with noisy labels, or labels from a hyperplane.
fn labeled_rows(seed: u64, separable: bool) -> (Design, Labels) {
    let (n, d) = (40, 4);
    let mut rng = Rng::new(seed, 3);
    let values: Vec<f64> = (0..n * d).map(|_| 2.0 * rng.unit() - 1.0).collect();
    let side = |row: &[f64]| row[0] - 0.5 * row[1] + 0.25 * row[3] + 0.1;
    let rows = values.chunks(d).map(|row| {
        let noise = if separable { 0.0 } else { 2.0 * rng.unit() - 1.0 };
        if side(row) + noise > 0.0 { "b" } else { "a" }
    });
    let labels = Labels::parse(rows);
    (Design::dense(n, d, values).unwrap(), labels)
}

/// From nearly no penalty to a large one, and none at all: the stop reason of every solver is true,
/// the accurate solvers reach the optimum, and a stationary result is at the optimum.
#[test]
fn stop_reasons_are_true_for_every_penalty_and_strength() {
    let slow = ["dual-cd", "gradient-descent", "sgd"];
    for separable in [true, false] {
        let (x, labels) = labeled_rows(17, separable);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        for loss in loss::ALL {
            for (entry, lambda) in
                options::Penalty::ALL.into_iter().flat_map(|e| [1e-6, 1e-3, 10.0].map(|l| (e, l)))
            {
                let penalty = entry.with(lambda, 0.4).unwrap();
                let objective = Objective::new(&binary, *loss, penalty, true).unwrap();
                let goal = StoppingCriteria::default();
                let mut met: Vec<(String, SolverResult)> = Vec::new();
                let options = solvers::Options::default();
                let all = solvers::all(&options);
                for name in ["auto"].into_iter().chain(all.iter().map(|way| way.name())) {
                    let Ok(way) =
                        solvers::choose(name.parse().unwrap(), &objective, &goal, &options)
                    else {
                        continue;
                    };
                    let found = way.solve(&objective, Hyperplane::zero(x.d()), &goal, &mut ());
                    let what = format!(
                        "{} {} {lambda} ({separable}) by {name}, {}: {found:?}",
                        loss.name(),
                        entry.name(),
                        way.name()
                    );
                    let there = found.certificate.reaches(goal.tol);
                    let unbounded = found.stop == StopReason::NoMinimum;
                    assert!(there || unbounded || found.stop != StopReason::Stalled, "{what}");
                    let may_miss = slow.contains(&way.name());
                    assert!(there || unbounded || may_miss, "{what}");
                    met.push((what, found));
                }
                if !penalty.is_some() {
                    let seen = met.iter().filter(|(_, m)| m.stop == StopReason::Optimal);
                    let values = seen.map(|(_, m)| m.certificate.primal);
                    let least = values.clone().fold(f64::INFINITY, f64::min);
                    let most = values.fold(0.0_f64, f64::max);
                    assert!(most - least <= 1e-3, "{least} {most} {}", met[0].0);
                    let vanishes = separable && loss.pieces().is_some();
                    assert!(!vanishes || least <= 1e-6, "{least} {}", met[0].0);
                    continue;
                }
                let bounds = met.iter().filter_map(|(_, m)| m.certificate.dual);
                let bound = bounds.map(|dual| dual.value).fold(f64::NEG_INFINITY, f64::max);
                for (what, found) in &met {
                    let rounding = 1e-13 * (1.0 + found.certificate.primal);
                    assert!(bound <= found.certificate.primal + rounding, "{bound} {what}");
                }
            }
        }
    }
}

/// A smaller tolerance gives at most a slightly larger gap.
#[test]
fn a_smaller_tolerance_gives_at_most_a_slightly_larger_gap() {
    let data = Data::new(4, 120, 5);
    let x = &data.designs[0];
    for loss in loss::ALL {
        for lambda in [1e-2, 1e-4] {
            let reached = |tol: f64| {
                let problem = Problem::new(x, &data.labels, None).unwrap();
                let binary = problem.against_rest(1);
                let objective = Objective::new(&binary, *loss, Penalty::l2(lambda), true).unwrap();
                let goal = StoppingCriteria { tol, ..StoppingCriteria::default() };
                let way = solvers::by_name("dual-cd", &solvers::Options::default()).unwrap();
                let found = way.solve(&objective, Hyperplane::zero(x.d()), &goal, &mut ());
                found.certificate.relative_gap().unwrap()
            };
            // If the iteration limit ends both runs, their certificates are from different epochs.
            let (loose, tight) = (reached(1e-2), reached(1e-8));
            assert!(tight <= 1.2 * loose.max(1e-2), "{} {lambda}: {loose} {tight}", loss.name());
        }
    }
}
