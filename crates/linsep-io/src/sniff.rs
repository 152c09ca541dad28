//! Is this text? A binary file is refused by name before a parser makes noise about it.
//!
//! Looked at: the first [`LOOK`] bytes. Refused: a known signature at byte 0, a NUL byte anywhere,
//! or more than 30 % control bytes that no text has.

use crate::error::Error;
use crate::place::Place;

/// Bytes looked at.
pub(crate) const LOOK: usize = 8 << 10;

/// UTF-8's byte order mark.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

const UNPACK: &str = "Unpack it first.";
const EXPORT: &str = "Save it as CSV from the program that made it.";
const RECODE: &str = "Convert it with: iconv -f UTF-16 -t UTF-8.";

/// Signatures at byte 0: what it is, what to do.
const SIGNATURES: [(&[u8], &str, &str); 15] = [
    (b"\x1F\x8B", "a gzip file", UNPACK),
    (b"\x28\xB5\x2F\xFD", "a zstd file", UNPACK),
    (b"BZh", "a bzip2 file", UNPACK),
    (b"\xFD7zXZ\0", "an xz file", UNPACK),
    (b"7z\xBC\xAF", "a 7z archive", UNPACK),
    (b"PK\x03\x04", "a zip archive or a spreadsheet (xlsx, ods)", EXPORT),
    (b"\xD0\xCF\x11\xE0", "an old spreadsheet (xls)", EXPORT),
    (b"PAR1", "a Parquet file", "Name it *.parquet so that it is read as one."),
    (b"ARROW1", "an Arrow file", "Name it *.arrow so that it is read as one."),
    (b"SQLite format 3\0", "an SQLite database", EXPORT),
    (b"%PDF-", "a PDF document", EXPORT),
    (b"\x89PNG", "a PNG image", EXPORT),
    (b"\x89HDF", "an HDF5 file", EXPORT),
    (b"\xFF\xFE", "UTF-16 text", RECODE),
    (b"\xFE\xFF", "UTF-16 text", RECODE),
];

/// A byte that no text has, in whatever encoding.
fn odd(b: u8) -> bool {
    b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) || b == 0x7F
}

/// Are these bytes plain ASCII text?
pub(crate) fn looks_like_text(head: &[u8]) -> bool {
    !head.iter().take(LOOK).any(|&b| odd(b) || b >= 0x80)
}

/// Refuses what is not text.
pub(crate) fn refuse_binary(name: &str, head: &[u8]) -> Result<(), Error> {
    let head = &head[..head.len().min(LOOK)];
    let refuse = |offset, what, hint| {
        Err(Error::Binary { place: Box::new(Place::file(name)), offset, what, hint })
    };
    // Signatures that are also words (BZh, PAR1) count only with a byte that no text has.
    let text = looks_like_text(head);
    for (signature, what, hint) in SIGNATURES {
        if head.starts_with(signature) && !text {
            return refuse(0, what, hint);
        }
    }
    // Eight bytes of length, then JSON: a safetensors model handed over as data.
    if head.len() > 9 && head[4..8] == [0; 4] && head[8] == b'{' {
        return refuse(0, "a safetensors file", "Give it as the model, not as the data.");
    }
    let hint = "Check that this is the file you meant.";
    if let Some(offset) = memchr::memchr(0, head) {
        return refuse(offset, "a binary file", hint);
    }
    if head.iter().filter(|b| odd(**b)).count() * 10 > head.len() * 3 {
        let offset = head.iter().position(|b| odd(*b)).unwrap_or(0);
        return refuse(offset, "a binary file", hint);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(head: &[u8]) -> String {
        refuse_binary("x.csv", head).err().map_or_else(String::new, |e| e.to_string())
    }

    #[test]
    fn known_files_are_called_by_name() {
        assert_eq!(
            says(b"\x1F\x8B\x08\x00\x00"),
            "x.csv: at byte 0 this looks like a gzip file, not like text. Unpack it first."
        );
        assert!(says(b"PAR1\x15\x04").contains("a Parquet file"));
        assert!(says(b"\xFF\xFEa\0,\0b\0").contains("iconv"));
        assert!(says(b"\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}").contains("safetensors"));
        assert!(says(b"a,b\n1,\x002\n").contains("at byte 6"));
        assert!(says(b"\x01\x02\x03abc").contains("a binary file"));
    }

    #[test]
    fn text_is_let_through() {
        for head in ["", "a,b\r\n1\t2\x0C\n", "PAR1,b\n1,2\n", "größe,straße\n", "BZh,x\n"] {
            assert_eq!(says(head.as_bytes()), "");
        }
    }
}
