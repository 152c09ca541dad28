//! Closed-form learners against their claims: figures of the lectures, a double-double reference,
//! brute force, each other, and ill-conditioned data.
//!
//! Over 400 lines: all closed forms share the data and the reference of this file.

#![allow(clippy::unwrap_used)] // tests may unwrap

mod double_double;

use double_double::DoubleDouble;
use linsep_core::data::Moments;
use linsep_core::learner::{
    Fact, Fisher, FitResult, Gaussian, InterceptRule, Learner, LeastSquares, Priors, Shrinkage,
};
use linsep_core::math::rng::Rng;
use linsep_core::prelude::*;
use proptest::prelude::*;
use std::borrow::Cow;

/// Rows with classes and sample weights.
#[derive(Clone)]
struct Data {
    rows: Vec<Vec<f64>>,
    labels: Vec<String>,
    weights: Vec<f64>,
}

impl Data {
    fn of(rows: &[&[f64]], labels: &[&str]) -> Self {
        Self {
            rows: rows.iter().map(|row| row.to_vec()).collect(),
            labels: labels.iter().map(|l| (*l).to_owned()).collect(),
            weights: vec![1.0; rows.len()],
        }
    }

    /// Draws n rows of d columns in k classes with different means; every class has a row.
    fn random(seed: u64, n: usize, d: usize, k: usize) -> Self {
        let mut rng = Rng::new(seed, 7);
        let mut data = Self { rows: vec![], labels: vec![], weights: vec![1.0; n] };
        for i in 0..n {
            let c = if i < k { i } else { rng.below(k as u64) as usize };
            let bell = |rng: &mut Rng| (0..6).map(|_| rng.unit()).sum::<f64>() - 3.0;
            let common = bell(&mut rng);
            let row =
                (0..d).map(|j| bell(&mut rng) + 0.5 * common + if j % k == c { 1.0 } else { 0.0 });
            data.rows.push(row.collect());
            data.labels.push(format!("c{c}"));
        }
        data
    }

    fn dense(&self) -> Design {
        Design::dense(self.rows.len(), self.rows[0].len(), self.rows.concat()).unwrap()
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
        Design::sparse(self.rows[0].len(), starts, indices, values).unwrap()
    }

