//! The metrics as values, and one pass over the rows that computes several of them.
//!
//! A metric is a constant of its file, listed in [`ALL`]. It depends on the rows one by one, on the
//! confusion matrix, on the reliability table, or on the ranking of each class against the rest. An
//! evaluation, a comparison of methods and their reports all walk the list.

use super::levels::Ranking;
use super::{Bin, Confusion, Reliability, ranked_auc, ranked_auc_interval, share_interval};
use crate::float;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Metric of predictions.
#[derive(Debug)]
pub struct Metric {
    /// Name, the same in every interface.
    pub name: &'static str,
    /// Name within a sentence.
    pub title: &'static str,
    /// Key of its line in a summary, which omits a metric without one, and what the key stands for,
    /// unless that is clear.
    pub summary: Option<(&'static str, Option<&'static str>)>,
    /// Whether the value is a share, between 0 and 1, that is shown in percent.
    pub is_share: bool,
    /// Whether larger values are better.
    pub larger_is_better: bool,
    /// Whether the value may have a 95 % confidence interval.
    pub has_interval: bool,
    /// Place among the metrics that methods are compared by, if they are.
    pub compared: Option<usize>,
    /// How the metric is computed.
    pub of: Of,
}

/// What a metric depends on.
#[derive(Debug)]
pub enum Of {
    /// The rows one by one: the mean of a value of each.
    Rows(fn(&Row<'_>) -> f64),
    /// The probabilities and the class of the rows: the mean of a value of each.
    Probabilities(fn(&[f64], u32) -> f64),
    /// The confusion matrix.
    Confusion(fn(&Confusion) -> Option<f64>),
    /// The reliability table.
    Bins(fn(&[Bin]) -> Option<f64>),
    /// The ranking of a class against the rest: the area under its ROC curve, and the 95 %
    /// confidence interval of two classes. The value of several classes is their mean.
    Ranking,
}

/// Every metric, in the order of reports.
pub const ALL: [&Metric; 7] = [
    &super::accuracy::METRIC,
    &super::confusion::BALANCED_ACCURACY,
    &super::auc::METRIC,
    &super::confusion::CORRELATION,
    &super::log_loss::METRIC,
    &super::brier::METRIC,
    &super::reliability::METRIC,
];

/// The metrics that methods are compared by.
pub fn compared() -> Vec<&'static Metric> {
    let mut all: Vec<&Metric> = ALL.into_iter().filter(|m| m.compared.is_some()).collect();
    all.sort_by_key(|metric| metric.compared);
    all
}

/// A row with its prediction.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its class; k or above: a class that the model does not have.
    pub target: u32,
    /// The predicted class.
    pub predicted: u32,
    /// Its sample weight.
    pub weight: f64,
    /// The probability of each class, if the model has probabilities.
    pub probabilities: Option<&'a [f64]>,
}

/// Weighted mean of values, in the order of the rows; NaN without weight.
#[derive(Clone, Copy, Default)]
pub(super) struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    pub(super) fn of(values: impl Iterator<Item = f64>, weights: &[f64]) -> Self {
        let mut mean = Self::default();
        values.zip(weights).for_each(|(value, weight)| mean.add(value, *weight));
        mean
    }

    fn add(&mut self, value: f64, weight: f64) {
        self.sum += weight * value;
        self.weight += weight;
    }

    pub(super) fn value(self) -> f64 {
        self.sum / self.weight
    }
}

/// Value of a metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the metric.
    pub name: Cow<'static, str>,
    /// The value; `None` if the metric is undefined.
    #[serde(with = "float")]
    pub value: Option<f64>,
    /// 95 % confidence interval, if the metric has one.
    #[serde(with = "float")]
    pub interval: Option<(f64, f64)>,
}

/// Number of bins of the reliability table.
const BINS: usize = 10;

/// Returns the value of a metric in a list, if it is listed and defined.
pub fn value_of(metrics: &[Measured], name: &str) -> Option<f64> {
    metrics.iter().find(|measured| measured.name == name)?.value
}

