//! Records of tuning, calibration, threshold and reject option in a model file: plain data, with
//! the numbers for plots.
//!
//! All metrics are out-of-fold; the records include the number of folds.

use linsep_core::calibrate::CalibrationMetrics;
use linsep_core::float;
use linsep_core::metric::{Bin, share_interval};
use linsep_core::model::{Abstain, IsotonicMap, Link, OperatingPoint, PlattScaling};
use linsep_core::validate::{
    ConfusionCounts, LambdaRule, PostProcessing, PostProcessingMetrics, ThresholdRule,
};
use serde::{Deserialize, Serialize};

/// Selection of the regularization strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The metric: `log-loss`, `error` (error rate), or `squared-error` (of least squares).
    pub by: String,
    /// The rule: `best` or `one-standard-error`.
    pub choose: String,
    /// Number of folds; the number of rows for leave-one-out.
    pub folds: usize,
    /// Whether the metric is from leave-one-out cross-validation, by its closed form.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave_one_out: bool,
    /// The curve, by decreasing λ.
    pub points: Vec<TuningPoint>,
    /// Index of the point of least cost.
    pub best: usize,
    /// Index of the selected point.
    pub chosen: usize,
}

/// Result for one λ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningPoint {
    /// λ.
    #[serde(with = "float")]
    pub lambda: f64,
    /// Mean cost over the folds.
    #[serde(with = "float")]
    pub cost: f64,
    /// Standard error of the cost, if it has folds.
    #[serde(default, with = "float")]
    pub standard_error: Option<f64>,
    /// Mean error rate.
    #[serde(with = "float")]
    pub error: f64,
    /// Mean number of nonzero coefficients, if counted.
    #[serde(default, with = "float")]
    pub nonzero: Option<f64>,
}

impl Tuning {
    /// Records leave-one-out cross-validation on n rows, from the λ, squared error and error rate
    /// of each point. The least error is selected, and the smallest such λ, as in the learner.
    /// Returns `None` without points.
    pub(crate) fn by_leaving_one_out(n: usize, mut points: Vec<[f64; 3]>) -> Option<Self> {
        points.sort_by(|a, b| b[0].total_cmp(&a[0]));
        let less = |a: usize, b: usize| if points[b][1] <= points[a][1] { b } else { a };
        let best = (0..points.len()).reduce(less)?;
        let point = |&[lambda, cost, error]: &[f64; 3]| TuningPoint {
            lambda,
            cost,
            standard_error: None,
            error,
            nonzero: None,
        };
        Some(Self {
            by: "squared-error".to_owned(),
            choose: LambdaRule::Best.name().to_owned(),
            folds: n,
            leave_one_out: true,
            points: points.iter().map(point).collect(),
            best,
            chosen: best,
        })
    }

    /// Describes the cross-validation.
    pub fn how(&self) -> String {
        if self.leave_one_out {
            "leave-one-out".to_owned()
        } else {
            format!("{}-fold CV", self.folds)
        }
    }

    /// Returns the selected λ.
    pub fn lambda(&self) -> f64 {
        self.points.get(self.chosen).map_or(f64::NAN, |point| point.lambda)
    }

    /// Whether the best point is at an end of the grid, so that a better one may lie beyond.
    pub fn best_is_at_end(&self) -> bool {
        self.best == 0 || self.best + 1 == self.points.len()
    }
}

/// Parameters of a fitted link; since 1.3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Calibration {
    /// Platt scaling σ(a z + c), for each hyperplane.
    Platt {
        /// a.
        #[serde(with = "float")]
        a: Vec<f64>,
        /// c.
        #[serde(with = "float")]
        c: Vec<f64>,
    },
    /// Temperature scaling: scores are divided by T.
    Temperature {
        /// T.
        #[serde(with = "float")]
        t: f64,
    },
    /// Isotonic regression for each hyperplane.
    Isotonic {
        /// Scores.
        #[serde(with = "float")]
        at: Vec<Vec<f64>>,
        /// Probabilities.
        #[serde(with = "float")]
        p: Vec<Vec<f64>>,
    },
}

