use super::descent::Run;
use super::*;
use crate::binary::{BinaryLearner, RegularizationStrength};
use crate::control::{Budget, Cancel, StopReason};
use crate::data::{Design, Labels};
use crate::loss::Hinge;
use crate::math::rng::Rng;
use crate::multiclass::CoefficientMatrix;

fn settings(lambda: f64, intercept: bool, tol: f64) -> CrammerSinger {
    let goal = StoppingCriteria { tol, budget: Budget::epochs(20_000) };
    CrammerSinger { lambda, intercept, goal, seed: 0, proximal: true }
}

pub(super) fn blobs(seed: u64, n: usize, k: usize) -> (Design, Labels, Vec<f64>) {
    let mut rng = Rng::new(seed, 0);
    let (mut x, mut labels, mut s) = (vec![], vec![], vec![]);
    for i in 0..n {
        let c = i % k;
        let angle = c as f64 * std::f64::consts::TAU / k as f64;
        x.push(1.2 * angle.cos() + 2.0 * rng.unit() - 0.5);
        x.push(1.2 * angle.sin() + 2.0 * rng.unit());
        labels.push(c.to_string());
        s.push((1 + rng.below(3)) as f64);
    }
    let labels = Labels::parse(labels.iter().map(String::as_str));
    (Design::dense(n, 2, x).unwrap(), labels, s)
}

/// F, from its definition.
fn value(problem: &Problem<'_>, hyperplanes: &[Hyperplane], lambda: f64) -> f64 {
    let total: f64 = problem.weights().iter().sum();
    let mut loss = 0.0;
    for (i, &own) in problem.labels().codes().iter().enumerate() {
        let row = problem.x().row(i);
        let z: Vec<f64> = hyperplanes.iter().map(|hyperplane| hyperplane.at(&row)).collect();
        let rivals = (0..z.len()).filter(|&j| j != own as usize);
        let short = rivals.map(|j| 1.0 + z[j] - z[own as usize]).fold(0.0, f64::max);
        loss += problem.weights()[i] * short;
    }
    let norm: f64 = hyperplanes.iter().flat_map(|hyperplane| &hyperplane.w).map(|w| w * w).sum();
    loss / total + 0.5 * lambda * norm
}

#[test]
fn every_fit_is_certified_and_no_other_hyperplanes_are_better() {
    for seed in 0..6 {
        let (x, labels, s) = blobs(seed, 60, 4);
        let problem = Problem::new(&x, &labels, Some(s)).unwrap();
        for (lambda, intercept) in [(0.5, true), (0.02, true), (0.1, false), (1e-3, true)] {
            let found =
                settings(lambda, intercept, 1e-5).minimize(&problem, None, &mut ()).unwrap();
            let certificate = found.certificate.unwrap().gap;
            assert_eq!(
                found.stop,
                StopReason::Optimal,
                "{seed} {lambda} {intercept}: {certificate:?}"
            );
            let own = value(&problem, &found.hyperplanes, lambda);
            assert!((own - certificate.primal).abs() < 1e-12 * own, "F is F");
            let dual = certificate.dual.unwrap().value;
            assert!(dual <= own && own - dual <= 1e-5 * own);
            // The lower bound holds for perturbed hyperplanes and for those of another fit.
            let mut rng = Rng::new(seed, 1);
            for _ in 0..200 {
                let mut other = found.hyperplanes.clone();
                for v in other.iter_mut().flat_map(|hyperplane| &mut hyperplane.w) {
                    *v += 0.05 * (rng.unit() - 0.5);
                }
                if intercept {
                    other
                        .iter_mut()
                        .for_each(|hyperplane| hyperplane.b += 0.05 * (rng.unit() - 0.5));
                }
                assert!(value(&problem, &other, lambda) >= dual);
            }
            let rough = settings(lambda, intercept, 0.1).minimize(&problem, None, &mut ()).unwrap();
            let rough = rough.certificate.unwrap().gap;
            assert!(rough.dual.unwrap().value <= own && rough.primal >= dual);
            assert!(intercept || found.hyperplanes.iter().all(|hyperplane| hyperplane.b == 0.0));
        }
    }
}