/// One pass over the rows.
pub struct Measure {
    metrics: Vec<(&'static Metric, Mean)>,
    confusion: Confusion,
    /// The reliability table, while every row has probabilities.
    reliability: Option<Reliability>,
    k: usize,
    rows: usize,
}

/// What a pass over the rows has found.
pub struct Measures {
    /// The metrics, in the order in which they were requested.
    pub metrics: Vec<Measured>,
    /// The confusion matrix of the rows of known classes.
    pub confusion: Confusion,
    /// The reliability table, if there are rows and all have probabilities.
    pub bins: Option<Vec<Bin>>,
}

impl Measure {
    /// Begins a pass over rows of k classes.
    pub fn new(k: usize, metrics: &[&'static Metric]) -> Self {
        Self {
            metrics: metrics.iter().map(|&metric| (metric, Mean::default())).collect(),
            confusion: Confusion::none(k),
            reliability: Some(Reliability::new(BINS)),
            k,
            rows: 0,
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row<'_>) {
        self.rows += 1;
        if (row.target as usize) < self.k {
            self.confusion.add(row.target, row.predicted, row.weight);
        }
        match (&mut self.reliability, row.probabilities) {
            (Some(reliability), Some(p)) => reliability.add(p, row.target, row.weight),
            (reliability, _) => *reliability = None,
        }
        for (metric, mean) in &mut self.metrics {
            match (&metric.of, row.probabilities) {
                (Of::Rows(value), _) => mean.add(value(row), row.weight),
                (Of::Probabilities(value), Some(p)) => mean.add(value(p, row.target), row.weight),
                _ => {}
            }
        }
    }

    /// Ends the pass. `sides` are the rankings of the classes against the rest: one for two
    /// classes, one per class for more, none if classes have no scores of their own.
    pub fn finish<R: Ranking>(self, sides: &[R]) -> Result<Measures, R::Error> {
        let reliability = self.reliability.filter(|_| self.rows > 0);
        let bins = reliability.map(|reliability| reliability.bins());
        let mut metrics = Vec::with_capacity(self.metrics.len());
        for (metric, mean) in &self.metrics {
            let share = || share_interval(mean.value(), mean.weight);
            let (value, interval) = match metric.of {
                Of::Rows(_) => (Some(mean.value()), metric.has_interval.then(share).flatten()),
                Of::Probabilities(_) => (bins.is_some().then(|| mean.value()), None),
                Of::Confusion(value) => (value(&self.confusion), None),
                Of::Bins(value) => (bins.as_deref().and_then(value), None),
                Of::Ranking => of_sides(sides)?,
            };
            metrics.push(Measured { name: metric.name.into(), value, interval });
        }
        Ok(Measures { metrics, confusion: self.confusion, bins })
    }
}

/// Value and confidence interval of a metric.
type ValueAndInterval = (Option<f64>, Option<(f64, f64)>);

/// The mean AUC of the sides that have one, and its interval if there is one side.
fn of_sides<R: Ranking>(sides: &[R]) -> Result<ValueAndInterval, R::Error> {
    let (mut sum, mut defined) = (0.0, 0);
    for side in sides {
        if let Some(value) = ranked_auc(side)? {
            sum += value;
            defined += 1;
        }
    }
    let interval = match sides {
        [only] => ranked_auc_interval(only)?,
        _ => None,
    };
    Ok(((defined > 0).then(|| sum / f64::from(defined)), interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_a_metric_is_found_by_its_name() {
        let mut names: Vec<&str> = ALL.iter().map(|metric| metric.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert_eq!(compared()[0].name, "accuracy");
    }

    #[test]
    fn an_undefined_metric_has_no_value() {
        let mut measure = Measure::new(2, &ALL);
        measure.add(&Row { target: 0, predicted: 1, weight: 1.0, probabilities: None });
        let found = measure.finish::<Vec<crate::metric::Level>>(&[]).unwrap();
        let of = |name: &str| found.metrics.iter().find(|m| m.name == name).unwrap().value;
        assert_eq!((of("accuracy"), of("balanced-accuracy")), (Some(0.0), Some(0.0)));
        for name in ["auc", "correlation", "log-loss", "brier", "calibration-error"] {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(found.bins, None);
    }
}
