//! JSON header of a model file.
//!
//! Unknown fields are ignored, so that files of a newer minor version can be read. A feature that
//! must not be ignored changes a name or type that older readers check, so that they refuse the
//! file.

use super::{Inference, ModelRecord, SeparationRecord};
use crate::recipe::Recipe;
use crate::validate::{Calibration, OperatingPointRecord, PostProcessingRecord, Tuning};
use linsep_core::certify::OptimalityCertificate;
use linsep_core::learner::{Certified, MistakeBound};
use linsep_core::model::{DecisionRule, Link, Model, OperatingPoint};
use linsep_core::{Label, float};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format. Major versions are incompatible; a higher minor version only adds fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// Readers refuse unknown major versions.
    pub major: u32,
    /// Readers accept unknown minor versions.
    pub minor: u32,
}

/// The version written here.
pub const FORMAT: Format = Format { major: 3, minor: 0 };

/// Metadata of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub format: Format,
    /// Version of the program that wrote the file.
    pub linsep: String,
    /// The type of the model.
    pub model: ModelRecord,
    /// The training method.
    pub method: String,
    /// The settings of the method.
    pub settings: BTreeMap<String, Value>,
    /// The multiclass scheme, if the method offers a choice.
    pub multiclass: Option<String>,
    /// The classes, numbers or strings, in the order of the model.
    pub classes: Vec<Value>,
    /// Name of the decision rule.
    pub decision: String,
    /// Name of the map from scores to probabilities.
    #[serde(default = "no_link")]
    pub link: String,
    /// Parameters of the link, if it was fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// Decision threshold and reject option, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operating_point: Option<OperatingPointRecord>,
    /// The preprocessing recipe.
    pub recipe: Recipe,
    /// Summary of the training run.
    pub training: Training,
    /// Inference on the coefficients, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference: Option<Inference>,
}

fn no_link() -> String {
    Link::None.name().to_owned()
}

impl Header {
    /// Returns a header with the facts of this model only.
    pub fn new(method: &str, model: &Model, recipe: Recipe) -> Self {
        let mut header = Self {
            format: FORMAT,
            linsep: env!("CARGO_PKG_VERSION").to_owned(),
            model: ModelRecord::of(model.function()),
            method: method.to_owned(),
            settings: BTreeMap::new(),
            multiclass: None,
            classes: Vec::new(),
            decision: String::new(),
            link: no_link(),
            calibration: None,
            operating_point: None,
            recipe,
            training: Training::default(),
            inference: None,
        };
        header.describe(model);
        header
    }

    /// Copies the type, classes, decision rule and link of a model into the header.
    pub fn describe(&mut self, model: &Model) {
        self.model = ModelRecord::of(model.function());
        self.classes = model.classes().iter().map(Self::class).collect();
        self.operating_point = OperatingPointRecord::of(model.operating_point());
        model.decision_rule().name().clone_into(&mut self.decision);
        model.link().name().clone_into(&mut self.link);
        self.calibration = Calibration::of(model.link());
    }

    /// Parses the decision rule, with threshold and reject option.
    pub(super) fn decision(&self) -> Result<(DecisionRule, OperatingPoint), String> {
        let rule = DecisionRule::by_name(&self.decision).map_err(|e| e.to_string())?;
        let own = self.operating_point.as_ref().map(OperatingPointRecord::cut).transpose()?;
        Ok((rule, own.unwrap_or_default()))
    }

    /// Parses the link.
    pub(super) fn link(&self) -> Result<Link, String> {
        match &self.calibration {
            None => Link::by_name(&self.link).map_err(|e| e.to_string()),
            Some(calibration) if calibration.link().name() == self.link => Ok(calibration.link()),
            Some(_) => Err("link and calibration are inconsistent".to_owned()),
        }
    }

    /// Returns the classes as labels.
    pub(super) fn labels(&self) -> Vec<Label> {
        let label = |value: &Value| match value {
            Value::String(text) => Label::Text(text.clone()),
            other => Label::parse(&other.to_string()),
        };
        self.classes.iter().map(label).collect()
    }

    /// Converts a label to JSON; a number stays a number.
    pub fn class(label: &Label) -> Value {
        match label {
            Label::Number(v) => number(*v),
            Label::Text(text) => Value::from(text.as_str()),
        }
    }
}

/// Converts a number to JSON, without ".0" if it is an integer; a string if JSON has no equivalent.
pub fn number(v: f64) -> Value {
    if let Some(word) = float::word(v) {
        return Value::from(word);
    }
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
    if v.fract() == 0.0 && v.abs() < EXACT { Value::from(v as i64) } else { Value::from(v) }
}

/// Summary of a training run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Number of rows.
    pub rows: usize,
    /// Stop reason.
    pub stop: String,
    /// Number of epochs, or of iterations of a batch solver.
    pub epochs: u64,
    /// Number of updates.
    pub updates: u64,
    /// Sample weight of the misclassified rows.
    #[serde(with = "float")]
    pub mistakes: f64,
    /// Weighted training accuracy.
    #[serde(with = "float")]
    pub accuracy: f64,
    /// Certificates of the hyperplanes, if an objective was minimized.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certificates: Vec<CertificateRecord>,
    /// Training rows whose prediction is certified to equal that of every optimum.
    /// `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified: Option<CertifiedRecord>,
    /// Separable classes, if they affect the estimates. `None` for overlap, and if not tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separation: Option<SeparationRecord>,
    /// Mistake bounds (Novikoff): one per hyperplane, or one for joint training; empty without a
    /// bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistake_bounds: Vec<Option<MistakeBound>>,
    /// Selection of the regularization strength, if it was tuned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
    /// Out-of-fold performance of calibration, threshold and reject option, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_processing: Option<PostProcessingRecord>,
}

/// Optimality certificate of a hyperplane, or of jointly trained hyperplanes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertificateRecord {
    /// Name of the solver.
    pub solver: String,
    /// Upper bound on the objective, at most slightly above its value.
    #[serde(with = "float")]
    pub primal: f64,
    /// Lower bound on the minimum of the objective.
    #[serde(default, with = "float")]
    pub dual: Option<f64>,
    /// Duality gap.
    #[serde(default, with = "float")]
    pub gap: Option<f64>,
    /// Duality gap relative to the objective.
    #[serde(default, with = "float")]
    pub relative_gap: Option<f64>,
    /// Without a penalty: gradient norm relative to that at zero coefficients.
    #[serde(default, with = "float")]
    pub gradient: Option<f64>,
    /// Upper bound on the distance of the coefficients to the optimum, in the units of training
    /// (standardized, if the features are).
    #[serde(default, with = "float")]
    pub radius: Option<f64>,
}

impl CertificateRecord {
    /// Records the certificate of the hyperplane, or of jointly trained hyperplanes, found by
    /// `solver`.
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

/// Training rows whose prediction, under the decision rule of the model, is certified to equal that
/// of every optimum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertifiedRecord {
    /// Number of certified rows.
    pub rows: usize,
    /// Number of rows with positive sample weight.
    pub of: usize,
    /// Weighted share of the certified rows, rounded down.
    #[serde(with = "float")]
    pub share: f64,
}

impl From<Certified> for CertifiedRecord {
    fn from(Certified { rows, of, share }: Certified) -> Self {
        Self { rows, of, share }
    }
}