#[test]
fn a_warm_start_reaches_the_same_optimum() {
    let (x, labels, s) = blobs(3, 90, 3);
    let problem = Problem::new(&x, &labels, Some(s)).unwrap();
    let settings = settings(0.05, true, 1e-4);
    let cold = settings.minimize(&problem, None, &mut ()).unwrap();
    let warm = settings.minimize(&problem, Some(&cold.hyperplanes), &mut ()).unwrap();
    let primal = |found: &MulticlassFit| found.certificate.unwrap().gap.primal;
    assert_eq!(warm.stop, StopReason::Optimal);
    assert!((primal(&cold) - primal(&warm)).abs() <= 2e-4 * primal(&cold));
    let bad = settings.minimize(&problem, Some(&cold.hyperplanes[1..]), &mut ());
    assert_eq!(bad, Err(Error::Shape { what: "starting hyperplanes", got: 2, want: 3 }));
}

/// For two classes, w₁ = −w₂ = u/2 at the optimum, so F is the objective of the binary SVM with
/// λ/2.
#[test]
fn two_classes_equal_the_binary_svm_with_half_the_penalty() {
    let (x, labels, s) = blobs(1, 40, 2);
    let problem = Problem::new(&x, &labels, Some(s)).unwrap();
    for intercept in [true, false] {
        let both = settings(0.2, intercept, 1e-6).minimize(&problem, None, &mut ()).unwrap();
        let goal = StoppingCriteria { tol: 1e-6, budget: Budget::epochs(20_000) };
        let strength = RegularizationStrength::Lambda(0.1);
        let single =
            RegularizedErm { loss: &Hinge, strength, intercept, goal, ..RegularizedErm::default() };
        let single = single.fit(&problem.against_rest(1), Hyperplane::zero(2), &mut ()).unwrap();
        let (a, b) = (both.certificate.unwrap().gap, single.certificate.unwrap().gap);
        assert!((a.primal - b.primal).abs() <= 3e-6 * a.primal, "{a:?} {b:?}");
    }
}

#[test]
fn certified_predictions_equal_those_of_the_optimum() {
    for seed in 0..10 {
        let (x, labels, s) = blobs(seed, 50, 3);
        let problem = Problem::new(&x, &labels, Some(s)).unwrap();
        let exact = settings(0.1, false, 1e-9).minimize(&problem, None, &mut ()).unwrap();
        let loose = settings(0.1, false, 1e-3).minimize(&problem, None, &mut ()).unwrap();
        let rho = loose.certificate.unwrap().radius.unwrap();
        let near = loose.hyperplanes.iter().zip(&exact.hyperplanes);
        let away: f64 = near
            .flat_map(|(a, b)| a.w.iter().zip(&b.w).map(|(a, b)| (a - b).powi(2)))
            .sum::<f64>()
            .sqrt();
        assert!(away <= rho * 1.001, "{away} {rho}");
        let first = |_: usize, z: &[f64]| {
            (1..z.len()).fold(0, |best, j| if z[j] > z[best] { j } else { best })
        };
        let [ours, exacts] = [&loose, &exact]
            .map(|found| CoefficientMatrix::of(&found.hyperplanes).map_rows(&x, first).concat());
        let winners = loose.winners.unwrap();
        for (i, winner) in winners.iter().enumerate() {
            let Some(winner) = winner else { continue };
            let class = winner.class as usize;
            assert_eq!((ours[i], exacts[i]), (class, class), "row {i}");
        }
        assert!(winners.iter().flatten().count() > 15);
    }
}

/// Sparse rows without stored values, and one dominant class: only intercepts can move.
#[test]
fn rows_without_stored_values_terminate() {
    let x = Design::sparse(1, vec![0, 0, 0, 0], vec![], vec![]).unwrap();
    let labels = Labels::parse(["a", "b", "c"]);
    let problem = Problem::new(&x, &labels, Some(vec![1.0, 1.0, 3e5])).unwrap();
    for proximal in [true, false] {
        let goal = StoppingCriteria { tol: 0.5, budget: Budget::epochs(100) };
        let settings = CrammerSinger { lambda: 1e-6, intercept: true, goal, seed: 0, proximal };
        let found = settings.minimize(&problem, None, &mut ()).unwrap();
        assert!(found.hyperplanes.iter().all(Hyperplane::is_finite), "{proximal}");
    }
}

