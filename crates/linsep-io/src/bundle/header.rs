//! The JSON part of a model file. Unknown fields are ignored, so that a newer minor version can be read.

use crate::recipe::Recipe;
use linsep::Label;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format. Another major version is another language; a higher minor one only says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// Readers refuse what they do not know.
    pub major: u32,
    /// Readers ignore what they do not know.
    pub minor: u32,
}

/// The version written here.
pub const FORMAT: Format = Format { major: 1, minor: 0 };

impl Format {
    /// The version a header claims, whatever else it holds.
    pub(super) fn of(text: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Claim {
            format: Format,
        }
        serde_json::from_str(text).map(|claim: Claim| claim.format)
    }
}

/// What the file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub format: Format,
    /// Version of the program that wrote it.
    pub linsep: String,
    /// The method that trained it.
    pub method: String,
    /// Its settings.
    pub settings: BTreeMap<String, Value>,
    /// How several classes were reduced to two, if they were.
    pub multiclass: Option<String>,
    /// The classes: numbers and texts, in the order of the model.
    pub classes: Vec<Value>,
    /// How planes decide.
    pub decision: String,
    /// How a row becomes numbers.
    pub recipe: Recipe,
    /// How the training went.
    pub training: Training,
}

impl Header {
    /// The classes as labels.
    pub(super) fn labels(&self) -> Vec<Label> {
        let label = |value: &Value| match value {
            Value::String(text) => Label::Text(text.clone()),
            other => Label::parse(&other.to_string()),
        };
        self.classes.iter().map(label).collect()
    }

    /// A label as JSON: a number stays a number.
    pub fn class(label: &Label) -> Value {
        match label {
            Label::Number(v) => number(*v),
            Label::Text(text) => Value::from(text.as_str()),
        }
    }
}

/// A number as JSON, without ".0" where it is whole.
pub fn number(v: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
    if v.fract() == 0.0 && v.abs() < EXACT { Value::from(v as i64) } else { Value::from(v) }
}

/// How the training went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Rows.
    pub rows: usize,
    /// Why it ended.
    pub stop: String,
    /// Passes over the data.
    pub epochs: u64,
    /// Corrections.
    pub updates: u64,
    /// Weight of the rows predicted wrongly.
    pub mistakes: f64,
    /// Weighted share of the rows predicted rightly.
    pub accuracy: f64,
}
