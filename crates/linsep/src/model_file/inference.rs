//! Inference on coefficients, as in the model file and in JSON output, in the units of the data.
//!
//! JSON has no infinite numbers: an infinite end of an interval is the string "inf" or "-inf", an
//! end that could not be computed "nan".

use super::Header;
use crate::recipe::{Recipe, Reference};
use linsep_core::float;
use linsep_core::{Label, infer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Inference on the coefficients of a logistic regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inference {
    /// "none": maximum likelihood; "firth": Firth's penalized likelihood.
    pub penalty: String,
    /// The class whose log-odds are linear in the features.
    pub positive: Value,
    /// The sum of the sample weights, which are frequencies.
    #[serde(with = "float")]
    pub n: f64,
    /// One per feature with a coefficient, then the intercept.
    pub coefficients: Vec<Coefficient>,
    /// Joint tests of the levels of a categorical column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<JointTest>,
    /// Reference levels of the categorical columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceLevel>,
    /// Features without a coefficient, because they are linear combinations of others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliased: Vec<Aliased>,
    /// Confidence level of the intervals.
    #[serde(with = "float")]
    pub level: f64,
    /// Method of the intervals: "wald" or "profile".
    pub intervals: String,
    /// Method of the standard errors: "model", "hc0" or "hc1".
    pub errors: String,
    /// Log-likelihood, without a penalty.
    #[serde(with = "float")]
    pub log_likelihood: f64,
    /// Log-likelihood of the model with an intercept only.
    #[serde(with = "float")]
    pub null_log_likelihood: f64,
    /// Log-likelihood plus Firth's penalty.
    #[serde(default, with = "float")]
    pub penalized_log_likelihood: Option<f64>,
    /// −2 log-likelihood.
    #[serde(with = "float")]
    pub deviance: f64,
    /// Deviance of the model with an intercept only.
    #[serde(with = "float")]
    pub null_deviance: f64,
    /// Akaike information criterion.
    #[serde(default, with = "float")]
    pub aic: Option<f64>,
    /// Bayesian information criterion.
    #[serde(default, with = "float")]
    pub bic: Option<f64>,
    /// `McFadden`'s R²: 1 − log-likelihood / null log-likelihood.
    #[serde(default, with = "float")]
    pub mcfadden: Option<f64>,
    /// Likelihood-ratio test of the model against the intercept alone.
    pub ratio: Option<Test>,
    /// Upper bound on the distance of every estimate to the exact maximum, which exists, in
    /// standard errors.
    #[serde(default, with = "float")]
    pub within: Option<f64>,
}

/// A coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// Name of the feature, or "(bias)" for the intercept.
    pub name: String,
    /// Index of the feature; none for the intercept.
    pub column: Option<usize>,
    /// The estimate.
    #[serde(with = "float")]
    pub estimate: f64,
    /// Standard error.
    #[serde(with = "float")]
    pub error: f64,
    /// Wald statistic: estimate / standard error.
    #[serde(with = "float")]
    pub z: f64,
    /// Two-sided p-value of z.
    #[serde(with = "float")]
    pub p: f64,
    /// Confidence interval.
    #[serde(with = "float")]
    pub interval: [f64; 2],
    /// e^estimate.
    #[serde(with = "float")]
    pub odds_ratio: f64,
    /// The exponentials of the ends of the interval.
    #[serde(with = "float")]
    pub odds_interval: [f64; 2],
    /// Likelihood-ratio test of a zero coefficient.
    pub ratio: Option<Test>,
}

/// Joint tests of several coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointTest {
    /// The categorical column.
    pub column: String,
    /// Wald test.
    pub wald: Option<Test>,
    /// Likelihood-ratio test.
    pub ratio: Option<Test>,
}

/// The reference level of a categorical column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceLevel {
    /// The categorical column.
    pub column: String,
    /// The level.
    pub level: String,
}

/// A feature without a coefficient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aliased {
    /// Name of the feature.
    pub name: String,
    /// Features of which this feature is a linear combination, up to a constant.
    pub of: Vec<String>,
}

/// A χ² test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The statistic.
    #[serde(with = "float")]
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// p-value.
    #[serde(with = "float")]
    pub p: f64,
}

impl From<infer::Test> for Test {
    fn from(test: infer::Test) -> Self {
        Self { statistic: test.statistic, df: test.df, p: test.p }
    }
}

impl Inference {
    /// Records the inference, with the names of features and reference levels.
    pub fn new(
        known: &infer::Inference,
        recipe: &Recipe,
        references: &[Reference],
        positive: &Label,
    ) -> Self {
        let features = recipe.features();
        let coefficient = |c: &infer::Coefficient| {
            let [odds, low, high] = c.odds();
            Coefficient {
                name: c.column.map_or_else(|| "(bias)".to_owned(), |j| features[j].clone()),
                column: c.column,
                estimate: c.estimate,
                error: c.error,
                z: c.z,
                p: c.p,
                interval: c.interval,
                odds_ratio: odds,
                odds_interval: [low, high],
                ratio: c.ratio.map(Test::from),
            }
        };
        let together = |group: &infer::JointTest| {
            let first = group.columns.first()?;
            let own = references.iter().find(|own| own.features.contains(first))?;
            let (wald, ratio) = (group.wald.map(Test::from), group.ratio.map(Test::from));
            Some(JointTest { column: own.column.clone(), wald, ratio })
        };
        let aliased = |alias: &infer::Aliased| Aliased {
            name: features[alias.column].clone(),
            of: alias.of.iter().map(|&j| features[j].clone()).collect(),
        };
        let reference = |own: &Reference| ReferenceLevel {
            column: own.column.clone(),
            level: own.level.clone(),
        };
        Self {
            penalty: if known.firth { "firth" } else { "none" }.to_owned(),
            positive: Header::class(positive),
            n: known.n,
            coefficients: known.coefficients.iter().map(coefficient).collect(),
            together: known.joint_tests.iter().filter_map(together).collect(),
            references: references.iter().map(reference).collect(),
            aliased: known.aliased.iter().map(aliased).collect(),
            level: known.level,
            intervals: known.intervals.name().to_owned(),
            errors: known.errors.name().to_owned(),
            log_likelihood: known.log_likelihood,
            null_log_likelihood: known.null_log_likelihood,
            penalized_log_likelihood: known.penalized_log_likelihood,
            deviance: known.deviance(),
            null_deviance: known.null_deviance(),
            aic: known.aic(),
            bic: known.bic(),
            mcfadden: known.mcfadden(),
            ratio: known.ratio.map(Test::from),
            within: known.distance_to_maximum,
        }
    }
}
