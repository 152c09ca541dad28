//! The model file: the whole map from a row to a prediction, in one file that is safe to load.
//!
//! A valid **safetensors** file, so that any safetensors reader opens the arrays:
//!
//! | tensor | shape | content |
//! |---|---|---|
//! | `planes.w` | hyperplanes × d, F64 | coefficients, one row per hyperplane |
//! | `planes.b` | hyperplanes, F64 | intercepts |
//! | `test.column` | 5 × m, U32 | columns with values in the test rows |
//! | `test.value` | 5 × m, F64 | values in these columns |
//! | `test.score` | 5 × hyperplanes, F64 | expected scores |
//! | `directions.w`, `directions.b` | m × d and m, F64 | projection directions, if any |
//! | `test.direction` | 5 × m, F64 | expected coordinates of the test rows along them |
//!
//! The metadata key `linsep` holds one JSON text, the [`Header`]. The text has format version,
//! method and settings, classes, decision rule, recipe, training summary, and inference if
//! requested.
//!
//! Loading executes no code and allocates no more than the length of the file. All lengths and
//! numbers are checked, and the test rows are scored again: a file that no longer reproduces its
//! scores is refused. The test rows are synthetic, so the file contains no row of the training
//! data.

mod header;
mod header_size;
pub mod inference;
mod selftest;

pub use header::{
    CertificateRecord, CertifiedRecord, FORMAT, Format, Header, PROOFS, Training, number,
};
pub use header_size::check_header_size;
pub use inference::Inference;

use crate::error::{Error, foreign};
use linsep_core::{Hyperplane, LinearModel};
#[cfg(feature = "fs")]
use linsep_io::atomic::AtomicFile;
use linsep_io::location::Location;
#[cfg(feature = "fs")]
use linsep_io::outputs::Kind;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use selftest::SelfTest;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
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
        let d = self.model.d();
        let test = SelfTest::new(d);
        let column: Vec<u8> = test.columns.iter().flat_map(|c| c.to_le_bytes()).collect();
        let value = le_bytes(&test.values);
        let arrays = |hyperplanes: &[Hyperplane]| {
            let w: Vec<u8> =
                hyperplanes.iter().flat_map(|hyperplane| le_bytes(&hyperplane.w)).collect();
            let b: Vec<u8> =
                hyperplanes.iter().flat_map(|hyperplane| hyperplane.b.to_le_bytes()).collect();
            let score = test.scores(hyperplanes).expect("test rows use these columns");
            (hyperplanes.len(), w, b, le_bytes(&score))
        };
        let (hyperplanes, w, b, score) = arrays(self.model.hyperplanes());
        let (m, directions_w, directions_b, coordinates) = arrays(&self.directions);
        let (rows, fill) = (test.rows(), test.fill);

        let view = |dtype, shape: &[usize], bytes| {
            TensorView::new(dtype, shape.to_vec(), bytes).expect("lengths fit the shapes above")
        };
        let mut tensors = vec![
            ("planes.w", view(Dtype::F64, &[hyperplanes, d], &w)),
            ("planes.b", view(Dtype::F64, &[hyperplanes], &b)),
            ("test.column", view(Dtype::U32, &[rows, fill], &column)),
            ("test.value", view(Dtype::F64, &[rows, fill], &value)),
            ("test.score", view(Dtype::F64, &[rows, hyperplanes], &score)),
        ];
        if m > 0 {
            tensors.extend([
                ("directions.w", view(Dtype::F64, &[m, d], &directions_w)),
                ("directions.b", view(Dtype::F64, &[m], &directions_b)),
                ("test.direction", view(Dtype::F64, &[rows, m], &coordinates)),
            ]);
        }
        let header =
            serde_json::to_string(&self.header.in_bounds()).expect("a header is plain data");
        header_size::check(
            name,
            d,
            header_size::escaped(header.as_bytes()) + header_size::TENSORS,
        )?;
        let metadata = HashMap::from([(KEY.to_owned(), header)]);
        safetensors::serialize(tensors, Some(metadata))
            .map_err(|e| not_a_model(name, e.to_string()))
    }

    /// Reads and checks the bytes of a file called `name`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let bad = |problem: String| not_a_model(name, problem);
        let tensors = SafeTensors::deserialize(bytes).map_err(|e| bad(foreign(e)))?;
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| bad(foreign(e)))?;
        let text = metadata.metadata().as_ref().and_then(|map| map.get(KEY));
        let text = text.ok_or_else(|| bad(format!("no metadata under {KEY:?}")))?;

        // 1. The version first: the rest may differ in another version.
        let format = Format::of(text).map_err(|e| bad(foreign(e)))?;
        if format.major != FORMAT.major {
            let place = Box::new(Location::file(name));
            return Err(Error::ModelVersion { place, found: format.major, known: FORMAT.major });
        }
        let header: Header = serde_json::from_str(text).map_err(|e| bad(foreign(e)))?;

        header.recipe.check().map_err(bad)?;

        // 2. The hyperplanes and the directions.
        let d = header.recipe.width();
        let (decide, cut) = header.decision().map_err(bad)?;
        let hyperplanes = hyperplanes(&tensors, "planes", d).map_err(bad)?;
        let model = LinearModel::new(header.labels(), hyperplanes, decide)
            .map_err(|e| bad(e.to_string()))?;
        let link = header.link().map_err(bad)?;
        let model = model.with_trust(link, cut).map_err(|e| bad(e.to_string()))?;
        let has_directions = tensors.names().contains(&"directions.w");
        let directions = if has_directions {
            self::hyperplanes(&tensors, "directions", d)
        } else {
            Ok(Vec::new())
        };
        let directions = directions.map_err(bad)?;

        // 3. The scores of the test rows, to the bit.
        let (fill_shape, values) = floats(&tensors, "test.value", 2).map_err(bad)?;
        let columns = words(&tensors, "test.column", &fill_shape).map_err(bad)?;
        let test = SelfTest { d, fill: fill_shape[1], columns, values };
        let (_, scores) = floats(&tensors, "test.score", 2).map_err(bad)?;
        test.run(model.hyperplanes(), &scores).map_err(bad)?;
        if has_directions {
            let (_, coordinates) = floats(&tensors, "test.direction", 2).map_err(bad)?;
            test.run(&directions, &coordinates).map_err(bad)?;
        }
        Ok(Self { model, directions, header })
    }
}

