//! What is known of coefficients, as the model file keeps it and JSON shows it. Numbers are in the units of the data.
//!
//! JSON has no infinite numbers: an end that an interval does not have is the text "inf" or "-inf", and one that could not be found
//! is null.

use super::{Header, float};
use crate::recipe::{Recipe, Reference};
use linsep::{Label, infer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// What is known of the coefficients of a logistic regression; since 1.2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inference {
    /// "none": maximum likelihood; "firth": Firth's penalised likelihood.
    pub penalty: String,
    /// The class whose log-odds are linear in the columns.
    pub positive: Value,
    /// The sum of the weights, which count rows.
    #[serde(with = "float")]
    pub n: f64,
    /// One for each column that has a coefficient, then the bias.
    pub coefficients: Vec<Coefficient>,
    /// Joint tests of the words of a column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<Together>,
    /// What the words of columns are compared with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceLevel>,
    /// Columns that depend on others and have no coefficient.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliased: Vec<Aliased>,
    /// Level of the intervals.
    #[serde(with = "float")]
    pub level: f64,
    /// Where they come from: "wald" or "profile".
    pub intervals: String,
    /// Where standard errors come from: "model", "hc0" or "hc1".
    pub errors: String,
    /// Log-likelihood, without a penalty.
    #[serde(with = "float")]
    pub log_likelihood: f64,
    /// That without any column.
    #[serde(with = "float")]
    pub null_log_likelihood: f64,
    /// With Firth's penalty.
    #[serde(default, with = "float")]
    pub penalised_log_likelihood: Option<f64>,
    /// −2 log-likelihood.
    #[serde(with = "float")]
    pub deviance: f64,
    /// That without any column.
    #[serde(with = "float")]
    pub null_deviance: f64,
    /// Akaike's criterion.
    #[serde(default, with = "float")]
    pub aic: Option<f64>,
    /// The Bayesian criterion.
    #[serde(default, with = "float")]
    pub bic: Option<f64>,
    /// 1 − log-likelihood/log-likelihood without any column.
    #[serde(default, with = "float")]
    pub mcfadden: Option<f64>,
    /// The likelihood-ratio test of all columns together.
    pub ratio: Option<Test>,
    /// Every estimate is within so many standard errors of the exact maximum, which exists.
    #[serde(default, with = "float")]
    pub within: Option<f64>,
}

/// A coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// Name of its column, or "(bias)".
    pub name: String,
    /// Its place among the weights of the plane; none for the bias.
    pub column: Option<usize>,
    /// The estimate.
    #[serde(with = "float")]
    pub estimate: f64,
    /// Its standard error.
    #[serde(with = "float")]
    pub error: f64,
    /// Estimate/error.
    #[serde(with = "float")]
    pub z: f64,
    /// Two-sided p of z.
    #[serde(with = "float")]
    pub p: f64,
    /// The interval.
    pub interval: [Real; 2],
    /// e^estimate.
    pub odds_ratio: Real,
    /// e^ of the interval's ends.
    pub odds_interval: [Real; 2],
    /// The likelihood-ratio test of its being 0.
    pub ratio: Option<Test>,
}

/// Coefficients tested together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// The column whose words they are.
    pub column: String,
    /// From standard errors.
    pub wald: Option<Test>,
    /// From the likelihood.
    pub ratio: Option<Test>,
}

/// The word that others are compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceLevel {
    /// The column of words.
    pub column: String,
    /// The word.
    pub level: String,
}

/// A column without a coefficient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aliased {
    /// Its name.
    pub name: String,
    /// The columns it is a combination of, beside the constant.
    pub of: Vec<String>,
}

/// A test by χ².
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The statistic.
    #[serde(with = "float")]
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// How likely one as large is by chance.
    #[serde(with = "float")]
    pub p: f64,
}

impl From<infer::Test> for Test {
    fn from(test: infer::Test) -> Self {
        Self { statistic: test.statistic, df: test.df, p: test.p }
    }
}

/// A number that may be infinite, or none.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl PartialEq for Real {
    /// None equals none.
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.0.is_nan() && other.0.is_nan()
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.is_nan() { to.serialize_none() } else { float::serialize(&self.0, to) }
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        float::deserialize(from).map(Self)
    }
}

impl Inference {
    /// What is known of the coefficients of this recipe's columns, with the words they are compared with.
    pub fn new(
        known: &infer::Inference,
        recipe: &Recipe,
        references: &[Reference],
        positive: &Label,
    ) -> Self {
        let features = recipe.features();
        let coefficient = |c: &infer::Coefficient| {
            let [odds, low, high] = c.odds().map(Real);
            Coefficient {
                name: c.column.map_or_else(|| "(bias)".to_owned(), |j| features[j].clone()),
                column: c.column,
                estimate: c.estimate,
                error: c.error,
                z: c.z,
                p: c.p,
                interval: c.interval.map(Real),
                odds_ratio: odds,
                odds_interval: [low, high],
                ratio: c.ratio.map(Test::from),
            }
        };
        let together = |group: &infer::Together| {
            let first = group.columns.first()?;
            let own = references.iter().find(|own| own.features.contains(first))?;
            let (wald, ratio) = (group.wald.map(Test::from), group.ratio.map(Test::from));
            Some(Together { column: own.column.clone(), wald, ratio })
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
            together: known.together.iter().filter_map(together).collect(),
            references: references.iter().map(reference).collect(),
            aliased: known.aliased.iter().map(aliased).collect(),
            level: known.level,
            intervals: known.intervals.name().to_owned(),
            errors: known.errors.name().to_owned(),
            log_likelihood: known.log_likelihood,
            null_log_likelihood: known.null_log_likelihood,
            penalised_log_likelihood: known.penalised,
            deviance: known.deviance(),
            null_deviance: known.null_deviance(),
            aic: known.aic(),
            bic: known.bic(),
            mcfadden: known.mcfadden(),
            ratio: known.ratio.map(Test::from),
            within: known.within,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_ends_survive_the_file() {
        for (v, text) in [(f64::INFINITY, "\"inf\""), (f64::NEG_INFINITY, "\"-inf\""), (2.5, "2.5")]
        {
            assert_eq!(serde_json::to_string(&Real(v)).unwrap(), text);
            assert_eq!(serde_json::from_str::<Real>(text).unwrap(), Real(v));
        }
        assert_eq!(serde_json::to_string(&Real(f64::NAN)).unwrap(), "null");
        assert_eq!(serde_json::from_str::<Real>("null").unwrap(), Real(f64::NAN));
        let error = serde_json::from_str::<Real>("\"big\"").unwrap_err().to_string();
        assert!(error.contains("\"big\", expected a number, \"inf\""), "{error}");
    }
}
