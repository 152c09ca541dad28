//! The model file: the whole map from a row to a prediction, in one file that is safe to load.
//!
//! A valid **safetensors** file, so that any safetensors reader opens the arrays:
//!
//! | tensor | shape | content |
//! |---|---|---|
//! | `header` | bytes, U8 | the [`Header`] as JSON |
//! | `planes.w` | hyperplanes × d, F64 | coefficients, one row per hyperplane |
//! | `planes.b` | hyperplanes, F64 | intercepts |
//! | `directions.w`, `directions.b` | m × d and m, F64 | projection directions, if any |
//! | `test.column` | 5 × m, U32 | columns with values in the test rows |
//! | `test.value` | 5 × m, F64 | values in these columns |
//! | `test.score` | 5 × hyperplanes, F64 | expected scores |
//! | `test.direction` | 5 × m, F64 | expected coordinates of the test rows along the directions |
//! | `sha256` | 32, U8 | SHA-256 of all bytes before it |
//!
//! The metadata key `linsep` has the version of the format. The header has method and settings,
//! classes, decision rule, recipe, training summary, and inference if requested.
//!
//! Loading executes no code and allocates no more than the length of the file. The checksum
//! detects damage, and all lengths and numbers are checked. The test rows are scored again: a
//! machine that does not reproduce the scores refuses the file. The test rows are synthetic, so
//! the file contains no row of the training data.

mod container;
mod header;
pub mod inference;
mod selftest;

pub use container::seal;
pub use header::{CertificateRecord, CertifiedRecord, FORMAT, Format, Header, Training, number};
pub use inference::Inference;

use crate::error::{Error, foreign};
use container::KEY;
use linsep_core::model::{Tensor, Tensors};
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

/// A model with its metadata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The hyperplanes, the classes and the decision rule.
    pub model: LinearModel,
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
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let name = path.display().to_string();
        let bytes = self.bytes(&name)?;
        match Self::from_bytes(&name, &bytes) {
            Ok(_) => Ok(AtomicFile::write_whole(path, &bytes)?),
            Err(Error::NotAModel { place, problem }) => Err(Error::NotSaved { place, problem }),
            Err(other) => Err(other),
        }
    }

    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Self, Error> {
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
        let (d, hyperplanes) = (self.model.d(), self.model.hyperplanes());
        let test = SelfTest::new(d);
        let (rows, fill) = (test.rows(), test.fill);
        let scores = |hyperplanes: &[Hyperplane]| {
            test.scores(hyperplanes).map_err(|problem| not_a_model(name, problem))
        };
        let mut tensors = vec![
            coefficients("planes.w", d, hyperplanes),
            intercepts("planes.b", hyperplanes),
            Tensor::u32("test.column", &[rows, fill], test.columns.clone()),
            Tensor::f64("test.value", &[rows, fill], test.values.clone()),
            Tensor::f64("test.score", &[rows, hyperplanes.len()], scores(hyperplanes)?),
        ];
        let directions = &self.directions;
        if !directions.is_empty() {
            tensors.extend([
                coefficients("directions.w", d, directions),
                intercepts("directions.b", directions),
                Tensor::f64("test.direction", &[rows, directions.len()], scores(directions)?),
            ]);
        }
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        container::write(&header, &tensors).map_err(|problem| not_a_model(name, problem))
    }

    /// Reads and checks the bytes of a file called `name`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let bad = |problem: String| not_a_model(name, problem);

        // 1. The version, the checksum and the header.
        let (header, mut tensors) = container::read(name, bytes)?;
        let header: Header = serde_json::from_slice(header).map_err(|e| bad(foreign(e)))?;
        header.recipe.check().map_err(bad)?;

        // 2. The hyperplanes and the directions.
        let d = header.recipe.width();
        let (decide, cut) = header.decision().map_err(bad)?;
        let hyperplanes = hyperplanes(&mut tensors, "planes", d).map_err(bad)?;
        let model = LinearModel::new(header.labels(), hyperplanes, decide)
            .map_err(|e| bad(e.to_string()))?;
        let link = header.link().map_err(bad)?;
        let model = model.with_trust(link, cut).map_err(|e| bad(e.to_string()))?;
        let has_directions = tensors.has("directions.w");
        let directions = if has_directions {
            self::hyperplanes(&mut tensors, "directions", d)
        } else {
            Ok(Vec::new())
        };
        let directions = directions.map_err(bad)?;

        // 3. The scores of the test rows, to the bit.
        let ([_, fill], values) = tensors.f64("test.value").map_err(bad)?;
        let ([_, _], columns) = tensors.u32("test.column").map_err(bad)?;
        let test = SelfTest { d, fill, columns, values };
        let ([_, _], scores) = tensors.f64("test.score").map_err(bad)?;
        test.run(model.hyperplanes(), &scores).map_err(bad)?;
        if has_directions {
            let ([_, _], coordinates) = tensors.f64("test.direction").map_err(bad)?;
            test.run(&directions, &coordinates).map_err(bad)?;
        }
        Ok(Self { model, directions, header })
    }
}

fn coefficients(name: &'static str, d: usize, hyperplanes: &[Hyperplane]) -> Tensor {
    let w = hyperplanes.iter().flat_map(|hyperplane| &hyperplane.w).copied().collect();
    Tensor::f64(name, &[hyperplanes.len(), d], w)
}

fn intercepts(name: &'static str, hyperplanes: &[Hyperplane]) -> Tensor {
    let b = hyperplanes.iter().map(|hyperplane| hyperplane.b).collect();
    Tensor::f64(name, &[hyperplanes.len()], b)
}

/// Reads the hyperplanes in the tensors `name.w` and `name.b`, with d coefficients each.
fn hyperplanes(tensors: &mut Tensors, name: &str, d: usize) -> Result<Vec<Hyperplane>, String> {
    let ([rows, columns], w) = tensors.f64(&format!("{name}.w"))?;
    let ([intercepts], b) = tensors.f64(&format!("{name}.b"))?;
    if rows != intercepts || columns == 0 {
        return Err("coefficients and intercepts differ in number".to_owned());
    }
    if columns != d {
        return Err("recipe and coefficients differ in the number of features".to_owned());
    }
    let hyperplanes: Vec<Hyperplane> =
        w.chunks_exact(d).zip(b).map(|(w, b)| Hyperplane { w: w.to_vec(), b }).collect();
    if !hyperplanes.iter().all(Hyperplane::is_finite) {
        return Err("a coefficient is not finite".to_owned());
    }
    Ok(hyperplanes)
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