impl Calibration {
    /// Returns the parameters of a link, if it has any.
    pub fn of(link: &Link) -> Option<Self> {
        match link {
            Link::Platt(slopes) => Some(Self::Platt {
                a: slopes.iter().map(|s| s.a).collect(),
                c: slopes.iter().map(|s| s.c).collect(),
            }),
            Link::Temperature(t) => Some(Self::Temperature { t: *t }),
            Link::Isotonic(rises) => Some(Self::Isotonic {
                at: rises.iter().map(|rise| rise.at.clone()).collect(),
                p: rises.iter().map(|rise| rise.p.clone()).collect(),
            }),
            _ => None,
        }
    }

    /// Returns the link with these parameters.
    pub(crate) fn link(&self) -> Link {
        match self {
            Self::Platt { a, c } => {
                Link::Platt(a.iter().zip(c).map(|(&a, &c)| PlattScaling { a, c }).collect())
            }
            Self::Temperature { t } => Link::Temperature(*t),
            Self::Isotonic { at, p } => {
                let rise =
                    |(at, p): (&Vec<f64>, &Vec<f64>)| IsotonicMap { at: at.clone(), p: p.clone() };
                Link::Isotonic(at.iter().zip(p).map(rise).collect())
            }
        }
    }
}

/// Threshold and reject option in a model file; since 1.3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperatingPointRecord {
    /// Threshold of two classes: the positive class is predicted if z is at least this.
    #[serde(with = "float")]
    pub threshold: f64,
    /// `probability` or `margin`, if there is a reject option.
    pub abstain_by: Option<String>,
    /// Limit below which the model abstains.
    #[serde(default, with = "float")]
    pub abstain_below: Option<f64>,
}

impl OperatingPointRecord {
    /// Records the operating point of a model, if it differs from the default.
    pub(crate) fn of(cut: OperatingPoint) -> Option<Self> {
        cut.is_some().then(|| Self {
            threshold: cut.threshold,
            abstain_by: cut.abstain.map(|limit| limit.by().to_owned()),
            abstain_below: cut.abstain.map(Abstain::below),
        })
    }

    /// Parses the operating point.
    pub(crate) fn cut(&self) -> Result<OperatingPoint, String> {
        let abstain = match (self.abstain_by.as_deref(), self.abstain_below) {
            (None, None) => None,
            (Some("probability"), Some(p)) => Some(Abstain::Probability(p)),
            (Some("margin"), Some(m)) => Some(Abstain::Margin(m)),
            (by, _) => return Err(format!("unknown abstention rule {by:?}")),
        };
        Ok(OperatingPoint { threshold: self.threshold, abstain })
    }
}

/// Out-of-fold metrics of the post-processing: calibration, threshold, reject option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostProcessingRecord {
    /// Number of folds.
    pub folds: usize,
    /// Sample weight of the rows.
    #[serde(with = "float")]
    pub weight: f64,
    /// Quality of the probabilities before calibration, if the method has probabilities.
    pub before: Option<Quality>,
    /// Quality of the probabilities after calibration, if calibrated.
    pub after: Option<Quality>,
    /// The calibration method.
    pub calibrated: Option<String>,
    /// The threshold, if tuned.
    pub threshold: Option<ThresholdRecord>,
    /// The reject option, if any.
    pub abstention: Option<Abstention>,
}

/// Metrics of probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Log-loss.
    #[serde(with = "float")]
    pub log_loss: f64,
    /// Brier score.
    #[serde(with = "float")]
    pub brier: f64,
    /// Expected calibration error.
    #[serde(with = "float")]
    pub calibration_error: f64,
    /// Reliability table.
    pub bins: Vec<BinRecord>,
}

