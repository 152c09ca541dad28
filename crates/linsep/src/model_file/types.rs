//! Types of models. The header names the type of its model, by which the file is loaded.
//!
//! A new type is a [`ScoreFunction`] in a file of its own and a line in [`ALL`].

use super::number;
use linsep_core::Label;
use linsep_core::model::{
    DecisionRule, LINEAR, Link, Model, ModelType, OperatingPoint, ScoreFunction, Tensor, Tensors,
};
use linsep_core::options::Setting;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::sync::Arc;

/// All types of models.
pub const ALL: &[ModelType] = &[
    LINEAR,
    #[cfg(test)]
    super::tests::prototypes::PROTOTYPES,
];

/// Type of a model, with the settings of its score function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// Name of the type.
    #[serde(rename = "type")]
    pub name: String,
    /// Settings that the scores depend on.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
}

impl ModelRecord {
    /// Records a score function.
    pub fn of(function: &dyn ScoreFunction) -> Self {
        let setting = |(name, value): (std::borrow::Cow<'static, str>, Setting)| {
            let value = match value {
                Setting::Number(v) => number(v),
                Setting::Word(word) => Value::from(word),
            };
            (name.into_owned(), value)
        };
        let settings = function.settings().into_iter().map(setting).collect();
        Self { name: function.name().to_owned(), settings }
    }

    /// Builds the score function from its tensors.
    pub(super) fn load(&self, tensors: &mut Tensors) -> Result<Arc<dyn ScoreFunction>, String> {
        let known = ALL.iter().find(|known| known.name == self.name);
        let known = known.ok_or_else(|| format!("unknown model type {:?}", self.name))?;
        let setting = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::Number(v) => Setting::Number(v.as_f64().unwrap_or(f64::NAN)),
                Value::String(word) => Setting::Word(word.clone().into()),
                _ => return Err(format!("setting {name} is neither a number nor a word")),
            };
            Ok((name.clone().into(), value))
        };
        (known.load)(self.settings.iter().map(setting).collect::<Result<_, _>>()?, tensors)
    }
}

/// A model in an outcome.
#[derive(Serialize, Deserialize)]
struct Stored {
    function: ModelRecord,
    tensors: Vec<Tensor>,
    classes: Vec<Label>,
    decision_rule: DecisionRule,
    link: Link,
    operating_point: OperatingPoint,
}

/// Writes a model in an outcome.
pub(super) fn serialize<S: Serializer>(model: &Model, to: S) -> Result<S::Ok, S::Error> {
    let stored = Stored {
        function: ModelRecord::of(model.function()),
        tensors: model.function().tensors(),
        classes: model.classes().to_vec(),
        decision_rule: model.decision_rule(),
        link: model.link().clone(),
        operating_point: model.operating_point(),
    };
    stored.serialize(to)
}

/// Reads a model from an outcome.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Model, D::Error> {
    let Stored { function, tensors, classes, decision_rule, link, operating_point } =
        Stored::deserialize(from)?;
    let function = function.load(&mut tensors.into_iter().collect()).map_err(D::Error::custom)?;
    Model::new(classes, function, decision_rule)
        .and_then(|model| model.with_trust(link, operating_point))
        .map_err(D::Error::custom)
}