#[test]
fn zero_columns_and_huge_values_terminate() {
    let labels = Labels::parse(["a", "b", "c", "a"]);
    for scale in [0.0, 1e-160, 1e150] {
        let x = Design::dense(4, 1, [1.0, 2.0, -1.0, 0.5].map(|v| v * scale).to_vec()).unwrap();
        let problem = Problem::new(&x, &labels, None).unwrap();
        for intercept in [true, false] {
            let goal = StoppingCriteria { tol: 1e-4, budget: Budget::epochs(50) };
            let settings = CrammerSinger { lambda: 0.1, intercept, goal, seed: 0, proximal: true };
            let found = settings.minimize(&problem, None, &mut ()).unwrap();
            assert!(found.hyperplanes.iter().all(Hyperplane::is_finite), "{scale} {intercept}");
            let certificate = found.certificate.unwrap().gap;
            assert!(
                certificate.primal <= 1.0 + 1e-12,
                "at most the objective at zero: \
                {certificate:?}"
            );
        }
    }
}

#[test]
fn a_weight_of_two_equals_a_repeated_row() {
    let (x, labels, s) = blobs(5, 30, 3);
    let twice: Vec<usize> = (0..30).flat_map(|i| std::iter::repeat_n(i, s[i] as usize)).collect();
    let (long, codes) = (x.select_rows(&twice), labels.codes());
    let codes: Vec<u32> = twice.iter().map(|&i| codes[i]).collect();
    let long_labels = Labels::from_codes(labels.classes(), &codes);
    let weighted = Problem::new(&x, &labels, Some(s)).unwrap();
    let repeated = Problem::new(&long, &long_labels, None).unwrap();
    let of = |problem| {
        let found = settings(0.05, true, 1e-6).minimize(problem, None, &mut ()).unwrap();
        found.certificate.unwrap().gap.primal
    };
    assert!((of(&weighted) - of(&repeated)).abs() <= 2e-6 * of(&weighted));
}

#[test]
fn the_drift_bound_of_the_updated_w_holds() {
    for seed in 0..4 {
        let (x, labels, s) = blobs(seed, 90, 5);
        let problem = Problem::new(&x, &labels, Some(s)).unwrap();
        let mut run = Run::new(
            settings(1e-3, false, 1e-3),
            &problem,
            &CoefficientMatrix::zero(2, 5),
            Cancel::default(),
        );
        run.first();
        let mut distances = Vec::new();
        for epoch in 0..30 {
            run.epoch(Rng::new(seed, epoch));
            let (mut apart, own) = (run.h.to_matrix(), run.proofs.hyperplanes(&run.p, 0.0));
            apart.step(-1.0, &own);
            let distance = apart.norm_sq().sqrt();
            assert!(distance <= run.drift, "{seed} {epoch}: {distance} {}", run.drift);
            distances.push(distance / own.norm_sq().sqrt());
        }
        assert!(distances[29] > 1e-9, "in 32 bits");
        run.renew();
        assert!(run.drift < 1e-6 * run.h.norm_sq().sqrt());
        // The error of the bound is quadratic in that of W, so little is lost.
        let before = run.drift;
        run.certify();
        let exact = {
            let own = run.proofs.hyperplanes(&run.p, 0.0);
            run.proofs.slack(&run.p) - 0.5e-3 * own.norm_sq()
        };
        let bound = run.proofs.best.dual.unwrap().value;
        assert!(bound <= exact + 1e-12 && exact - bound <= 1e-3 * before * before + 1e-12);
    }
}

/// Both solvers, with and without intercepts, with sample weights: their objectives agree within
/// their certified gaps.
#[test]
fn both_solvers_reach_the_same_optimum() {
    for seed in 0..4 {
        let (x, labels, s) = blobs(seed, 80, 5);
        let problem = Problem::new(&x, &labels, Some(s)).unwrap();
        for (lambda, intercept) in [(0.3, true), (0.01, true), (0.05, false), (1e-3, false)] {
            let of = |proximal, tol| {
                let settings = CrammerSinger { proximal, ..settings(lambda, intercept, tol) };
                let found = settings.minimize(&problem, None, &mut ()).unwrap();
                let certificate = found.certificate.unwrap().gap;
                assert_eq!(
                    found.stop,
                    StopReason::Optimal,
                    "{seed} {lambda} {intercept} {proximal}"
                );
                let own = value(&problem, &found.hyperplanes, lambda);
                assert!((own - certificate.primal).abs() < 1e-12 * own, "F is F");
                (own, certificate.dual.unwrap().value)
            };
            let (together, apart) = (of(true, 1e-7), of(false, 1e-5));
            assert!(together.1 <= apart.0 && apart.1 <= together.0, "{together:?} {apart:?}");
            assert!((together.0 - apart.0).abs() <= 1.1e-5 * apart.0);
        }
    }
}