/// A bin of a reliability table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BinRecord {
    /// Sample weight of the rows in the bin.
    #[serde(with = "float")]
    pub weight: f64,
    /// Mean predicted probability.
    #[serde(with = "float")]
    pub probability: f64,
    /// Observed frequency.
    #[serde(with = "float")]
    pub happened: f64,
}

/// A threshold and its effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThresholdRecord {
    /// The rule that selected it.
    pub rule: String,
    /// The threshold.
    #[serde(with = "float")]
    pub at: f64,
    /// Rates at threshold 0.
    pub before: Rates,
    /// Rates at this threshold.
    pub after: Rates,
}

/// Rates of a threshold of two classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Accuracy.
    #[serde(default, with = "float")]
    pub accuracy: Option<f64>,
    /// Precision: share of positives among the rows predicted positive.
    #[serde(default, with = "float")]
    pub precision: Option<f64>,
    /// Recall: share of the positive rows that are predicted positive.
    #[serde(default, with = "float")]
    pub recall: Option<f64>,
    /// Harmonic mean of precision and recall.
    #[serde(default, with = "float")]
    pub f1: Option<f64>,
    /// Mean cost per row, if the rule is a cost.
    #[serde(default, with = "float")]
    pub cost: Option<f64>,
}

/// Performance of the reject option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Abstention {
    /// The requested limit.
    pub asked: String,
    /// `probability` or `margin`.
    pub by: String,
    /// Limit below which the model abstains.
    #[serde(with = "float")]
    pub below: f64,
    /// Coverage: share of rows with a prediction.
    #[serde(with = "float")]
    pub coverage: f64,
    /// Error rate among the rows with a prediction.
    #[serde(default, with = "float")]
    pub error: Option<f64>,
    /// 95 % confidence interval of the error rate.
    #[serde(default, with = "float")]
    pub error_interval: Option<(f64, f64)>,
    /// Error rate without the reject option.
    #[serde(with = "float")]
    pub error_of_all: f64,
}

impl Quality {
    fn of(found: &CalibrationMetrics) -> Self {
        let bin = |bin: &Bin| BinRecord {
            weight: bin.weight,
            probability: bin.probability,
            happened: bin.observed,
        };
        Self {
            log_loss: found.log_loss,
            brier: found.brier,
            calibration_error: found.error,
            bins: found.bins.iter().map(bin).collect(),
        }
    }
}

impl Rates {
    fn of(at: &ConfusionCounts, rule: &ThresholdRule) -> Self {
        Self {
            accuracy: at.accuracy(),
            precision: at.precision(),
            recall: at.recall(),
            f1: at.f1(),
            cost: rule.cost(at),
        }
    }
}

impl PostProcessingRecord {
    /// Records the settings, the operating point and the out-of-fold metrics.
    pub fn new(
        trust: &PostProcessing,
        cut: OperatingPoint,
        found: &PostProcessingMetrics,
        folds: usize,
    ) -> Self {
        let threshold =
            trust.threshold.as_ref().zip(found.at_zero.as_ref().zip(found.at_threshold.as_ref()));
        let threshold = threshold.map(|(rule, (before, after))| ThresholdRecord {
            rule: rule.to_string(),
            at: cut.threshold,
            before: Rates::of(before, rule),
            after: Rates::of(after, rule),
        });
        let named = found.weight * found.coverage;
        let abstention = trust.abstain.zip(cut.abstain).map(|(asked, limit)| Abstention {
            asked: asked.to_string(),
            by: limit.by().to_owned(),
            below: limit.below(),
            coverage: found.coverage,
            error: found.error,
            error_interval: found.error.and_then(|error| share_interval(error, named)),
            error_of_all: found.error_of_all,
        });
        Self {
            folds,
            weight: found.weight,
            before: found.before.as_ref().map(Quality::of),
            after: found.after.as_ref().map(Quality::of),
            calibrated: trust.calibrate.map(|entry| entry.name().to_owned()),
            threshold,
            abstention,
        }
    }
}
