//! The model file: the whole map from a row to a prediction, in one file that is safe to load.
//!
//! A valid **safetensors** file, so that any safetensors reader opens the arrays:
//!
//! | tensor | shape | content |
//! |---|---|---|
//! | `header` | bytes, U8 | the [`Header`] as JSON |
//! | `coefficients` | hyperplanes × d, F64 | of a linear model, one row per hyperplane |
//! | `intercepts` | hyperplanes, F64 | of a linear model |
//! | `directions.coefficients` | m × d, F64 | projection directions, if any |
//! | `directions.intercepts` | m, F64 | of the directions |
//! | `test.column` | 5 × m, U32 | columns with values in the test rows |
//! | `test.value` | 5 × m, F64 | values in these columns |
//! | `test.score` | 5 × scores of a row, F64 | expected scores |
//! | `test.direction` | 5 × m, F64 | expected coordinates of the test rows along the directions |
//! | `sha256` | 32, U8 | SHA-256 of all bytes before it |
//!
//! The metadata key `linsep` has the version of the format. The header has the type of the model
//! ([`types`]), which determines its tensors, method and settings, classes, decision rule, recipe,
//! training summary, and inference if requested.
//!
//! Loading executes no code and allocates no more than the length of the file. The checksum
//! detects damage, and all lengths and numbers are checked. The test rows are scored again: a
//! machine that does not reproduce the scores refuses the file. The test rows are synthetic, so
//! the file contains no row of the training data.

mod container;
mod header;
pub mod inference;
mod selftest;
pub(crate) mod separation;
pub mod types;

pub use container::seal;
pub use header::{CertificateRecord, CertifiedRecord, FORMAT, Format, Header, Training, number};
pub use inference::Inference;
pub use separation::{SeparableProblem, SeparationRecord};
pub use types::ModelRecord;

use crate::error::{Error, foreign};
#[cfg(feature = "fs")]
use container::KEY;
use linsep_core::model::{Model, Tensor, Tensors, scores_of};
use linsep_core::{Hyperplane, LinearModel};
#[cfg(feature = "fs")]
use linsep_io::atomic::AtomicFile;
use linsep_io::location::Location;
#[cfg(feature = "fs")]
use linsep_io::outputs::Kind;
use selftest::SelfTest;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The parts of a file that loading recomputes; a file with other results is refused.
pub const RECOMPUTED: [&str; 2] = ["SHA-256", "scores of the test rows"];

/// A model with its metadata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The score function, the classes and the decision rule.
    #[serde(with = "types")]
    pub model: Model,
    /// Projection directions, most discriminative first: wⱼ·x + bⱼ is a coordinate. Often empty.
    pub directions: Vec<Hyperplane>,
    /// The metadata.
    pub header: Header,
}

impl ModelFile {
    /// Description of the file, for commands that overwrite it.
    #[cfg(feature = "fs")]
    pub const KIND: Kind = Kind {
        name: "a linsep model",
        is: |start| {
            let metadata = format!("{{\"__metadata__\":{{\"{KEY}\":");
            start.get(8..).is_some_and(|json| json.starts_with(metadata.as_bytes()))
        },
    };