/// Reads the hyperplanes in the tensors `name.w` and `name.b`, with d coefficients each.
fn hyperplanes(tensors: &SafeTensors<'_>, name: &str, d: usize) -> Result<Vec<Hyperplane>, String> {
    let (shape, w) = floats(tensors, &format!("{name}.w"), 2)?;
    let (b_shape, b) = floats(tensors, &format!("{name}.b"), 1)?;
    if shape[0] != b_shape[0] || shape[1] == 0 {
        return Err("coefficients and intercepts differ in number".to_owned());
    }
    if shape[1] != d {
        return Err("recipe and coefficients differ in the number of features".to_owned());
    }
    let hyperplanes: Vec<Hyperplane> =
        w.chunks_exact(d).zip(b).map(|(w, b)| Hyperplane { w: w.to_vec(), b }).collect();
    if !hyperplanes.iter().all(Hyperplane::is_finite) {
        return Err("a coefficient is not finite".to_owned());
    }
    Ok(hyperplanes)
}

const KEY: &str = "linsep";

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

fn le_bytes(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Reads an F64 tensor with this number of dimensions; returns its shape and its numbers.
fn floats(
    tensors: &SafeTensors<'_>,
    name: &str,
    dimensions: usize,
) -> Result<(Vec<usize>, Vec<f64>), String> {
    let view = tensors.tensor(name).map_err(foreign)?;
    if view.dtype() != Dtype::F64 || view.shape().len() != dimensions {
        return Err(format!("{name} is not an F64 tensor of {dimensions} dimensions"));
    }
    let (chunks, _) = view.data().as_chunks::<8>();
    Ok((view.shape().to_vec(), chunks.iter().map(|c| f64::from_le_bytes(*c)).collect()))
}

/// Reads a U32 tensor of this shape.
fn words(tensors: &SafeTensors<'_>, name: &str, shape: &[usize]) -> Result<Vec<u32>, String> {
    let view = tensors.tensor(name).map_err(foreign)?;
    if view.dtype() != Dtype::U32 || view.shape() != shape {
        return Err(format!("{name} is not a U32 tensor of shape {shape:?}"));
    }
    let (chunks, _) = view.data().as_chunks::<4>();
    Ok(chunks.iter().map(|c| u32::from_le_bytes(*c)).collect())
}

#[cfg(test)]
mod tests;
