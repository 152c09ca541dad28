//! Problems with a known result, and independent decisions for comparison.
//!
//! Over 400 lines: tests of one module, and the reference methods that they share.

use super::*;
use crate::certify::{PositiveDependence, WitnessError, check};
use crate::control::Epoch;
use crate::data::{Design, Labels};
use crate::math::rng::Rng;

fn decide(rows: &[Vec<f64>], y: &[&str]) -> Separation {
    decide_with(rows, y, None)
}

fn decide_with(rows: &[Vec<f64>], y: &[&str], weights: Option<Vec<f64>>) -> Separation {
    let x = Design::dense(rows.len(), rows[0].len(), rows.concat()).unwrap();
    let labels = Labels::parse(y.iter().copied());
    let problem = Problem::new(&x, &labels, weights).unwrap();
    let answer = separate(&problem, None, &Limits::default(), &mut ()).unwrap();
    if let Some(evidence) = &answer.evidence {
        let signed = SignedRows::new(&problem, None).unwrap();
        assert_eq!(check(&signed, evidence), Ok(()));
    }
    answer
}

fn verdict(rows: &[Vec<f64>], y: &[&str]) -> SeparationKind {
    decide(rows, y).verdict
}

#[test]
fn and_is_complete_xor_overlaps_a_tie_is_quasi_complete() {
    let corners = [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
    let and = decide(&corners, &["n", "n", "n", "y"]);
    assert_eq!(and.verdict, SeparationKind::Complete);
    // The largest margin has u = (2, 2, −3)/√17, and R² = 3; the strip is 1/√2 wide.
    let margin = and.margin.unwrap();
    assert!((margin.gamma.least - 17_f64.sqrt().recip()).abs() < 1e-6);
    assert!(
        margin.gamma.least <= 17_f64.sqrt().recip() && margin.gamma.most >= 17_f64.sqrt().recip()
    );
    assert!((margin.novikoff() - 51.0).abs() < 1e-3 && margin.novikoff() >= 51.0);
    assert!((margin.distance.least - 8_f64.sqrt().recip()).abs() < 1e-6);

    let xor = decide(&corners, &["n", "y", "y", "n"]);
    let dependence = xor.evidence.unwrap().dependence.unwrap();
    assert_eq!((xor.verdict, dependence.rows.len()), (SeparationKind::Overlap, 4));
    assert!(dependence.weights.iter().all(|w| *w == Rational::whole(1)));

    // 0, 1 vs 1, 2 on a line: the hyperplane through 1 contains both rows at 1.
    let line = [vec![0.0], vec![1.0], vec![1.0], vec![2.0]];
    let tie = decide(&line, &["n", "n", "y", "y"]);
    assert_eq!(tie.verdict, SeparationKind::QuasiComplete);
    let up = InfiniteCoefficient { class: 1, column: Some(0), divergence: Divergence::Plus };
    let down = InfiniteCoefficient { class: 1, column: None, divergence: Divergence::Minus };
    assert_eq!(tie.infinite, [up, down]);
    // A row of sample weight 0 is ignored, and so is its tie.
    let without = decide_with(&line, &["n", "n", "y", "y"], Some(vec![1.0, 0.0, 1.0, 1.0]));
    assert_eq!(without.verdict, SeparationKind::Complete);
}

#[test]
fn multiclass_separation_by_kesler_construction() {
    let line = |x: [f64; 6]| x.map(|v| vec![v]).to_vec();
    let y = ["a", "a", "b", "b", "c", "c"];
    // On a line with b between a and c: three linear functions separate the classes.
    assert_eq!(verdict(&line([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), &y), SeparationKind::Complete);
    assert_eq!(verdict(&line([0.0, 1.0, 1.0, 3.0, 4.0, 5.0]), &y), SeparationKind::QuasiComplete);
    assert_eq!(verdict(&line([0.0, 4.0, 2.0, 3.0, 1.0, 5.0]), &y), SeparationKind::Overlap);
}

#[test]
fn extreme_magnitudes_are_decided_exactly() {
    let y = ["n", "y", "y"];
    let one = |x: [f64; 3]| x.map(|v| vec![v]).to_vec();
    assert_eq!(verdict(&one([0.0, 1e-300, 1e300]), &y), SeparationKind::Complete);
    assert_eq!(verdict(&one([1e300, 1e-300, -1e300]), &y), SeparationKind::Complete);
    assert_eq!(verdict(&one([1e-300, 1e-300, 1e300]), &y), SeparationKind::QuasiComplete);
    assert_eq!(verdict(&one([1e-300, 0.0, 1e300]), &y), SeparationKind::Overlap);
    // Adjacent doubles.
    assert_eq!(verdict(&one([1.0, 1.0 + f64::EPSILON, 2.0]), &y), SeparationKind::Complete);
    assert_eq!(verdict(&one([1.0 + f64::EPSILON, 1.0, 2.0]), &y), SeparationKind::Overlap);
    let far = [vec![1e300, 1e-300], vec![1e300, 2e-300], vec![-1e300, 3e-300], vec![0.0, 0.0]];
    assert_eq!(verdict(&far, &["n", "y", "y", "n"]), SeparationKind::Complete);
    assert_eq!(
        verdict(&far, &["n", "y", "n", "y"]),
        SeparationKind::Overlap,
        "the diagonals cross"
    );
}

/// Decides separation by brute force, for integers and at most two columns: tries every possible
/// extreme direction. The h with a·h ≥ 0 form a cone. Its extreme rays, modulo the orthogonal
/// complement of all rows, are orthogonal to rank − 1 rows. So with at most two columns and the
/// intercept they are cross products of two rows, or ± single rows.
fn brute(rows: &[Vec<f64>], y: &[f64]) -> SeparationKind {
    let a: Vec<[i64; 3]> = rows
        .iter()
        .zip(y)
        .map(|(row, y)| {
            [0, 1, 2].map(|j| {
                let v = if j < row.len() {
                    row[j]
                } else if j == 2 {
                    1.0
                } else {
                    0.0
                };
                (v * y) as i64
            })
        })
        .collect();
    let cross = |p: &[i64; 3], q: &[i64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let dot = |p: &[i64; 3], q: &[i64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    // Unit vectors complete rows of lower rank to enough cross products.
    let units = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let all: Vec<[i64; 3]> = a.iter().copied().chain(units).collect();
    let mut sum = vec![false; a.len()];
    let mut some = false;
    let mut rays: Vec<[i64; 3]> = Vec::new();
    for p in &all {
        rays.push(*p);
        for q in &all {
            let c = cross(p, q);
            rays.push(c);
            rays.extend(all.iter().map(|r| cross(r, &c)));
        }
    }
    for ray in rays {
        for h in [ray, ray.map(|v| -v)] {
            let products: Vec<i64> = a.iter().map(|a| dot(a, &h)).collect();
            if products.iter().all(|&p| p >= 0) {
                for (sum, p) in sum.iter_mut().zip(products) {
                    *sum |= p > 0;
                    some |= p > 0;
                }
            }
        }
    }
    match (sum.iter().all(|&s| s), some) {
        (true, _) => SeparationKind::Complete,
        (_, true) => SeparationKind::QuasiComplete,
        _ => SeparationKind::Overlap,
    }
}

#[test]
fn small_grids_agree_with_brute_force() {
    let mut seen = [0; 3];
    for round in 0..3_000 {
        let mut rng = Rng::new(11, round);
        let (n, d) = (2 + rng.below(8) as usize, 1 + rng.below(2) as usize);
        let grid = 2 + rng.below(4);
        let rows: Vec<Vec<f64>> =
            (0..n).map(|_| (0..d).map(|_| rng.below(grid) as f64).collect()).collect();
        let mut y: Vec<f64> = (0..n).map(|_| if rng.below(2) == 0 { -1.0 } else { 1.0 }).collect();
        (y[0], y[1]) = (-1.0, 1.0);
        let names: Vec<&str> = y.iter().map(|&y| if y > 0.0 { "y" } else { "n" }).collect();
        let expected = brute(&rows, &y);
        assert_eq!(verdict(&rows, &names), expected, "round {round}: {rows:?} {y:?}");
        let at = SeparationKind::ALL.iter().position(|v| *v == expected).unwrap();
        seen[at] += 1;
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

/// Kirchberger: two sets of points are separable if and only if every d + 2 of the points are.
#[test]
fn separation_agrees_with_kirchberger_theorem() {
    for round in 0..150 {
        let mut rng = Rng::new(14, round);
        let (n, d) = (6 + rng.below(3) as usize, 1 + rng.below(2) as usize);
        let rows: Vec<Vec<f64>> =
            (0..n).map(|_| (0..d).map(|_| rng.below(12) as f64).collect()).collect();
        // Classes by a random hyperplane with a few misclassified rows, so that both results occur.
        let sum = |row: &Vec<f64>| row.iter().sum::<f64>();
        let y: Vec<bool> =
            rows.iter().map(|row| (sum(row) > 5.5 * d as f64) != (rng.below(8) == 0)).collect();
        let name = |i: usize| if y[i] { "y" } else { "n" };
        let few_can = |subset: usize| {
            let chosen: Vec<usize> = (0..n).filter(|i| subset >> i & 1 == 1).collect();
            let names: Vec<&str> = chosen.iter().map(|&i| name(i)).collect();
            if chosen.len() != d + 2 || !(names.contains(&"y") && names.contains(&"n")) {
                return true;
            }
            let few: Vec<Vec<f64>> = chosen.iter().map(|&i| rows[i].clone()).collect();
            verdict(&few, &names) == SeparationKind::Complete
        };
        let names: Vec<&str> = (0..n).map(name).collect();
        if names.contains(&"y") && names.contains(&"n") {
            let whole = verdict(&rows, &names) == SeparationKind::Complete;
            assert_eq!(whole, (0..1_usize << n).all(few_can), "round {round}: {rows:?} {y:?}");
        }
    }
}

/// Rows on known sides of a known hyperplane: some strictly, some exactly on it.
#[test]
fn known_hyperplanes_are_found_in_many_dimensions() {
    let mut seen = std::collections::HashMap::new();
    for round in 0..60 {
        let mut rng = Rng::new(12, round);
        let d = 1 + rng.below(30) as usize;
        let n = d + 2 + rng.below(60) as usize;
        let h: Vec<i64> = (0..=d).map(|_| rng.below(9).cast_signed() - 4).collect();
        let (mut rows, mut y): (Vec<Vec<f64>>, Vec<&str>) = (Vec::new(), Vec::new());
        let ties = round % 3 == 1;
        while rows.len() < n {
            let row: Vec<i64> = (0..d).map(|_| rng.below(11).cast_signed() - 5).collect();
            let z: i64 = row.iter().zip(&h).map(|(x, w)| x * w).sum::<i64>() + h[d];
            if z == 0 && !ties {
                continue;
            }
            let own = if z == 0 { rng.below(2) == 0 } else { z > 0 };
            y.push(if own { "y" } else { "n" });
            rows.push(row.iter().map(|&v| v as f64).collect());
            if z == 0 && rng.below(2) == 0 {
                // The same point in both classes: no hyperplane has it strictly on both sides.
                rows.push(row.iter().map(|&v| v as f64).collect());
                y.push(if own { "n" } else { "y" });
            }
            if h[..d].iter().all(|&w| w == 0) {
                break;
            }
        }
        if !(y.contains(&"y") && y.contains(&"n")) {
            continue;
        }
        if round % 3 == 2 {
            // A copy of a row with the other class.
            let copy = rows[0].clone();
            rows.push(copy);
            y.push(if y[0] == "y" { "n" } else { "y" });
        }
        let conflicting = rows
            .iter()
            .enumerate()
            .any(|(i, a)| rows[..i].iter().zip(&y).any(|(b, label)| a == b && *label != y[i]));
        let answer = decide(&rows, &y);
        *seen.entry(answer.verdict.name()).or_insert(0) += 1;
        assert_ne!(answer.verdict, SeparationKind::Undecided, "round {round}: {n} {d}");
        assert!(!(answer.verdict == SeparationKind::Complete && conflicting), "round {round}");
        if round % 3 < 2 {
            // The generating hyperplane misclassifies no row, and not all rows lie on it.
            assert_ne!(answer.verdict, SeparationKind::Overlap, "round {round}");
        }
        if !ties && round % 3 == 0 {
            assert_eq!(answer.verdict, SeparationKind::Complete, "round {round}");
        }
    }
    assert!(seen.len() == 3, "{seen:?}");
}

#[test]
fn random_doubles_are_complete_or_overlap() {
    // Random doubles have no ties: complete or overlap, with a witness either way.
    for round in 0..60 {
        let mut rng = Rng::new(13, round);
        let d = 1 + rng.below(12) as usize;
        let n = 2 + rng.below(4 * d as u64 + 4) as usize;
        let wild = round % 4 == 3;
        let mut draw = |_| {
            let power = if wild { rng.below(40) as i32 - 20 } else { 0 };
            (rng.unit() - 0.5) * 10_f64.powi(power)
        };
        let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..d).map(&mut draw).collect()).collect();
        let y: Vec<&str> = (0..n).map(|i| if i % 2 == 0 { "n" } else { "y" }).collect();
        let answer = decide(&rows, &y);
        assert!(
            matches!(answer.verdict, SeparationKind::Complete | SeparationKind::Overlap),
            "round {round}: {:?} {:?}",
            answer.verdict,
            answer.reason
        );
        if let Some(PositiveDependence { rows, .. }) = answer.evidence.and_then(|e| e.dependence) {
            assert!(rows.len() <= d + 2);
        }
    }
}

#[test]
fn checker_rejects_altered_witnesses() {
    let corners = [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0], vec![3.0, 1.0]];
    let x = Design::dense(5, 2, corners.concat()).unwrap();
    let (one, minus) = (Rational::whole(1), Rational::whole(-1));
    for y in [["n", "y", "y", "n", "y"], ["n", "n", "n", "y", "y"], ["n", "n", "y", "n", "y"]] {
        let labels = Labels::parse(y);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let signed = SignedRows::new(&problem, None).unwrap();
        let answer = separate(&problem, None, &Limits::default(), &mut ()).unwrap();
        let good = answer.evidence.unwrap();
        assert_eq!(check(&signed, &good), Ok(()));
        let canceled = Cancel::default();
        canceled.interrupt();
        let early = check(&signed.clone().until(canceled), &good);
        assert_eq!(early, Err(WitnessError::Interrupted));

        // Any other separation kind for the same witness.
        for verdict in SeparationKind::ALL.into_iter().filter(|v| *v != good.verdict) {
            assert!(matches!(
                check(&signed, &Witness { verdict, ..good.clone() }),
                Err(WitnessError::Parts { .. })
            ));
        }
        // Any multiplier changed by one, any row replaced, any row removed.
        type Part = fn(&mut Witness) -> &mut Option<PositiveDependence>;
        let parts: [Part; 2] = [|e| &mut e.dependence, |e| &mut e.spanning];
        for part in parts {
            let rows = part(&mut good.clone()).as_ref().map_or(0, |part| part.rows.len());
            let spoiled = |spoil: &dyn Fn(&mut PositiveDependence)| {
                let mut bad = good.clone();
                part(&mut bad).as_mut().map(spoil);
                check(&signed, &bad)
            };
            for i in 0..rows {
                let more = spoiled(&|part| part.weights[i] = part.weights[i].plus(&one));
                assert!(matches!(more, Err(WitnessError::NotZero { .. })), "{more:?}");
                let negative = spoiled(&|part| part.weights[i] = part.weights[i].times(&minus));
                assert!(matches!(negative, Err(WitnessError::Weight { .. })), "{negative:?}");
                let nowhere = spoiled(&|part| part.rows[i].row = 99);
                assert_eq!(nowhere, Err(WitnessError::NoRow { row: 99 }));
                let twice = spoiled(&|part| {
                    part.rows.push(part.rows[i]);
                    part.weights.push(one.clone());
                });
                assert_eq!(twice, Err(WitnessError::List));
                let without = spoiled(&|part| {
                    part.rows.remove(i);
                    part.weights.remove(i);
                });
                assert!(matches!(without, Err(WitnessError::NotZero { .. })), "{without:?}");
            }
        }
        // Hyperplanes negated, or zero.
        if let Some(hyperplanes) = &good.hyperplanes {
            let times = |factor: i64| {
                let factor = Rational::whole(factor);
                Some(
                    hyperplanes
                        .iter()
                        .map(|p| p.iter().map(|v| v.times(&factor)).collect())
                        .collect(),
                )
            };
            for factor in [-1, 0] {
                let hyperplanes = times(factor);
                assert!(check(&signed, &Witness { hyperplanes, ..good.clone() }).is_err());
            }
            assert_eq!(check(&signed, &Witness { hyperplanes: times(7), ..good.clone() }), Ok(()));
        }
    }
}

#[test]
fn width_and_sweep_limits_are_enforced() {
    let x = Design::dense(4, 1, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
    let labels = Labels::parse(["n", "y", "n", "y"]);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let narrow = Limits { width: 1, ..Limits::default() };
    let answer = separate(&problem, None, &narrow, &mut ()).unwrap();
    assert_eq!((answer.verdict, answer.reason), (SeparationKind::Undecided, Some(Reason::Width)));
    let none = Limits { sweeps: 0, ..Limits::default() };
    assert!(separate(&problem, None, &none, &mut ()).is_err());
}

#[test]
fn undetermined_signs_are_reported_as_open() {
    // Rows at the origin in both classes fix the intercept at 0; (1, 0) and (1, 1) of class y
    // require a ≥ 0 and a + b ≥ 0.
    let rows = [vec![0.0, 0.0], vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0]];
    let answer = decide(&rows, &["n", "y", "y", "y"]);
    assert_eq!(answer.verdict, SeparationKind::QuasiComplete);
    let a = InfiniteCoefficient { class: 1, column: Some(0), divergence: Divergence::Plus };
    let b = InfiniteCoefficient { class: 1, column: Some(1), divergence: Divergence::Undetermined };
    assert_eq!(answer.infinite, [a, b]);
    // One-hot levels that sum to one: the level with rows of both classes is the reference level.
    let level = |l: usize| (0..3).map(|j| f64::from(u8::from(j == l))).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = [0, 0, 1, 1, 2, 2].map(level).to_vec();
    let answer = decide(&rows, &["n", "y", "y", "y", "n", "n"]);
    let up = InfiniteCoefficient { class: 1, column: Some(1), divergence: Divergence::Plus };
    let down = InfiniteCoefficient { class: 1, column: Some(2), divergence: Divergence::Minus };
    assert_eq!(
        (answer.verdict, &answer.infinite[..]),
        (SeparationKind::QuasiComplete, &[up, down][..])
    );
}

/// The cone of a rank-3 problem is spanned by its extreme rays, each orthogonal to two rows.
#[test]
fn signs_agree_with_the_extreme_rays() {
    let mut seen = [0; 3];
    for round in 0..4_000 {
        let mut rng = Rng::new(15, round);
        let n = 4 + rng.below(5) as usize;
        let rows: Vec<Vec<f64>> =
            (0..n).map(|_| (0..2).map(|_| rng.below(3) as f64).collect()).collect();
        let y: Vec<&str> = (0..n)
            .map(|i| if i == 0 || (i > 1 && rng.below(2) == 0) { "n" } else { "y" })
            .collect();
        let answer = decide(&rows, &y);
        if answer.verdict != SeparationKind::QuasiComplete {
            continue;
        }
        let a: Vec<[i64; 3]> = (0..n)
            .map(|i| {
                let sign = if y[i] == "y" { 1 } else { -1 };
                [sign * rows[i][0] as i64, sign * rows[i][1] as i64, sign]
            })
            .collect();
        let cross = |p: &[i64; 3], q: &[i64; 3]| {
            [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        };
        let dot = |p: &[i64; 3], q: &[i64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let volume = |p: &[i64; 3], q: &[i64; 3], r: &[i64; 3]| dot(p, &cross(q, r));
        if !a.iter().any(|p| a.iter().any(|q| a.iter().any(|r| volume(p, q, r) != 0))) {
            continue;
        }
        let (mut least, mut most) = ([0; 3], [0; 3]);
        for (p, q) in a.iter().flat_map(|p| a.iter().map(move |q| (p, q))) {
            let ray = cross(p, q);
            if a.iter().all(|a| dot(a, &ray) >= 0) {
                for j in 0..3 {
                    least[j] = least[j].min(ray[j]);
                    most[j] = most[j].max(ray[j]);
                }
            }
        }
        for j in 0..3 {
            let column = (j < 2).then_some(j);
            let found = answer.infinite.iter().find(|one| one.column == column);
            let want = match (least[j] < 0, most[j] > 0) {
                (false, false) => None,
                (true, true) => Some(Divergence::Undetermined),
                (true, false) => Some(Divergence::Minus),
                (false, true) => Some(Divergence::Plus),
            };
            assert_eq!(found.map(|one| one.divergence), want, "round {round}: {rows:?} {y:?}");
            seen[match want {
                None => 0,
                Some(Divergence::Undetermined) => 1,
                Some(_) => 2,
            }] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
}

#[test]
fn partial_results_of_undecided_searches() {
    // A row in both classes, and too many columns for exact systems: the dependence still rules out
    // complete separation.
    let mut rows: Vec<Vec<f64>> =
        (0..12).map(|i| vec![f64::from(i), f64::from(i * i % 7)]).collect();
    rows.push(rows[3].clone());
    let x = Design::dense(13, 2, rows.concat()).unwrap();
    let y: Vec<&str> = (0..13).map(|i| if i < 6 { "n" } else { "y" }).collect();
    let labels = Labels::parse(y);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let limits = Limits { exact_width: 2, ..Limits::default() };
    let answer = separate(&problem, None, &limits, &mut ()).unwrap();
    assert_eq!((answer.verdict, answer.reason), (SeparationKind::Undecided, Some(Reason::Width)));
    let few = answer.known.dependence.unwrap();
    let signed = SignedRows::new(&problem, None).unwrap();
    assert_eq!(check::rules_out_complete(&signed, &few), Ok(()));

    // Stopped after one sweep: nothing is proved, but a direction has been tried. The pool starts
    // with every 13th row.
    let x = Design::dense(500, 1, (0..500).map(f64::from).collect()).unwrap();
    let y: Vec<&str> = (0..500).map(|i| if i < 250 { "n" } else { "y" }).collect();
    let labels = Labels::parse(y);
    let problem = Problem::new(&x, &labels, None).unwrap();
    let answer = separate(&problem, None, &Limits::default(), &mut Impatient).unwrap();
    assert_eq!(
        (answer.verdict, answer.reason),
        (SeparationKind::Undecided, Some(Reason::Interrupted))
    );
    assert_eq!(answer.known.dependence, None);
    let (wrong, of) = answer.known.fewest_misclassified.unwrap();
    assert!(wrong < 13 && of == 500, "{wrong} of {of}");
}

/// Observer that stops after the first sweep.
struct Impatient;

impl Observer for Impatient {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        false
    }
}

#[test]
fn search_ends_when_all_rows_are_settled() {
    let text = "0 1:1 3:1|2 1:1 3:1|0 1:1 2:1|1 1:1 3:1|1 1:1 2:1|1 1:1 2:1|1 1:1 3:1|1 1:1 3:1|\
                1 1:1 2:1|1 1:1 2:1|2 1:1 2:1|1 1:1 3:1";
    let rows: Vec<Vec<f64>> = text
        .split('|')
        .map(|line| {
            ["1:1", "2:1", "3:1"].map(|pair| f64::from(u8::from(line.contains(pair)))).to_vec()
        })
        .collect();
    let y: Vec<&str> = text.split('|').map(|line| &line[..1]).collect();
    assert_eq!(verdict(&rows, &y), SeparationKind::Overlap);
}

/// Returns whether a target is a combination of rows with factors ≥ 0: phase one of the simplex
/// method with Bland's rule, in integers over a common denominator.
fn in_cone(rows: &[Vec<i128>], target: &[i128]) -> bool {
    let m = rows.len();
    let mut table: Vec<Vec<i128>> = (0..target.len())
        .map(|k| {
            let sign = if target[k] < 0 { -1 } else { 1 };
            let row = rows.iter().map(|row| sign * row[k]);
            row.chain([sign * target[k]]).collect()
        })
        .collect();
    let gains = (0..=m).map(|j| table.iter().map(|row| row[j]).sum()).collect();
    table.push(gains);
    let mut basic: Vec<usize> = (m..m + target.len()).collect();
    let mut denominator = 1;
    while let Some(column) = (0..m).find(|&j| table[target.len()][j] > 0) {
        let fits = (0..target.len()).filter(|&i| table[i][column] > 0);
        let pivot = fits.min_by(|&a, &b| {
            let ratio = |of: usize, by: usize| table[of][m] * table[by][column];
            ratio(a, b).cmp(&ratio(b, a)).then(basic[a].cmp(&basic[b]))
        });
        let pivot = pivot.expect("the sum of the artificial variables is bounded");
        let row = table[pivot].clone();
        for (_, other) in table.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = other[column];
            for (v, p) in other.iter_mut().zip(&row) {
                *v = (*v * row[column] - factor * p) / denominator;
            }
        }
        (denominator, basic[pivot]) = (row[column], column);
    }
    table[target.len()][m] == 0
}

/// Decides separation by two linear programs over all k hyperplanes (Gordan's and Stiemke's
/// alternatives).
fn by_linear_programs(rows: &[Vec<f64>], y: &[usize], k: usize) -> SeparationKind {
    let stride = rows[0].len() + 1;
    let mut signed = std::collections::BTreeSet::new();
    for (row, &own) in rows.iter().zip(y) {
        for other in (0..k).filter(|&c| c != own) {
            let mut a = vec![0_i128; k * stride];
            for (j, v) in row.iter().chain(&[1.0]).enumerate() {
                a[own * stride + j] = *v as i128;
                a[other * stride + j] = -*v as i128;
            }
            signed.insert(a);
        }
    }
    let signed: Vec<Vec<i128>> = signed.into_iter().collect();
    // 1. Not complete: a convex combination of the signed rows is 0.
    let ones: Vec<Vec<i128>> = signed.iter().map(|a| [&a[..], &[1]].concat()).collect();
    let mut target = vec![0; k * stride + 1];
    target[k * stride] = 1;
    if !in_cone(&ones, &target) {
        return SeparationKind::Complete;
    }
    // 2. Overlap: no h has a·h ≥ 0 on all signed rows and a sum above 0.
    let minus = |j: usize| -signed.iter().map(|a| a[j]).sum::<i128>();
    let minus: Vec<i128> = (0..k * stride).map(minus).collect();
    if in_cone(&signed, &minus) { SeparationKind::Overlap } else { SeparationKind::QuasiComplete }
}

#[test]
fn separation_of_tiny_problems_agrees_with_linear_programs() {
    const NAMES: [&str; 3] = ["a", "b", "c"];
    let mut counts = [0; 3];
    for round in 0..6_000 {
        let mut rng = Rng::new(9, round);
        let (n, d, k) = (3 + rng.below(12), 1 + rng.below(4), 2 + rng.below(2));
        let constant = rng.below(2) == 0;
        let one_hot = rng.below(3) == 0;
        let rows: Vec<Vec<f64>> = (0..n)
            .map(|_| {
                let hot = rng.below(d);
                let cell = |j: u64, rng: &mut Rng| match j {
                    0 if constant => 1.0,
                    j if one_hot => f64::from(u8::from(j == hot)),
                    _ => rng.below(2) as f64,
                };
                (0..d).map(|j| cell(j, &mut rng)).collect()
            })
            .collect();
        // Every class has a row; the remaining rows favor one class.
        let class = |i: u64, rng: &mut Rng| match i {
            i if i < k => i,
            _ => rng.below(k + 2).min(k - 1),
        };
        let y: Vec<usize> = (0..n).map(|i| class(i, &mut rng) as usize).collect();
        let names: Vec<&str> = y.iter().map(|&c| NAMES[c]).collect();
        let expected = by_linear_programs(&rows, &y, k as usize);
        assert_eq!(verdict(&rows, &names), expected, "round {round}: {rows:?} {names:?}");
        counts[[
            SeparationKind::Complete,
            SeparationKind::QuasiComplete,
            SeparationKind::Overlap,
        ]
        .iter()
        .position(|v| *v == expected)
        .unwrap()] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}