    /// Writes the file atomically. A model that could not be read again is not written.
    #[cfg(feature = "fs")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = self.bytes(&name)?;
        match Self::from_bytes(&name, &bytes) {
            Ok(_) => Ok(AtomicFile::write_whole(path, &bytes)?),
            Err(Error::NotAModel { place, problem }) => Err(Error::NotSaved { place, problem }),
            Err(other) => Err(other),
        }
    }

    /// Reads and checks a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| Error::from_io(&name, e))?;
        Self::read(&name, file)
    }

    /// Reads and checks a model from a file called `name`.
    pub fn read(name: &str, mut from: impl Read) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        // The first bytes are checked before the rest is read: another file may be huge.
        let mut start = (&mut from).take(SNIFF);
        start.read_to_end(&mut bytes).map_err(|e| Error::from_io(name, e))?;
        if !looks_like_safetensors(&bytes) {
            return Err(not_a_model(name, "not a safetensors file".to_owned()));
        }
        from.read_to_end(&mut bytes).map_err(|e| Error::from_io(name, e))?;
        Self::from_bytes(name, &bytes)
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.bytes("model")
    }

    /// Returns the bytes of a file called `name`.
    fn bytes(&self, name: &str) -> Result<Vec<u8>, Error> {
        let bad = |problem: String| not_a_model(name, problem);
        let (model, directions) = (&self.model, &self.directions);
        let test = SelfTest::new(model.d());
        let (rows, fill) = (test.rows(), test.fill);
        let scores = test.scores(|x| model.scores(x)).map_err(bad)?;
        let mut tensors = model.function().tensors();
        tensors.extend([
            Tensor::u32("test.column", &[rows, fill], test.columns.clone()),
            Tensor::f64("test.value", &[rows, fill], test.values.clone()),
            Tensor::f64("test.score", &[rows, model.width()], scores),
        ]);
        if !directions.is_empty() {
            let coordinates = test.scores(|x| scores_of(directions, x)).map_err(bad)?;
            tensors.extend(Hyperplane::to_tensors(directions, COEFFICIENTS, INTERCEPTS));
            tensors.push(Tensor::f64("test.direction", &[rows, directions.len()], coordinates));
        }
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        container::write(&header, &tensors).map_err(bad)
    }

    /// Reads and checks the bytes of a file called `name`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let bad = |problem: String| not_a_model(name, problem);

        // 1. The version, the checksum and the header.
        let (header, mut tensors) = container::read(name, bytes)?;
        let header: Header = serde_json::from_slice(header).map_err(|e| bad(foreign(e)))?;
        header.recipe.check().map_err(bad)?;

        // 2. The model and the directions.
        let d = header.recipe.width();
        let (decide, cut) = header.decision().map_err(bad)?;
        let function = header.model.load(&mut tensors).map_err(bad)?;
        if function.d() != d {
            return Err(bad("recipe and model differ in the number of features".to_owned()));
        }
        let link = header.link().map_err(bad)?;
        let model = Model::new(header.labels(), function, decide)
            .and_then(|model| model.with_trust(link, cut))
            .map_err(|e| bad(e.to_string()))?;
        let has_directions = tensors.has(COEFFICIENTS);
        let directions = if has_directions { directions(&mut tensors, d) } else { Ok(Vec::new()) };
        let directions = directions.map_err(bad)?;

        // 3. The scores of the test rows, to the bit.
        let ([_, fill], values) = tensors.f64("test.value").map_err(bad)?;
        let ([_, _], columns) = tensors.u32("test.column").map_err(bad)?;
        let test = SelfTest { d, fill, columns, values };
        let ([_, _], scores) = tensors.f64("test.score").map_err(bad)?;
        test.run(|x| model.scores(x), &scores).map_err(bad)?;
        if has_directions {
            let ([_, _], coordinates) = tensors.f64("test.direction").map_err(bad)?;
            test.run(|x| scores_of(&directions, x), &coordinates).map_err(bad)?;
        }
        Ok(Self { model, directions, header })
    }

    /// Returns the model as a linear model; refuses another type. `name` is that of the model.
    pub fn linear(&self, name: &str) -> Result<LinearModel, Error> {
        self.model.linear().ok_or_else(|| Error::NotLinear {
            place: Box::new(Location::file(name)),
            found: self.model.function().name(),
        })
    }
}

const COEFFICIENTS: &str = "directions.coefficients";
const INTERCEPTS: &str = "directions.intercepts";

/// Reads the projection directions, with d coefficients each.
fn directions(tensors: &mut Tensors, d: usize) -> Result<Vec<Hyperplane>, String> {
    let directions = Hyperplane::from_tensors(tensors, COEFFICIENTS, INTERCEPTS)?;
    if directions.iter().any(|direction| direction.d() != d) {
        return Err("recipe and directions differ in the number of features".to_owned());
    }
    if !directions.iter().all(Hyperplane::is_finite) {
        return Err("a coefficient is not finite".to_owned());
    }
    Ok(directions)
}

/// Bytes read to recognize the format.
const SNIFF: u64 = 16;

/// Whether the bytes start with a plausible little-endian length, then a JSON object.
fn looks_like_safetensors(start: &[u8]) -> bool {
    let Some((length, rest)) = start.split_first_chunk::<8>() else { return false };
    u64::from_le_bytes(*length) < 1 << 32 && rest.first() == Some(&b'{')
}

fn not_a_model(name: &str, problem: String) -> Error {
    Error::NotAModel { place: Box::new(Location::file(name)), problem }
}

#[cfg(test)]
mod tests;
