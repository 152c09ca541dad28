//! Detection of columns that were categorical before they were written.
//!
//! Parquet has no categorical type. Writers based on Arrow (pandas, pyarrow, polars) store the
//! Arrow schema in the footer, in base64, and a categorical column is a dictionary there. This
//! matters if the levels are numbers; text is categorical anyway.

use arrow_ipc::convert::try_schema_from_ipc_buffer;
use arrow_schema::DataType;
use parquet::file::metadata::FileMetaData;
use std::collections::HashSet;

/// Returns the names of the categorical columns; empty if the schema cannot be read.
pub(crate) fn categories(meta: &FileMetaData) -> HashSet<String> {
    let pairs = meta.key_value_metadata().into_iter().flatten();
    let schema = pairs
        .filter(|pair| pair.key == "ARROW:schema")
        .find_map(|pair| try_schema_from_ipc_buffer(&base64(pair.value.as_deref()?)?).ok());
    let Some(schema) = schema else { return HashSet::new() };
    let is = |kind: &DataType| matches!(kind, DataType::Dictionary(_, _));
    schema.fields().iter().filter(|f| is(f.data_type())).map(|f| f.name().clone()).collect()
}

/// Decodes base64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_follows_rfc_4648() {
        for (text, want) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(base64(text).unwrap(), want.as_bytes());
        }
        assert_eq!(base64("/+8="), Some(vec![0xFF, 0xEF]));
        assert_eq!(base64("Zm 9"), None);
    }
}
