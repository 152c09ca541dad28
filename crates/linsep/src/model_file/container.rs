//! Bytes of a model file: a header, tensors and a checksum, as a valid safetensors file.
//!
//! The header is a tensor of bytes, as the JSON part of a safetensors file has a limit of 100 MB.
//! The metadata key `linsep` has the version of the format. The tensor `sha256` is the last in the
//! file: the SHA-256 of all bytes before it, so a change of any single bit is detected.

use super::{FORMAT, Format, not_a_model};
use crate::error::{Error, foreign};
use linsep_core::model::{Entries, Tensor, Tensors};
use linsep_io::location::Location;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Key of the version in the metadata.
pub(super) const KEY: &str = "linsep";

/// Tensor with the header.
const HEADER: &str = "header";

/// Tensor with the checksum. It must be the last: tensors are sorted by the size of an entry,
/// largest first, then by name.
const SHA256: &str = "sha256";

/// Length of the checksum.
const DIGEST: usize = 32;

/// Version of a file, under [`KEY`].
#[derive(Serialize, Deserialize)]
struct Version {
    format: Format,
}

/// Returns the bytes of a file.
pub(super) fn write(header: &[u8], tensors: &[Tensor]) -> Result<Vec<u8>, String> {
    let data: Vec<Vec<u8>> = tensors.iter().map(|tensor| le_bytes(&tensor.entries)).collect();
    let view = |dtype, shape: &[usize], bytes| {
        TensorView::new(dtype, shape.to_vec(), bytes).map_err(foreign)
    };
    let mut views = vec![
        (HEADER, view(Dtype::U8, &[header.len()], header)?),
        (SHA256, view(Dtype::U8, &[DIGEST], &[0; DIGEST])?),
    ];
    for (tensor, bytes) in tensors.iter().zip(&data) {
        let dtype = match tensor.entries {
            Entries::F64(_) => Dtype::F64,
            Entries::U32(_) => Dtype::U32,
        };
        views.push((&tensor.name, view(dtype, &tensor.shape, bytes)?));
    }
    let version = serde_json::to_string(&Version { format: FORMAT }).map_err(foreign)?;
    let metadata = HashMap::from([(KEY.to_owned(), version)]);
    let mut bytes = safetensors::serialize(views, Some(metadata)).map_err(foreign)?;
    seal(&mut bytes);
    Ok(bytes)
}

/// Writes the checksum of a file to its end.
pub fn seal(file: &mut [u8]) {
    if let Some((content, digest)) = file.split_last_chunk_mut::<DIGEST>() {
        *digest = Sha256::digest(content).into();
    }
}

/// Returns the header and the tensors of a file called `name`.
pub(super) fn read<'a>(name: &str, bytes: &'a [u8]) -> Result<(&'a [u8], Tensors), Error> {
    let bad = |problem: String| not_a_model(name, problem);
    let tensors = SafeTensors::deserialize(bytes).map_err(|e| bad(foreign(e)))?;

    // 1. The version first: another version may have no checksum.
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| bad(foreign(e)))?;
    let text = metadata.metadata().as_ref().and_then(|map| map.get(KEY));
    let text = text.ok_or_else(|| bad(format!("no metadata under {KEY:?}")))?;
    let version: Version = serde_json::from_str(text).map_err(|e| bad(foreign(e)))?;
    if version.format.major != FORMAT.major {
        let place = Box::new(Location::file(name));
        let found = version.format.major;
        return Err(Error::ModelVersion { place, found, known: FORMAT.major });
    }

    // 2. The checksum, before anything else is interpreted.
    let intact = bytes
        .split_last_chunk::<DIGEST>()
        .is_some_and(|(content, digest)| Sha256::digest(content)[..] == digest[..]);
    if !intact {
        return Err(bad("its bytes do not match its SHA-256".to_owned()));
    }

    // 3. The header and the tensors.
    let header = tensors.tensor(HEADER).map_err(|e| bad(foreign(e)))?;
    let numbers = tensors.iter().filter_map(|(name, view)| {
        let entries = match view.dtype() {
            Dtype::F64 => Entries::F64(
                view.data().as_chunks().0.iter().copied().map(f64::from_le_bytes).collect(),
            ),
            Dtype::U32 => Entries::U32(
                view.data().as_chunks().0.iter().copied().map(u32::from_le_bytes).collect(),
            ),
            _ => return None,
        };
        Some(Tensor { name: name.to_owned().into(), shape: view.shape().to_vec(), entries })
    });
    Ok((header.data(), numbers.collect()))
}

fn le_bytes(entries: &Entries) -> Vec<u8> {
    match entries {
        Entries::F64(entries) => entries.iter().flat_map(|v| v.to_le_bytes()).collect(),
        Entries::U32(entries) => entries.iter().flat_map(|v| v.to_le_bytes()).collect(),
    }
}
