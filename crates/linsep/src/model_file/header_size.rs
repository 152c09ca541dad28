//! Limit on the length of the JSON header: safetensors readers, including the one used here, accept
//! no header above [`LIMIT`] bytes.

use super::{Header, PROOFS};
use crate::error::Error;
use crate::recipe::Recipe;
use linsep_core::Label;
use linsep_io::location::Location;
use serde::Serialize;
use serde_json::Value;
use std::io;

/// Maximum length of the header of a safetensors file, in bytes.
pub(super) const LIMIT: usize = 100_000_000;

/// Upper bound on the bytes of a certificate record.
const RECORD: usize = 360;

/// Upper bound on the bytes of a coefficient, without its name.
const COEFFICIENT: usize = 620;

/// Bytes for the names and shapes of the tensors.
pub(super) const TENSORS: usize = 2_000;

/// Bytes for everything else: settings, tuning, calibration, tensors.
const REST: usize = 1 << 20;

/// Refuses, before training, a model whose header would be too long. `name` is the data file.
pub fn check_header_size(
    name: &str,
    recipe: &Recipe,
    classes: &[Label],
    inference: bool,
) -> Result<(), Error> {
    let k = classes.len();
    let hyperplanes = k.max(k * (k - 1) / 2).min(PROOFS);
    let classes: Vec<Value> = classes.iter().map(Header::class).collect();
    let mut bytes = length(recipe) + length(&classes) + hyperplanes * RECORD + REST;
    let features = recipe.width();
    if inference && bytes <= LIMIT {
        bytes += features * COEFFICIENT + length(&recipe.features());
    }
    check(name, features, bytes)
}

/// Returns an error if a header of `bytes` bytes is too long.
pub(super) fn check(name: &str, features: usize, bytes: usize) -> Result<(), Error> {
    if bytes <= LIMIT {
        return Ok(());
    }
    let place = Box::new(Location::file(name));
    Err(Error::HeaderSize { place, features, bytes, limit: LIMIT })
}

/// Returns the bytes of a text inside a JSON string.
pub(super) fn escaped(text: &[u8]) -> usize {
    text.len() + text.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

/// Returns the bytes of a value as JSON inside a JSON string, where quotes and backslashes take
/// two.
fn length(value: &impl Serialize) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += escaped(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).expect(
        "plain data serialize, and counting does \
        not fail",
    );
    counter.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model_file::inference::{Coefficient, Real, Test};
    use crate::model_file::{CertificateRecord, ModelFile};
    use crate::recipe::{Number, Step};

    const LONGEST: f64 = -1.234_567_890_123_456_7e-300;

    #[test]
    fn computed_length_equals_serialized_length() {
        let value = serde_json::json!({ "a": ["say \"x\"", "back\\slash\n", "ü", 0.1, null] });
        let text = serde_json::to_string(&value).unwrap();
        let inside = serde_json::to_string(&text).unwrap();
        assert_eq!(length(&value), inside.len() - 2, "without the quotes around it");
    }

    #[test]
    fn longest_records_fit_their_bounds() {
        let all = Some(LONGEST);
        let record = CertificateRecord {
            solver: "working-set-cd".to_owned(),
            primal: LONGEST,
            dual: all,
            gap: all,
            relative_gap: all,
            gradient: all,
            radius: all,
        };
        let found = length(&record) + 1;
        assert!((RECORD / 2..=RECORD).contains(&found), "{found}");
        let test = Test { statistic: LONGEST, df: 1_000_000, p: LONGEST };
        let coefficient = Coefficient {
            name: String::new(),
            column: Some(1_000_000_000),
            estimate: LONGEST,
            error: LONGEST,
            z: LONGEST,
            p: LONGEST,
            interval: [Real(LONGEST); 2],
            odds_ratio: Real(LONGEST),
            odds_interval: [Real(LONGEST); 2],
            ratio: Some(test),
        };
        let found = length(&coefficient) + 1;
        assert!((COEFFICIENT / 2..=COEFFICIENT).contains(&found), "{found}");
    }

    #[test]
    fn oversized_header_is_refused_before_training_and_on_saving() {
        let step = |j: usize| -> Box<dyn Step> {
            let (name, mean, scale) = (format!("column {j}"), LONGEST, LONGEST);
            Box::new(Number { name, mean, scale, indicator: false })
        };
        let recipe = |d| Recipe { steps: (0..d).map(step).collect(), ..Recipe::default() };
        let classes = [Label::Number(0.0), Label::Number(1.0)];
        let wide = recipe(800_000);
        let error = check_header_size("wide.csv", &wide, &classes, false).unwrap_err().to_string();
        assert!(
            error.starts_with("wide.csv: the header of a model with 800000 features takes"),
            "{error}"
        );
        let narrow = recipe(200_000);
        check_header_size("wide.csv", &narrow, &classes, false).unwrap();
        check_header_size("wide.csv", &narrow, &classes, true).unwrap_err();
        let pairs = Recipe::of_pairs(1_000_000_000.into(), 1);
        check_header_size("x.svm", &pairs, &classes, false).unwrap();

        let hyperplanes = vec![linsep_core::Hyperplane { w: vec![1.0], b: 0.0 }];
        let model = linsep_core::LinearModel::new(
            classes.to_vec(),
            hyperplanes,
            linsep_core::DecisionRule::Sign,
        );
        let mut model_file = ModelFile {
            header: Header::new("perceptron", model.as_ref().unwrap(), recipe(1)),
            model: model.unwrap(),
            directions: Vec::new(),
        };
        model_file.header.method = "x".repeat(LIMIT);
        let error = model_file.to_bytes().unwrap_err().to_string();
        assert!(error.contains("the header of a model with"), "{error}");
    }
}