    fn on<T>(&self, x: &Design, work: impl FnOnce(&Problem<'_>) -> T) -> T {
        let labels = Labels::parse(self.labels.iter().map(String::as_str));
        work(&Problem::new(x, &labels, Some(self.weights.clone())).unwrap())
    }

    fn fit(&self, learner: &dyn Learner) -> FitResult {
        self.try_fit(learner).unwrap()
    }

    fn try_fit(&self, learner: &dyn Learner) -> Result<FitResult, Error> {
        self.on(&self.dense(), |problem| learner.learn(problem, None, None, &mut ()))
    }

    fn moments(&self) -> Moments {
        self.on(&self.dense(), |problem| Moments::of(problem).unwrap())
    }

    fn part(&self, rows: std::ops::Range<usize>) -> Self {
        Self {
            rows: self.rows[rows.clone()].to_vec(),
            labels: self.labels[rows.clone()].to_vec(),
            weights: self.weights[rows].to_vec(),
        }
    }
}

fn gales() -> Data {
    let rows: [&[f64]; 8] = [
        &[1.0, 0.0],
        &[1.0, 1.0],
        &[0.6, 0.6],
        &[0.7, 0.4],
        &[0.0, 0.0],
        &[0.0, 1.0],
        &[0.25, 1.0],
        &[0.3, 0.4],
    ];
    Data::of(&rows, &["w1", "w1", "w1", "w1", "w2", "w2", "w2", "w2"])
}

fn number(fit: &FitResult, name: &str) -> f64 {
    match fit.facts.get(name) {
        Some(Fact::Number(v)) => *v,
        other => panic!("{name}: {other:?}"),
    }
}

fn notes(fit: &FitResult) -> String {
    let sentence = |(_, fact): &(Cow<'_, str>, Fact)| match fact {
        Fact::Note(text) => Some(text.clone()),
        _ => None,
    };
    fit.facts.list().iter().filter_map(sentence).collect::<Vec<_>>().join("\n")
}

fn close(a: &[f64], b: &[f64], relative: f64) -> bool {
    let scale = b.iter().fold(1e-300_f64, |most, v| most.max(v.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= relative * scale)
}

fn hyperplanes_close(a: &FitResult, b: &FitResult, relative: f64) -> bool {
    a.model.hyperplanes().iter().zip(b.model.hyperplanes()).all(|(a, b)| {
        close(&a.w, &b.w, relative) && (a.b - b.b).abs() <= relative * (1.0 + b.b.abs())
    })
}

/// The learners with default settings, and variants.
fn learners() -> Vec<Box<dyn Learner>> {
    vec![
        Box::new(LeastSquares::default()),
        Box::new(LeastSquares { lambda: 0.1, loo: false }),
        Box::new(Fisher::default()),
        Box::new(Gaussian::default()),
        Box::new(Gaussian { shrinkage: Shrinkage::Auto, ..Gaussian::default() }),
    ]
}

#[test]
fn fisher_matches_the_lectures() {
    let data = gales();
    let fisher = Fisher { bias: InterceptRule::MaxMargin, ..Fisher::default() };
    let fit =
        data.on(&data.dense(), |problem| fisher.learn(problem, None, Some(0), &mut ())).unwrap();
    let hyperplane = &fit.model.hyperplanes()[0];
    assert!(close(&hyperplane.w, &[3.387_78, -0.162_61], 2e-6), "{hyperplane:?}");
    assert!((hyperplane.b + 1.443_20).abs() < 5e-6, "{hyperplane:?}");
    let Some(Fact::Points(means)) = fit.facts.get("means") else { panic!() };
    assert!(close(&means.concat(), &[0.825, 0.5, 0.1375, 0.6], 1e-15), "{means:?}");
    let Some(Fact::Scatter(within)) = fit.facts.get("within-scatter") else { panic!() };
    assert!(close(&within.concat(), &[0.204_375, 0.03, 0.03, 1.24], 1e-15), "{within:?}");
    assert_eq!((fit.mistakes, fit.stop), (0.0, StopReason::ClosedForm));
    // J = (m₁ − m₂)·w.
    let j = 0.6875 * hyperplane.w[0] - 0.1 * hyperplane.w[1];
    assert!((number(&fit, "J") - j).abs() < 1e-12);
}

#[test]
fn thresholds_match_their_definitions() {
    // One column: a at 0, 1, 2; b at 3, 5, 10. S_W = 2 + 26 = 28, w = 5/28.
    let data = Data::of(
        &[&[0.0], &[1.0], &[2.0], &[3.0], &[5.0], &[10.0]],
        &["a", "a", "a", "b", "b", "b"],
    );
    let cut = |data: &Data, bias| {
        let fit = data.fit(&Fisher { bias, ..Fisher::default() });
        -fit.model.hyperplanes()[0].b / fit.model.hyperplanes()[0].w[0]
    };
    assert!((cut(&data, InterceptRule::Means) - 3.5).abs() < 1e-12);
    assert!((cut(&data, InterceptRule::Gaussian) - 3.5).abs() < 1e-12, "priors are even");
    assert!((cut(&data, InterceptRule::MaxMargin) - 2.5).abs() < 1e-12);
    assert!((cut(&data, InterceptRule::MinError) - 2.5).abs() < 1e-12);
    // If b has twice the weight, the threshold of the densities moves by ln(2) Σ/(m₁ − m₀) towards
    // a.
    let mut heavy = data.clone();
    heavy.weights = vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    let variance = (2.0 + 52.0) / 9.0;
    assert!(
        (cut(&heavy, InterceptRule::Gaussian) - (3.5 - 2.0_f64.ln() * variance / 5.0)).abs()
            < 1e-12
    );
    // Not separable: a note, and the fewest misclassified rows.
    let mixed = Data::of(
        &[&[0.0], &[1.0], &[4.0], &[3.0], &[5.0], &[10.0]],
        &["a", "a", "a", "b", "b", "b"],
    );
    let fit = mixed.fit(&Fisher { bias: InterceptRule::MaxMargin, ..Fisher::default() });
    assert!(notes(&fit).contains("no margin"), "{}", notes(&fit));
    assert_eq!(fit.mistakes, 1.0);
    let cut = -fit.model.hyperplanes()[0].b / fit.model.hyperplanes()[0].w[0];
    assert!(
        (cut - 2.0).abs() < 1e-12,
        "the wider gap of two thresholds with one misclassified \
        row: {cut}"
    );
}

#[test]
fn scores_of_least_squares_sum_to_one() {
    for lambda in [0.0, 0.3] {
        let data = Data::random(3, 60, 5, 4);
        let fit = data.fit(&LeastSquares { lambda, loo: false });
        let scores = fit.model.scores(&data.dense()).unwrap();
        for row in scores.chunks(4) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{row:?}");
        }
    }
}

#[test]
fn one_hyperplane_or_two_predict_the_same() {
    for lambda in [0.0, 0.05] {
        let data = Data::random(11, 80, 4, 2);
        let learner = LeastSquares { lambda, loo: false };
        let one = data.fit(&learner);
        let two = learner.hyperplanes_of(&data.moments()).unwrap();
        let z = one.model.scores(&data.dense()).unwrap();
        for (row, z) in data.rows.iter().zip(z) {
            assert!((2.0 * two[1].at(row) - 1.0 - z).abs() < 1e-12);
            assert!((two[0].at(row) + two[1].at(row) - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn least_squares_minimizes_its_objective() {
    // The solvers of regularized risk minimization minimize the same objective independently.
    let data = Data::random(5, 70, 6, 2);
    let closed = data.fit(&LeastSquares { lambda: 0.07, loo: false });
    let convex = RegularizedErm {
        loss: &linsep_core::loss::Squared,
        strength: RegularizationStrength::Lambda(0.07),
        goal: linsep_core::solvers::StoppingCriteria { tol: 1e-13, ..Default::default() },
        ..RegularizedErm::default()
    };
    let other = data
        .on(&data.dense(), |problem| linsep_core::learner::fit(problem, &convex, None, &mut ()));
    let other = other.unwrap();
    assert!(hyperplanes_close(&closed, &other, 1e-6));
    let (a, b) = (closed.objective.unwrap(), other.objective.unwrap());
    assert!((a - b).abs() < 1e-12 * b && a >= other.bound.unwrap() - 1e-12);
}

#[test]
fn fisher_with_all_directions_predicts_as_gaussian() {
    for k in [3, 5] {
        let data = Data::random(17, 120, 7, k);
        let (fisher, gaussian) = (data.fit(&Fisher::default()), data.fit(&Gaussian::default()));
        assert_eq!(fisher.directions.len(), k - 1);
        let x = data.dense();
        let (mut p, mut q) = (Vec::new(), Vec::new());
        let scores = fisher.model.scores(&x).unwrap();
        for (a, b) in scores.chunks(k).zip(gaussian.model.scores(&x).unwrap().chunks(k)) {
            assert!(
                fisher.model.probabilities(a, &mut p) && gaussian.model.probabilities(b, &mut q)
            );
            assert!(close(&p, &q, 1e-10), "{p:?} {q:?}");
        }
        // Fewer directions: a smaller J, with the same first directions.
        let two = data.fit(&Fisher { dims: Some(2), ..Fisher::default() });
        assert_eq!(two.directions[..], fisher.directions[..2]);
        assert!(number(&two, "J") <= number(&fisher, "J") + 1e-12);
        assert!((number(&fisher, "J") - number(&fisher, "J-of-all")).abs() < 1e-9);
        assert!(two.model.hyperplanes() != fisher.model.hyperplanes() || k == 3);
    }
}

/// The equality also holds if the scatter is singular and class means differ along directions of
/// zero variance.
#[test]
fn fisher_equals_gaussian_for_singular_scatter() {
    let wide = Data::random(19, 30, 400, 3);
    let mut singular = Data::random(23, 90, 4, 3);
    for (row, class) in singular.rows.iter_mut().zip(&singular.labels) {
        let code = ["c0", "c1", "c2"].iter().position(|c| c == class).unwrap();
        row.push(2.0 * row[0] + [0.0, 3.0, 1.0][code]);
    }
    for data in [wide, singular] {
        let (fisher, gaussian) = (data.fit(&Fisher::default()), data.fit(&Gaussian::default()));
        assert!(notes(&gaussian).contains("without within-class scatter"), "{}", notes(&gaussian));
        let x = data.dense();
        let (mut p, mut q) = (Vec::new(), Vec::new());
        let scores = fisher.model.scores(&x).unwrap();
        for (a, b) in scores.chunks(3).zip(gaussian.model.scores(&x).unwrap().chunks(3)) {
            assert!(
                fisher.model.probabilities(a, &mut p) && gaussian.model.probabilities(b, &mut q)
            );
            assert!(p.iter().zip(&q).all(|(p, q)| (p - q).abs() < 1e-8), "{p:?} {q:?}");
        }
    }
}

#[test]
fn directions_have_unit_within_class_variance_and_are_uncorrelated() {
    let data = Data::random(23, 90, 5, 4);
    let fit = data.fit(&Fisher::default());
    let moments = data.moments();
    let d = moments.d();
    let at =
        |i: usize, j: usize| moments.within()[i.min(j) * d + i.max(j)] / moments.total_weight();
    for (a, p) in fit.directions.iter().enumerate() {
        for (b, q) in fit.directions.iter().enumerate() {
            let product: f64 = (0..d)
                .flat_map(|i| (0..d).map(move |j| (i, j)))
                .map(|(i, j)| p.w[i] * at(i, j) * q.w[j])
                .sum();
            let want = if a == b { 1.0 } else { 0.0 };
            assert!((product - want).abs() < 1e-10, "{a} {b} {product}");
        }
    }
    let Some(Fact::Numbers(values)) = fit.facts.get("J-by-direction") else { panic!() };
    assert!(values.is_sorted_by(|a, b| a >= b));
}

/// Bayes' rule with Gaussian densities, computed from the definition for two columns.
#[test]
fn posteriors_follow_from_densities() {
    let data = Data::random(29, 50, 2, 3);
    let fit = data.fit(&Gaussian {
        priors: "c0=1,c1=2,c2=5".parse::<Priors>().unwrap(),
        ..Gaussian::default()
    });
    let moments = data.moments();
    let s = |i: usize| moments.within()[i] / moments.total_weight();
    let (a, b, c) = (s(0), s(1), s(3));
    let determinant = a * c - b * b;
    let mut p = Vec::new();
    for row in &data.rows {
        let scores: Vec<f64> =
            fit.model.hyperplanes().iter().map(|hyperplane| hyperplane.at(row)).collect();
        fit.model.probabilities(&scores, &mut p);
        let joint: Vec<f64> = (0..3)
            .map(|class| {
                let mean = moments.mean(class);
                let (u, v) = (row[0] - mean[0], row[1] - mean[1]);
                let distance = (c * u * u - 2.0 * b * u * v + a * v * v) / determinant;
                [1.0, 2.0, 5.0][class] * (-distance / 2.0).exp()
            })
            .collect();
        let total: f64 = joint.iter().sum();
        let want: Vec<f64> = joint.iter().map(|j| j / total).collect();
        assert!(close(&p, &want, 1e-10), "{p:?} {want:?}");
    }
}

#[test]
fn leave_one_out_formula_equals_brute_force() {
    let mut data = Data::random(31, 24, 3, 3);
    data.weights[5] = 2.0;
    for k in [3, 2] {
        data.labels.iter_mut().for_each(|l| {
            if k == 2 && l == "c2" {
                "c1".clone_into(l);
            }
        });
        let chosen = data.fit(&LeastSquares { loo: true, ..LeastSquares::default() });
        let Some(Fact::Table(_, points)) = chosen.facts.get("leave-one-out") else { panic!() };
        for point in points {
            let lambda = point[0];
            let total: f64 = data.weights.iter().sum();
            let (mut error, mut wrong) = (0.0, 0.0);
            for i in 0..data.rows.len() {
                let mut rest = data.clone();
                rest.weights[i] -= 1.0;
                // The penalty relative to the sum of losses is constant: λS/2.
                let lambda = lambda * total / (total - 1.0);
                let fit = rest.fit(&LeastSquares { lambda, loo: false });
                let scores: Vec<f64> =
                    fit.model.hyperplanes().iter().map(|h| h.at(&data.rows[i])).collect();
                let class: usize = data.labels[i][1..].parse().unwrap();
                let target = |j: usize| match k {
                    2 => {
                        if class == 1 {
                            1.0
                        } else {
                            -1.0
                        }
                    }
                    _ => {
                        if class == j {
                            1.0
                        } else {
                            0.0
                        }
                    }
                };
                let miss: f64 =
                    scores.iter().enumerate().map(|(j, z)| (target(j) - z).powi(2)).sum();
                error += data.weights[i] * miss / total;
                let right = fit.model.decision_rule().class(&scores) as usize == class;
                wrong += if right { 0.0 } else { data.weights[i] / total };
            }
            assert!((point[1] - error).abs() < 1e-9 * error, "{point:?} {error}");
            assert!((point[2] - wrong).abs() < 1e-12, "{point:?} {wrong}");
        }
    }
}

#[test]
fn leave_one_out_selects_the_best_lambda_of_the_grid() {
    let data = Data::random(37, 30, 20, 2);
    let fit = data.fit(&LeastSquares { loo: true, ..LeastSquares::default() });
    let Some(Fact::Table(_, rows)) = fit.facts.get("leave-one-out") else { panic!() };
    let best = rows.iter().map(|row| row[1]).fold(f64::INFINITY, f64::min);
    let chosen = rows.iter().find(|row| row[0] == number(&fit, "lambda")).unwrap();
    assert_eq!((rows.len(), chosen[1]), (25, best));
}

#[test]
fn merged_moments_equal_those_of_all_rows() {
    let data = Data::random(41, 400, 6, 3);
    let all = data.moments();
    let mut merged = Moments::none(6, 3);
    for start in (0..400).step_by(80) {
        let part = data.part(start..start + 80);
        assert_eq!(part.moments().k(), 3, "every class is in every part");
        merged.merge(&part.moments());
    }
    assert!(close(merged.within(), all.within(), 1e-13));
    assert!(close(merged.weights(), all.weights(), 1e-15));
    (0..3).for_each(|c| assert!(close(&merged.mean(c), &all.mean(c), 1e-13)));
}

#[test]
fn same_bits_for_any_thread_count_and_same_moments_for_any_storage() {
    let mut data = Data::random(43, 6_000, 20, 3);
    // Most values are zero, which selects the sparse code path; one column is dense and far from
    // zero.
    let mut rng = Rng::new(1, 1);
    for row in &mut data.rows {
        row.iter_mut().for_each(|v| {
            if rng.unit() < 0.85 {
                *v = 0.0;
            }
        });
        row[4] = 1e6 + rng.unit();
    }
    let in_pool = |threads: usize, x: &Design| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| data.on(x, |problem| Moments::of(problem).unwrap()))
    };
    let (dense, sparse) = (data.dense(), data.sparse());
    assert_eq!(in_pool(1, &dense), in_pool(3, &dense));
    assert_eq!(in_pool(1, &sparse), in_pool(3, &sparse));
    let (a, b) = (in_pool(2, &dense), in_pool(2, &sparse));
    assert!(close(b.within(), a.within(), 1e-11));
    for c in 0..3 {
        assert!(close(&b.mean(c), &a.mean(c), 1e-14));
    }
    let fourth = |x: &Design, m: &Moments| data.on(x, |problem| m.fourth(problem, &[1.0; 20]));
    let (a, b) = (fourth(&dense, &a), fourth(&sparse, &b));
    assert!(
        (a - b).abs() < 1e-4 * a,
        "a column at 10⁶ costs digits where few values are stored: {a} {b}"
    );
}

/// Means and scatter in double-double precision.
fn reference(data: &Data) -> (Vec<Vec<DoubleDouble>>, Vec<Vec<DoubleDouble>>) {
    let mut classes: Vec<&String> = data.labels.iter().collect();
    classes.sort();
    classes.dedup();
    let d = data.rows[0].len();
    let mut means = Vec::new();
    let mut within = vec![vec![DoubleDouble::from(0.0); d]; d];
    for class in classes {
        let own = || (0..data.rows.len()).filter(|&i| data.labels[i] == *class);
        let n = own().fold(DoubleDouble::from(0.0), |n, i| n + DoubleDouble::from(data.weights[i]));
        let mean: Vec<DoubleDouble> = (0..d)
            .map(|j| {
                own().fold(DoubleDouble::from(0.0), |sum, i| {
                    sum + DoubleDouble::from(data.rows[i][j]) * DoubleDouble::from(data.weights[i])
                }) / n
            })
            .collect();
        for i in own() {
            for a in 0..d {
                for b in 0..d {
                    let product = (DoubleDouble::from(data.rows[i][a]) - mean[a])
                        * (DoubleDouble::from(data.rows[i][b]) - mean[b]);
                    within[a][b] = within[a][b] + product * DoubleDouble::from(data.weights[i]);
                }
            }
        }
        means.push(mean);
    }
    (means, within)
}

#[test]
fn offsets_and_scales_cost_no_precision() {
    for (name, change) in [
        (
            "at 1e8 ± 1",
            (|_, row: &mut Vec<f64>| row.iter_mut().for_each(|v| *v += 1e8))
                as fn(&str, &mut Vec<f64>),
        ),
        ("classes 1e8 apart", |class, row| {
            if class == "c1" {
                row[0] += 1e8;
            }
        }),
        ("scales 1e±8", |_, row| {
            row[0] *= 1e8;
            row[1] *= 1e-8;
        }),
        ("scales and offsets", |_, row| {
            row[0] = 1e8 * row[0] + 1e14;
            row[1] = 1e-8 * row[1] - 0.5;
        }),
    ] {
        let mut data = Data::random(47, 200, 3, 2);
        data.weights[7] = 3.0;
        let classes = data.labels.clone();
        data.rows.iter_mut().zip(&classes).for_each(|(row, class)| change(class, row));
        let moments = data.moments();
        let (means, within) = reference(&data);
        for j in 0..3 {
            for i in j..3 {
                let (got, want) = (moments.within()[j * 3 + i], within[j][i].value());
                let size = (within[i][i].value() * within[j][j].value()).sqrt();
                assert!((got - want).abs() < 1e-13 * size, "{name}: {i} {j} {got} {want}");
            }
        }
        // w = S_W⁻¹(m₁ − m₀), by elimination in double-double precision.
        let step: Vec<DoubleDouble> = (0..3).map(|j| means[1][j] - means[0][j]).collect();
        let want: Vec<f64> =
            double_double::solve(&within, &step).iter().map(|w| w.value()).collect();
        let fit = data.fit(&Fisher { bias: InterceptRule::Means, ..Fisher::default() });
        let hyperplane = &fit.model.hyperplanes()[0];
        for (got, want) in hyperplane.w.iter().zip(&want) {
            assert!((got - want).abs() < 1e-9 * want.abs(), "{name}: {:?} {want:?}", hyperplane.w);
        }
    }
}

/// Columns with many zeros take a separate code path for the moments; columns at 10⁸ ± 1 among them
/// are centered as usual.
#[test]
fn many_zeros_cost_no_precision() {
    let (n, d) = (1_200, 132);
    let mut rng = Rng::new(61, 2);
    let mut data = Data::random(59, n, 1, 3);
    for (row, s) in data.rows.iter_mut().zip(&mut data.weights) {
        *row = (0..d / 6)
            .flat_map(|j| {
                let there = rng.unit() < if j == 3 { 0.74 } else { 0.25 };
                let value = move |u: f64| match j {
                    0 => 1e8 + u,
                    _ if there => 5.0 + u,
                    _ => 0.0,
                };
                (0..6).map(|_| value(rng.unit())).collect::<Vec<_>>()
            })
            .collect();
        *s = 1.0 + rng.below(3) as f64;
    }
    let (_, within) = reference(&data);
    let by_rows = data.moments();
    let by_values = data.on(&data.sparse(), |problem| Moments::of(problem).unwrap());
    for moments in [by_rows, by_values] {
        for j in 0..d {
            for i in j..d {
                let (got, want) = (moments.within()[j * d + i], within[j][i].value());
                let size = (within[i][i].value() * within[j][j].value()).sqrt();
                assert!((got - want).abs() < 1e-13 * size, "{i} {j}: {got} {want}");
            }
        }
    }
}

#[test]
fn least_squares_matches_double_double_elimination() {
    for (scale, offset) in [(1.0, 0.0), (1e8, 1e9), (1e-8, 3.0)] {
        let mut data = Data::random(53, 90, 4, 3);
        data.rows.iter_mut().for_each(|row| row[2] = row[2] * scale + offset);
        // Normal equations of (x, 1) for the indicator of class c1.
        let (d, n) = (4, data.rows.len());
        let at =
            |i: usize, j: usize| DoubleDouble::from(if j == d { 1.0 } else { data.rows[i][j] });
        let zero = DoubleDouble::from(0.0);
        let gram: Vec<Vec<DoubleDouble>> = (0..=d)
            .map(|a| {
                (0..=d).map(|b| (0..n).fold(zero, |sum, i| sum + at(i, a) * at(i, b))).collect()
            })
            .collect();
        let own = |i: &usize| data.labels[*i] == "c1";
        let right: Vec<DoubleDouble> =
            (0..=d).map(|a| (0..n).filter(own).fold(zero, |sum, i| sum + at(i, a))).collect();
        let want = double_double::solve(&gram, &right);
        let fit = data.fit(&LeastSquares::default());
        let hyperplane = &fit.model.hyperplanes()[1];
        for (got, want) in hyperplane.w.iter().chain([&hyperplane.b]).zip(&want) {
            assert!(
                (got - want.value()).abs() < 1e-9 * want.value().abs(),
                "{hyperplane:?} {want:?}"
            );
        }
    }
}

#[test]
fn constant_and_duplicate_columns_change_no_score() {
    let plain = Data::random(59, 100, 3, 3);
    let mut odd = plain.clone();
    for row in &mut odd.rows {
        let copy = row[1];
        row.extend([copy, 0.1, 1e12]); // a copy of column 1, and two constant columns
    }
    for learner in learners() {
        if learner.settings().iter().any(|(_, v)| matches!(v.to_string().as_str(), "auto" | "0.1"))
        {
            continue; // regularization depends on all columns, so a copy has an effect
        }
        let (a, b) = (plain.fit(learner.as_ref()), odd.fit(learner.as_ref()));
        let (a, b) =
            (a.model.scores(&plain.dense()).unwrap(), b.model.scores(&odd.dense()).unwrap());
        // 10¹² × 0 is 0; the coefficients of constant columns are exactly 0.
        assert!(close(&b, &a, 1e-9), "{}", learner.name());
    }
    let fit = odd.fit(&Gaussian::default());
    assert_eq!(number(&fit, "rank"), 3.0);
    assert!(notes(&fit).contains("rank 3 of 4"), "{}", notes(&fit));
    let w = &fit.model.hyperplanes()[0].w;
    assert!((w[1] - w[3]).abs() < 1e-9 * w[1].abs() && w[4] == 0.0 && w[5] == 0.0, "{w:?}");
}

#[test]
fn least_squares_returns_the_minimum_norm_solution() {
    // Two rows, three columns: w = Xᶜ⁺y. Rows ±(1, 2, 2)/2 about their mean: w = (1, 2, 2)·2/9, z =
    // ±1.
    let data = Data::of(&[&[0.0, 0.0, 5.0], &[1.0, 2.0, 7.0]], &["a", "b"]);
    let fit = data.fit(&LeastSquares::default());
    let hyperplane = &fit.model.hyperplanes()[0];
    assert!(close(&hyperplane.w, &[2.0 / 9.0, 4.0 / 9.0, 4.0 / 9.0], 1e-12), "{hyperplane:?}");
    assert!(
        (hyperplane.at(&data.rows[1]) - 1.0).abs() < 1e-12
            && (hyperplane.at(&data.rows[0]) + 1.0).abs() < 1e-12
    );
    assert!(notes(&fit).contains("the minimum-norm solution is used"));
}

#[test]
fn wide_data_give_the_same_by_either_system() {
    // 300 columns use the n × n system; `hyperplanes_of`, from moments, uses the d × d system.
    let wide = Data::random(61, 40, 300, 3);
    for shrinkage in [Shrinkage::Fixed(0.3), Shrinkage::Auto] {
        let gaussian = Gaussian { shrinkage, ..Gaussian::default() };
        let turned = wide.fit(&gaussian);
        let moments = wide.moments();
        let x = wide.dense();
        let priors: Vec<f64> = moments.weights().iter().map(|n| n / 40.0).collect();
        let hyperplanes = wide
            .on(&x, |problem| {
                gaussian.hyperplanes_of(&moments, &priors, |u| moments.fourth(problem, u))
            })
            .unwrap();
        for (a, b) in turned.model.hyperplanes().iter().zip(&hyperplanes) {
            assert!(close(&a.w, &b.w, 1e-8), "{shrinkage:?}");
        }
        assert_eq!(turned.mistakes, 0.0);
    }
    for lambda in [0.0, 0.2] {
        let learner = LeastSquares { lambda, loo: false };
        let turned = wide.fit(&learner);
        let hyperplanes = learner.hyperplanes_of(&wide.moments()).unwrap();
        for (a, b) in turned.model.hyperplanes().iter().zip(&hyperplanes) {
            assert!(close(&a.w, &b.w, 1e-7) && (a.b - b.b).abs() < 1e-7, "{lambda}");
        }
    }
    // Sparse rows give the same.
    let mut few = wide.clone();
    let mut rng = Rng::new(3, 3);
    few.rows.iter_mut().flatten().for_each(|v| {
        if rng.unit() < 0.9 {
            *v = 0.0;
        }
    });
    for learner in learners() {
        let learn = |x: &Design| few.on(x, |p| learner.learn(p, None, None, &mut ()).unwrap());
        let (a, b) = (learn(&few.dense()), learn(&few.sparse()));
        assert!(hyperplanes_close(&a, &b, 1e-7), "{}", learner.name());
    }
}

#[test]
fn large_sparse_data_use_iterative_least_squares_and_other_methods_refuse() {
    let (n, d, k) = (3_100, 5_100, 3);
    let mut rng = Rng::new(83, 1);
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for i in 0..n {
        let mut places: Vec<u32> = (0..6).map(|_| rng.below(d as u64) as u32).collect();
        places.push((i % k) as u32);
        places.sort_unstable();
        places.dedup();
        values.extend(places.iter().map(|_| 0.5 + rng.unit()));
        indices.extend(places);
        starts.push(indices.len());
    }
    let x = Design::sparse(d, starts, indices, values).unwrap();
    let labels = Labels::parse((0..n).map(|i| ["a", "b", "c"][i % k]));
    let problem = Problem::new(&x, &labels, None).unwrap();
    let fit =
        LeastSquares { lambda: 1e-3, loo: false }.learn(&problem, None, None, &mut ()).unwrap();
    assert_eq!(fit.stop, StopReason::Optimal);
    let (value, bound) = (fit.objective.unwrap(), fit.bound.unwrap());
    assert!(bound <= value && value - bound <= 1e-5 * value, "{value} {bound}");
    for row in fit.model.scores(&x).unwrap().chunks(k) {
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-2, "{row:?}");
    }
    let error = Gaussian::default().learn(&problem, None, None, &mut ()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("5100 features and 3100 rows. Drop columns"), "{text}");
    assert!(text.contains("least-squares with `lambda`"), "{text}");
}

/// (`S_W` + μI) w ∝ m₁ − m₀ with μ = λn/2, because `S_T` − `S_W` is along m₁ − m₀.
#[test]
fn ridge_of_two_classes_has_the_direction_of_regularized_fisher() {
    let (data, d, lambda) = (Data::random(29, 60, 5, 2), 5, 0.3);
    let moments = data.moments();
    let fit = data.fit(&LeastSquares { lambda, loo: false });
    let w = &fit.model.hyperplanes()[0].w;
    let mu = lambda * moments.total_weight() / 2.0;
    let within = |i: usize, j: usize| moments.within()[i.min(j) * d + i.max(j)];
    let through: Vec<f64> =
        (0..d).map(|i| mu * w[i] + (0..d).map(|j| within(i, j) * w[j]).sum::<f64>()).collect();
    let away = moments.away();
    let step: Vec<f64> = away[1].iter().zip(&away[0]).map(|(b, a)| b - a).collect();
    let factor = through[0] / step[0];
    assert!(close(&through, &step.iter().map(|v| factor * v).collect::<Vec<_>>(), 1e-9));
}

#[test]
fn a_direction_of_zero_variance_is_noted_and_shrinkage_uses_it() {
    // Column 0 is the class itself.
    let mut data = Data::random(67, 40, 3, 2);
    for (row, label) in data.rows.iter_mut().zip(&data.labels) {
        row[0] = if label == "c1" { 1.0 } else { 0.0 };
    }
    let plain = data.fit(&Gaussian::default());
    assert!(notes(&plain).contains("without within-class scatter"), "{}", notes(&plain));
    let shrunk = data.fit(&Gaussian { shrinkage: Shrinkage::Auto, ..Gaussian::default() });
    assert_eq!(shrunk.mistakes, 0.0);
    assert!(number(&shrunk, "shrinkage") > 0.0);
}

#[test]
fn singleton_and_unbalanced_classes_give_finite_fits() {
    let mut data = Data::random(71, 500, 4, 3);
    data.labels.iter_mut().skip(1).for_each(|l| {
        if l == "c0" {
            "c1".clone_into(l);
        }
    });
    for learner in learners() {
        let fit = data.fit(learner.as_ref());
        assert!(fit.model.hyperplanes().iter().all(Hyperplane::is_finite), "{}", learner.name());
        assert!(fit.accuracy > 0.6, "{}: {}", learner.name(), fit.accuracy);
    }
}

#[test]
fn overflowing_squares_are_refused_with_the_column() {
    for scale in [1e200, 1e-200] {
        let mut data = Data::random(73, 30, 3, 2);
        data.rows.iter_mut().for_each(|row| row[1] *= scale);
        for learner in learners() {
            let error = data.try_fit(learner.as_ref()).unwrap_err();
            assert!(matches!(error, Error::Range { column: 1, .. }), "{}: {error}", learner.name());
        }
    }
}

#[test]
fn invalid_settings_are_refused() {
    let three = Data::random(79, 30, 3, 3);
    let refusal = |learner: &dyn Learner| three.try_fit(learner).unwrap_err().to_string();
    assert_eq!(
        refusal(&Fisher { bias: InterceptRule::MaxMargin, ..Fisher::default() }),
        "`intercept-rule` requires two classes, found 3"
    );
    let dims = |dims| refusal(&Fisher { dims: Some(dims), ..Fisher::default() });
    assert_eq!(dims(3), "`dims`: expected at most the number of classes − 1, found 3");
    assert_eq!(dims(0), "`dims`: expected at least 1, found 0");
    assert_eq!(
        refusal(&LeastSquares { lambda: -1.0, loo: false }),
        "`lambda`: expected a finite number of at least 0, found -1"
    );
    let x = three.dense();
    let start = [Hyperplane::zero(3)];
    let error =
        three.on(&x, |p| Gaussian::default().learn(p, Some(&start), None, &mut ())).unwrap_err();
    assert!(error.to_string().starts_with(
        "`start` does not apply to gaussian; it applies to \
        logistic"
    ));
    let error = three.on(&x, |p| Gaussian::default().learn(p, None, Some(1), &mut ())).unwrap_err();
    assert_eq!(error.to_string(), "`positive` requires two classes, found 3");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sample_weight_equals_repetition(seed in any::<u64>(), n in 12..40_usize, d in 1..5_usize, k in 2..4_usize) {
        let mut data = Data::random(seed, n, d, k);
        let mut rng = Rng::new(seed, 9);
        data.weights.iter_mut().skip(k).for_each(|s| *s = rng.below(4) as f64);
        let order: Vec<usize> = (0..n).flat_map(|i| std::iter::repeat_n(i, data.weights[i] as usize)).collect();
        let repeated = Data {
            rows: order.iter().map(|&i| data.rows[i].clone()).collect(),
            labels: order.iter().map(|&i| data.labels[i].clone()).collect(),
            weights: vec![1.0; order.len()],
        };
        let (a, b) = (data.moments(), repeated.moments());
        prop_assert!(close(a.within(), b.within(), 1e-12));
        let fourth = |data: &Data, m: &Moments| data.on(&data.dense(), |p| m.fourth(p, &vec![1.0; d]));
        let (p, q) = (fourth(&data, &a), fourth(&repeated, &b));
        prop_assert!((p - q).abs() <= 1e-11 * q.abs());
    }

    #[test]
    fn units_of_columns_do_not_change_scores(seed in any::<u64>(), n in 20..60_usize, d in 1..5_usize, k in 2..4_usize) {
        let plain = Data::random(seed, n, d, k);
        let mut scaled = plain.clone();
        scaled.rows.iter_mut().for_each(|row| row.iter_mut().zip([1024.0, 0.25, 8.0, 1.0, 0.5]).for_each(|(v, f)| *v *= f));
        for learner in learners() {
            if learner.settings().iter().any(|(name, v)| *name == "lambda" && v.to_string() != "0") {
                continue; // a ridge penalty depends on the units
            }
            let (a, b) = (plain.fit(learner.as_ref()), scaled.fit(learner.as_ref()));
            let (a, b) = (a.model.scores(&plain.dense()).unwrap(), b.model.scores(&scaled.dense()).unwrap());
            prop_assert!(close(&a, &b, 1e-7), "{}", learner.name());
        }
    }
}