#[test]
fn rows_of_weight_zero_are_ignored() {
    let (x, labels, mut s) = blobs(2, 60, 4);
    let kept: Vec<usize> = (0..60).filter(|i| i % 7 != 3).collect();
    (3..60).step_by(7).for_each(|i| s[i] = 0.0);
    let less = x.select_rows(&kept);
    let codes: Vec<u32> = kept.iter().map(|&i| labels.codes()[i]).collect();
    let less_labels = Labels::from_codes(labels.classes(), &codes);
    let less_s = kept.iter().map(|&i| s[i]).collect();
    let with = Problem::new(&x, &labels, Some(s)).unwrap();
    let without = Problem::new(&less, &less_labels, Some(less_s)).unwrap();
    for intercept in [true, false] {
        let of = |problem| {
            let found = settings(0.05, intercept, 1e-6).minimize(problem, None, &mut ()).unwrap();
            assert_eq!(found.stop, StopReason::Optimal);
            found.certificate.unwrap().gap.primal
        };
        assert!((of(&with) - of(&without)).abs() <= 2e-6 * of(&with));
    }
}

/// Defaults of the command line: standardized, C = 1, a thousand epochs.
#[test]
fn iris_is_certified_to_a_relative_gap_of_1e_minus_6() {
    let text = include_str!("../../../../../examples/iris.csv");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let labels = Labels::parse(rows.iter().map(|row| row[4]));
    let (n, mut x) = (rows.len(), Vec::new());
    rows.iter().for_each(|row| x.extend(row[..4].iter().map(|v| v.parse::<f64>().unwrap())));
    for j in 0..4 {
        let column = || x.iter().skip(j).step_by(4);
        let mean = column().sum::<f64>() / n as f64;
        let deviation = (column().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        x.iter_mut().skip(j).step_by(4).for_each(|v| *v = (*v - mean) / deviation);
    }
    let x = Design::dense(n, 4, x).unwrap();
    let problem = Problem::new(&x, &labels, None).unwrap();
    for intercept in [true, false] {
        let goal = StoppingCriteria { tol: 1e-6, budget: Budget::epochs(1_000) };
        let settings = CrammerSinger { goal, ..settings(1.0 / n as f64, intercept, 1e-6) };
        let found = settings.minimize(&problem, None, &mut ()).unwrap();
        assert_eq!(found.stop, StopReason::Optimal);
        assert!(found.certificate.unwrap().gap.relative_gap().unwrap() <= 1e-6);
    }
}

/// More classes than most problems have, with few rows each.
#[test]
fn many_classes_are_certified() {
    let (k, d) = (120, 8);
    let mut rng = Rng::new(7, 0);
    let centers: Vec<f64> = (0..k * d).map(|_| 4.0 * rng.unit()).collect();
    let rows = 3 * k;
    let x: Vec<f64> = (0..rows * d).map(|at| centers[at % (k * d)] + rng.unit()).collect();
    let names: Vec<String> = (0..rows).map(|i| (i % k).to_string()).collect();
    let labels = Labels::parse(names.iter().map(String::as_str));
    let x = Design::dense(rows, d, x).unwrap();
    let problem = Problem::new(&x, &labels, None).unwrap();
    for intercept in [true, false] {
        let goal = StoppingCriteria { tol: 1e-4, budget: Budget::epochs(300) };
        let settings = CrammerSinger { goal, ..settings(1.0 / rows as f64, intercept, 1e-4) };
        let found = settings.minimize(&problem, None, &mut ()).unwrap();
        assert_eq!((found.stop, found.solver), (StopReason::Optimal, Some("proximal-newton")));
    }
}

/// Results do not depend on the number of threads.
#[test]
fn same_bits_for_any_thread_count() {
    let (x, labels, s) = blobs(4, 2_000, 6);
    let problem = Problem::new(&x, &labels, Some(s)).unwrap();
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| settings(1e-3, true, 1e-5).minimize(&problem, None, &mut ()).unwrap())
    };
    assert_eq!(of(1), of(3));
}
