//! What a model file keeps of tuning, calibration, threshold and limit: plain data, with the numbers that a plot needs.
//!
//! All of it was measured on rows that were held out; what it was measured with is said beside it.

use crate::bundle::float;
use linsep::calibrate::Calibrated;
use linsep::metric::{Bin, share_interval};
use linsep::model::{Abstain, Cut, Link, Rise, Slope};
use linsep::validate::{Choose, Counted, Judged, Rule, Trust};
use serde::{Deserialize, Serialize};

/// How the strength of a penalty was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// What was measured: `log-loss`; `error`, the share of rows predicted wrongly; or `squared-error`, of least squares.
    pub by: String,
    /// The rule: `best` or `one-standard-error`.
    pub choose: String,
    /// Number of folds; as many as rows where each was left out on its own.
    pub folds: usize,
    /// Whether one row was left out at a time, by a formula.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave_one_out: bool,
    /// The curve, from the strongest penalty to the weakest.
    pub points: Vec<TuningPoint>,
    /// The point with the least cost.
    pub best: usize,
    /// The point that was taken.
    pub chosen: usize,
}

/// One strength of the penalty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningPoint {
    /// λ.
    #[serde(with = "float")]
    pub lambda: f64,
    /// Mean over the folds of what was measured.
    #[serde(with = "float")]
    pub cost: f64,
    /// Its standard error, where folds tell it.
    #[serde(default, with = "float")]
    pub standard_error: Option<f64>,
    /// Mean share of rows predicted wrongly.
    #[serde(with = "float")]
    pub error: f64,
    /// Mean number of weights that are not zero, where they were counted.
    #[serde(default, with = "float")]
    pub nonzero: Option<f64>,
}

impl Tuning {
    /// What leaving out one row of n at a time said of λ, error and share of wrong rows: the least error is taken, of equals
    /// the weakest penalty, as the learner does. None of no points.
    pub fn by_leaving_one_out(n: usize, mut points: Vec<[f64; 3]>) -> Option<Self> {
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
            choose: Choose::Best.name().to_owned(),
            folds: n,
            leave_one_out: true,
            points: points.iter().map(point).collect(),
            best,
            chosen: best,
        })
    }

    /// How rows were left out, in words.
    pub fn how(&self) -> String {
        if self.leave_one_out {
            "leaving out one row at a time".to_owned()
        } else {
            format!("{} folds", self.folds)
        }
    }

    /// The strength that was taken.
    pub fn lambda(&self) -> f64 {
        self.points.get(self.chosen).map_or(f64::NAN, |point| point.lambda)
    }

    /// Whether the best point is the first or the last, so that a better one may lie beyond it.
    pub fn at_the_end(&self) -> bool {
        self.best == 0 || self.best + 1 == self.points.len()
    }
}

/// The numbers of a link that was learned; since 1.3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Calibration {
    /// σ(a z + c), for each plane.
    Platt {
        /// a.
        #[serde(with = "float")]
        a: Vec<f64>,
        /// c.
        #[serde(with = "float")]
        c: Vec<f64>,
    },
    /// Scores are divided by it.
    Temperature {
        /// T.
        #[serde(with = "float")]
        t: f64,
    },
    /// A rising line for each plane.
    Isotonic {
        /// Scores.
        #[serde(with = "float")]
        at: Vec<Vec<f64>>,
        /// What they stand for.
        #[serde(with = "float")]
        p: Vec<Vec<f64>>,
    },
}

impl Calibration {
    /// The numbers of a link, if it has any.
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

    /// The link with these numbers.
    pub(crate) fn link(&self) -> Link {
        match self {
            Self::Platt { a, c } => {
                Link::Platt(a.iter().zip(c).map(|(&a, &c)| Slope { a, c }).collect())
            }
            Self::Temperature { t } => Link::Temperature(*t),
            Self::Isotonic { at, p } => {
                let rise = |(at, p): (&Vec<f64>, &Vec<f64>)| Rise { at: at.clone(), p: p.clone() };
                Link::Isotonic(at.iter().zip(p).map(rise).collect())
            }
        }
    }
}

/// Threshold and limit as a model file has them; since 1.3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutKept {
    /// The positive one of two classes where z is at least this.
    #[serde(with = "float")]
    pub threshold: f64,
    /// `probability` or `margin`, if rows can be left without a class.
    pub abstain_by: Option<String>,
    /// The limit below which they are.
    #[serde(default, with = "float")]
    pub abstain_below: Option<f64>,
}

impl CutKept {
    /// What a model has, if it has any.
    pub(crate) fn of(cut: Cut) -> Option<Self> {
        cut.is_some().then(|| Self {
            threshold: cut.threshold,
            abstain_by: cut.abstain.map(|limit| limit.by().to_owned()),
            abstain_below: cut.abstain.map(Abstain::below),
        })
    }

