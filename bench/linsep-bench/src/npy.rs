//! Reader of numpy arrays (`.npy`), for the types and layouts of the benchmarks.

use std::fs;
use std::path::Path;

/// Values of an array, in their stored type.
pub(crate) enum Array {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I32(Vec<i32>),
    I64(Vec<i64>),
}

/// Reads an array in C order, little-endian, of any shape.
pub(crate) fn read(path: &Path) -> Result<Array, String> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|e| format!("{name}: {e}"))?;
    let bad = || format!("{name}: unsupported array");
    if bytes.len() < 10 || &bytes[..6] != b"\x93NUMPY" {
        return Err(bad());
    }
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let text = std::str::from_utf8(bytes.get(10..header).ok_or_else(bad)?).map_err(|_| bad())?;
    if !text.contains("'fortran_order': False") {
        return Err(bad());
    }
    let body = &bytes[header..];
    let kind = ["<f4", "<f8", "<i4", "<i8"].into_iter().find(|kind| text.contains(kind));
    Ok(match kind {
        Some("<f4") => {
            Array::F32(body.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
        }
        Some("<f8") => {
            Array::F64(body.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
        }
        Some("<i4") => {
            Array::I32(body.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect())
        }
        Some("<i8") => {
            Array::I64(body.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect())
        }
        _ => return Err(bad()),
    })
}
