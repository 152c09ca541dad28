//! The JSON part of a model file. Unknown fields are ignored, so that a newer minor version can be read. What must not be
//! ignored has a name that an older reader does not know where it looks for one, and refuses: a link that was learned is
//! called `platt`, `temperature` or `isotonic`, a decision with a threshold or a limit has `cut-` before its name, and a list of
//! columns stands in the place of their number.

use super::{Inference, float};
use crate::recipe::Recipe;
use crate::validate::{Calibration, CutKept, TrustKept, Tuning};
use linsep::certify::OptimalityCertificate;
use linsep::learner::Certified;
use linsep::model::{Cut, Decide, Link};
use linsep::{Label, LinearModel};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
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
pub const FORMAT: Format = Format { major: 1, minor: 5 };

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
    /// The scheme by which more than two classes were told apart, if there was a choice.
    pub multiclass: Option<String>,
    /// The classes: numbers and texts, in the order of the model.
    pub classes: Vec<Value>,
    /// How planes decide.
    pub decision: String,
    /// How scores become probabilities; since 1.1.
    #[serde(default = "no_link")]
    pub link: String,
    /// The numbers of that, where it was learned; since 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// Threshold and limit, where there are any; since 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutKept>,
    /// How a row becomes numbers.
    pub recipe: Recipe,
    /// How the training went.
    pub training: Training,
    /// What is known of the coefficients, where it was asked; since 1.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference: Option<Inference>,
}

fn no_link() -> String {
    Link::None.name().to_owned()
}

/// What stands before the name of a decision that has a threshold or a limit.
const CUT: &str = "cut-";

impl Header {
    /// What there is to say of a model of which only this is known.
    pub fn new(method: &str, model: &LinearModel, recipe: Recipe) -> Self {
        let mut header = Self {
            format: FORMAT,
            linsep: env!("CARGO_PKG_VERSION").to_owned(),
            method: method.to_owned(),
            settings: BTreeMap::new(),
            multiclass: None,
            classes: Vec::new(),
            decision: String::new(),
            link: no_link(),
            calibration: None,
            cut: None,
            recipe,
            training: Training::default(),
            inference: None,
        };
        header.describe(model);
        header
    }

    /// Writes down what a model is: its classes, how it decides, what its scores say.
    pub fn describe(&mut self, model: &LinearModel) {
        self.classes = model.classes().iter().map(Self::class).collect();
        self.cut = CutKept::of(model.cut());
        let before = if self.cut.is_some() { CUT } else { "" };
        self.decision = format!("{before}{}", model.decide().name());
        model.link().name().clone_into(&mut self.link);
        self.calibration = Calibration::of(model.link());
    }

    /// As a file keeps it.
    pub(super) fn in_bounds(&self) -> Cow<'_, Self> {
        if self.training.proofs.len() <= PROOFS {
            return Cow::Borrowed(self);
        }
        let mut short = self.clone();
        short.training.proofs.truncate(PROOFS);
        Cow::Owned(short)
    }

    /// How planes decide, with threshold and limit.
    pub(super) fn decision(&self) -> Result<(Decide, Cut), String> {
        let name = self.decision.strip_prefix(CUT);
        let decide = Decide::by_name(name.unwrap_or(&self.decision)).map_err(|e| e.to_string())?;
        match (name, &self.cut) {
            (Some(_), Some(cut)) => Ok((decide, cut.cut()?)),
            (None, None) => Ok((decide, Cut::default())),
            _ => Err("its decision and its threshold do not fit together".to_owned()),
        }
    }

    /// How scores become probabilities.
    pub(super) fn link(&self) -> Result<Link, String> {
        match &self.calibration {
            None => Link::by_name(&self.link).map_err(|e| e.to_string()),
            Some(calibration) if calibration.link().name() == self.link => Ok(calibration.link()),
            Some(_) => Err("its link and its calibration do not fit together".to_owned()),
        }
    }

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

/// A number as JSON, without ".0" where it is whole; a text if JSON has no such number.
pub fn number(v: f64) -> Value {
    if let Some(word) = float::word(v) {
        return Value::from(word);
    }
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
    if v.fract() == 0.0 && v.abs() < EXACT { Value::from(v as i64) } else { Value::from(v) }
}

/// Planes whose proofs a file keeps. A thousand classes have half a million pairs, and what is said of them has no room in the
/// header of a safetensors file.
pub const PROOFS: usize = 10_000;

/// How the training went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    #[serde(with = "float")]
    pub mistakes: f64,
    /// Weighted share of the rows predicted rightly.
    #[serde(with = "float")]
    pub accuracy: f64,
    /// How far each hyperplane is from optimal at most, where a criterion was minimised; since 1.1. A file keeps those of the first [`PROOFS`] planes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<CertificateRecord>,
    /// The training rows whose prediction is certified to equal that of every optimum, where something is known of them; since 1.4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified: Option<CertifiedRecord>,
    /// How the strength of the penalty was chosen, where it was; since 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
    /// How calibration, threshold and limit fared on rows that were held out, where there are any; since 1.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<TrustKept>,
}

/// How far a hyperplane, or hyperplanes that were learned jointly, are from optimal at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertificateRecord {
    /// The solver.
    pub solver: String,
    /// The value of the objective, or a little more.
    #[serde(with = "float")]
    pub primal: f64,
    /// A lower bound on it.
    #[serde(default, with = "float")]
    pub dual: Option<f64>,
    /// The difference.
    #[serde(default, with = "float")]
    pub gap: Option<f64>,
    /// The difference as a share of the value.
    #[serde(default, with = "float")]
    pub relative_gap: Option<f64>,
    /// Without a penalty: the gradient as a share of what it is at zero.
    #[serde(default, with = "float")]
    pub gradient: Option<f64>,
    /// The coefficients of the optimum are within this of the hyperplane's, in the units that were learned in.
    #[serde(default, with = "float")]
    pub radius: Option<f64>,
}

impl CertificateRecord {
    /// What was certified of a hyperplane, or of those that were learned jointly, that this solver found.
    pub fn new(certificate: &OptimalityCertificate, solver: &str) -> Self {
        let gap = certificate.gap;
        Self {
            solver: solver.to_owned(),
            primal: gap.primal,
            dual: gap.dual.map(|d| d.value),
            gap: gap.dual.map(|d| d.gap),
            relative_gap: gap.relative_gap(),
            gradient: gap.gradient,
            radius: certificate.radius,
        }
    }
}

/// Training rows whose prediction, under the decision rule of the model, is certified to equal that of every optimum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertifiedRecord {
    /// How many they are.
    pub rows: usize,
    /// Of how many rows with weight.
    pub of: usize,
    /// Their share of the weight, not rounded up.
    #[serde(with = "float")]
    pub share: f64,
}

impl From<Certified> for CertifiedRecord {
    fn from(Certified { rows, of, share }: Certified) -> Self {
        Self { rows, of, share }
    }
}