    /// The cut.
    pub(crate) fn cut(&self) -> Result<Cut, String> {
        let abstain = match (self.abstain_by.as_deref(), self.abstain_below) {
            (None, None) => None,
            (Some("probability"), Some(p)) => Some(Abstain::Probability(p)),
            (Some("margin"), Some(m)) => Some(Abstain::Margin(m)),
            (by, _) => return Err(format!("it abstains by {by:?}, which is unknown")),
        };
        Ok(Cut { threshold: self.threshold, abstain })
    }
}

/// What was learned from held-out rows, and how good it is on others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrustKept {
    /// Number of folds.
    pub folds: usize,
    /// Weight of the rows.
    #[serde(with = "float")]
    pub weight: f64,
    /// Probabilities before, where the method has its own.
    pub before: Option<Quality>,
    /// Probabilities after, where they were calibrated.
    pub after: Option<Quality>,
    /// The way of calibrating.
    pub calibrated: Option<String>,
    /// The threshold.
    pub threshold: Option<ThresholdKept>,
    /// The limit.
    pub abstention: Option<Abstention>,
}

/// How good probabilities are.
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
    /// Reliability, bin by bin.
    pub bins: Vec<BinKept>,
}

/// One bin of a table of reliability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BinKept {
    /// Weight of its rows.
    #[serde(with = "float")]
    pub weight: f64,
    /// Their mean probability.
    #[serde(with = "float")]
    pub probability: f64,
    /// The share of them that happened.
    #[serde(with = "float")]
    pub happened: f64,
}

/// A threshold and what it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThresholdKept {
    /// The rule it was chosen by.
    pub rule: String,
    /// The threshold.
    #[serde(with = "float")]
    pub at: f64,
    /// What deciding at 0 does.
    pub before: Rates,
    /// What deciding there does.
    pub after: Rates,
}

/// What a threshold does to rows of two classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Share of rows that are right.
    #[serde(default, with = "float")]
    pub accuracy: Option<f64>,
    /// Share of the rows found that are positive.
    #[serde(default, with = "float")]
    pub precision: Option<f64>,
    /// Share of the positive rows that are found.
    #[serde(default, with = "float")]
    pub recall: Option<f64>,
    /// Their harmonic mean.
    #[serde(default, with = "float")]
    pub f1: Option<f64>,
    /// Mean cost of a row, where the rule is a cost.
    #[serde(default, with = "float")]
    pub cost: Option<f64>,
}

/// Rows that get no class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Abstention {
    /// What was asked for.
    pub asked: String,
    /// `probability` or `margin`.
    pub by: String,
    /// The limit below which no class is named.
    #[serde(with = "float")]
    pub below: f64,
    /// Share of rows that are named.
    #[serde(with = "float")]
    pub coverage: f64,
    /// Share of mistakes among them.
    #[serde(default, with = "float")]
    pub error: Option<f64>,
    /// 95 % interval of that.
    #[serde(default, with = "float")]
    pub error_interval: Option<(f64, f64)>,
    /// Share of mistakes if all rows were named.
    #[serde(with = "float")]
    pub error_of_all: f64,
}

impl Quality {
    fn of(found: &Calibrated) -> Self {
        let bin = |bin: &Bin| BinKept {
            weight: bin.weight,
            probability: bin.probability,
            happened: bin.happened,
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
    fn of(at: &Counted, rule: &Rule) -> Self {
        Self {
            accuracy: at.accuracy(),
            precision: at.precision(),
            recall: at.recall(),
            f1: at.f1(),
            cost: rule.cost(at),
        }
    }
}

impl TrustKept {
    /// What is kept of what was asked for, what was learned and how it was judged.
    pub fn new(trust: &Trust, cut: Cut, judged: &Judged, folds: usize) -> Self {
        let threshold =
            trust.threshold.as_ref().zip(judged.at_zero.as_ref().zip(judged.at_threshold.as_ref()));
        let threshold = threshold.map(|(rule, (before, after))| ThresholdKept {
            rule: rule.to_string(),
            at: cut.threshold,
            before: Rates::of(before, rule),
            after: Rates::of(after, rule),
        });
        let named = judged.weight * judged.coverage;
        let abstention = trust.abstain.zip(cut.abstain).map(|(asked, limit)| Abstention {
            asked: asked.to_string(),
            by: limit.by().to_owned(),
            below: limit.below(),
            coverage: judged.coverage,
            error: judged.error,
            error_interval: judged.error.and_then(|error| share_interval(error, named)),
            error_of_all: judged.error_of_all,
        });
        Self {
            folds,
            weight: judged.weight,
            before: judged.before.as_ref().map(Quality::of),
            after: judged.after.as_ref().map(Quality::of),
            calibrated: trust.calibrate.map(|entry| entry.name.to_owned()),
            threshold,
            abstention,
        }
    }
}
