use super::*;
use crate::labels::RowLabels;
use linsep_core::Hyperplane;
use linsep_core::math::rng::Rng;
use linsep_core::metric::{
    PrPoint, RocPoint, accuracy, auc, auc_interval, average_precision, brier, log_loss,
    precision_recall, ranked_average_precision, ranked_precision_recall, ranked_roc, reliability,
    roc,
};
use linsep_core::model::{DecisionRule, Link};

/// Random rows with frequent ties, zeros of both signs, arbitrary weights, and unknown classes.
struct Rows {
    k: usize,
    scores: Vec<f64>,
    target: Vec<u32>,
    weights: Vec<f64>,
}

impl Rows {
    fn random(rng: &mut Rng, k: usize, n: usize, weighted: bool) -> Self {
        let hyperplanes = if k == 2 { 1 } else { k };
        let ties = rng.below(2) == 0;
        let mut score = || match rng.below(4) {
            0 => 0.0,
            1 => -0.0,
            _ if ties => rng.below(5) as f64 - 2.0,
            _ => 6.0 * rng.unit() - 3.0,
        };
        let scores = (0..n * hyperplanes).map(|_| score()).collect();
        let unknown = |c: usize| if c == k { UNKNOWN } else { c as u32 };
        let target = (0..n).map(|_| unknown(rng.below(k as u64 + 1) as usize)).collect();
        let weight = |rng: &mut Rng| if rng.below(5) == 0 { 0.0 } else { 3.0 * rng.unit() };
        let weights = (0..n).map(|_| if weighted { weight(rng) } else { 1.0 }).collect();
        Self { k, scores, target, weights }
    }

    fn hyperplanes(&self) -> usize {
        self.scores.len() / self.target.len()
    }

    fn model(&self) -> Model {
        let classes = (0..self.k).map(|c| Label::Number(c as f64)).collect();
        let decide = if self.k == 2 { DecisionRule::Sign } else { DecisionRule::ArgMax };
        let link = if self.k == 2 { Link::Logistic } else { Link::Softmax };
        let hyperplanes = vec![Hyperplane::zero(1); self.hyperplanes()];
        linsep_core::LinearModel::new(classes, hyperplanes, decide).unwrap().with_link(link).into()
    }

    /// Returns some of the rows as a batch.
    fn batch(&self, rows: std::ops::Range<usize>) -> Batch {
        let levels: Vec<Label> = (0..=self.k).map(|c| Label::Number(c as f64)).collect();
        let code = |t: &u32| if *t == UNKNOWN { self.k as u32 } else { *t };
        let codes = self.target[rows.clone()].iter().map(code).collect();
        let places = rows.start * self.hyperplanes()..rows.end * self.hyperplanes();
        Batch {
            scores: self.scores[places].to_vec(),
            kept: vec![true; rows.len()],
            labels: Some(RowLabels { levels, codes }),
            weights: Some(self.weights[rows].to_vec()),
            ..Batch::default()
        }
    }

    fn evaluate(&self, model: &Model, memory: usize, step: usize) -> (Evaluation, Rankings) {
        let mut evaluator = Evaluator::new(model, None, 3, Spill { memory, folder: None });
        let n = self.target.len();
        for start in (0..n).step_by(step) {
            evaluator.add(&self.batch(start..n.min(start + step))).unwrap();
        }
        evaluator.finish().unwrap()
    }
}

/// Returns the bits of all numbers.
fn bits(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    numbers.into_iter().map(f64::to_bits).collect()
}

fn roc_numbers(p: RocPoint) -> [f64; 3] {
    [p.threshold.unwrap_or(f64::INFINITY), p.false_positive, p.true_positive]
}

fn pr_numbers(p: PrPoint) -> [f64; 3] {
    [p.threshold, p.precision, p.recall]
}

#[test]
fn metrics_on_disk_equal_metrics_in_memory_to_the_bit() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed, 0);
        let (k, n) = (2 + rng.below(3) as usize, 1 + rng.below(300) as usize);
        let rows = Rows::random(&mut rng, k, n, seed % 2 == 0);
        let (model, weights) = (rows.model(), &rows.weights);
        let mut p = Vec::new();
        let predicted = model.decide_all(&rows.scores);
        let probabilities: Vec<f64> = rows
            .scores
            .chunks_exact(rows.hyperplanes())
            .flat_map(|row| {
                assert!(model.probabilities(row, &mut p));
                p.clone()
            })
            .collect();
        let ranks = model.ranks(&rows.scores).unwrap();
        // From about one row per run to a sort in memory.
        for memory in [1, 400, 3_000, usize::MAX] {
            let (found, rankings) = rows.evaluate(&model, memory, 1 + rng.below(40) as usize);
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(same(found.accuracy(), accuracy(&rows.target, &predicted, weights)));
            let value = |metric: &str| found.value(metric).unwrap();
            let of_true = |(row, t): (&[f64], &u32)| row.get(*t as usize).copied().unwrap_or(0.0);
            let of_true: Vec<f64> =
                probabilities.chunks_exact(k).zip(&rows.target).map(of_true).collect();
            assert!(same(value("log-loss"), log_loss(&of_true, weights)));
            assert!(same(value("brier"), brier(&probabilities, k, &rows.target, weights)));
            let bins = reliability(&probabilities, k, &rows.target, weights, 10);
            assert_eq!(found.bins, Some(bins));

            let mut areas = Vec::new();
            for (hyperplane, (_, side)) in rankings.sides().enumerate() {
                let class = if k == 2 { 1 } else { hyperplane as u32 };
                let positive: Vec<bool> = rows.target.iter().map(|t| *t == class).collect();
                let scores: Vec<f64> =
                    ranks.iter().skip(hyperplane).step_by(rows.hyperplanes()).copied().collect();
                areas.extend(auc(&positive, &scores, weights));
                let mut points = Vec::new();
                ranked_roc(&side, &mut |p| points.extend(roc_numbers(p))).unwrap();
                let want = roc(&positive, &scores, weights).unwrap_or_default();
                assert_eq!(bits(points), bits(want.into_iter().flat_map(roc_numbers)));
                let mut points = Vec::new();
                ranked_precision_recall(&side, &mut |p| points.extend(pr_numbers(p))).unwrap();
                let want = precision_recall(&positive, &scores, weights).unwrap_or_default();
                assert_eq!(bits(points), bits(want.into_iter().flat_map(pr_numbers)));
                let average = ranked_average_precision(&side).unwrap();
                assert_eq!(average, average_precision(&positive, &scores, weights));
                if k == 2 {
                    let own = found.metrics.iter().find(|m| m.name == "auc").unwrap();
                    assert_eq!(own.interval, auc_interval(&positive, &scores, weights));
                }
            }
            let mean = areas.iter().sum::<f64>() / areas.len() as f64;
            assert_eq!(found.value("auc"), (!areas.is_empty()).then_some(mean));
        }
    }
}

#[test]
fn missing_temporary_folder_is_named_in_the_error() {
    let mut rng = Rng::new(1, 0);
    let rows = Rows::random(&mut rng, 2, 10, false);
    let model = rows.model();
    let folder = Some("no/such/folder".into());
    let mut evaluator = Evaluator::new(&model, None, 0, Spill { memory: 1, folder });
    let error = evaluator.add(&rows.batch(0..10)).unwrap_err().to_string();
    assert!(error.starts_with("no/such/folder: writing temporary files failed ("), "{error}");
    assert!(error.contains("`temp-dir`"), "{error}");
}
