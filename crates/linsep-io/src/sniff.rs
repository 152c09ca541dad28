//! Detection of files that are not text tables, so that the error names the format instead of a
//! parse failure.
//!
//! Examined: the first [`LOOK`] bytes. Refused: a known signature, a NUL byte anywhere, and more
//! than 30 % control bytes that do not occur in text. Also refused: ARFF, recognized by its first
//! line other than blanks and comments.

use crate::error::Error;
use crate::location::Location;

/// Number of bytes examined.
pub(crate) const LOOK: usize = 8 << 10;

/// Byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Signature of an Arrow file.
pub(crate) const ARROW_FILE: &[u8; 6] = b"ARROW1";

/// Start of every message of an Arrow stream.
pub(crate) const ARROW_MESSAGE: [u8; 4] = [0xFF; 4];

const UNPACK: &str = "Decompress it first.";
const EXPORT: &str = "Save it as CSV from the program that made it.";
const READ: &str = "Remove `format`.";
const RECODE: &str = "Convert it with: iconv -f UTF-16 -t UTF-8.";

/// Signatures at byte 0: bytes, description, remedy.
const SIGNATURES: [(&[u8], &str, &str); 16] = [
    (b"\x1F\x8B", "a gzip file", UNPACK),
    (b"\x28\xB5\x2F\xFD", "a zstd file", UNPACK),
    (b"BZh", "a bzip2 file", UNPACK),
    (b"\xFD7zXZ\0", "an xz file", UNPACK),
    (b"7z\xBC\xAF", "a 7z archive", UNPACK),
    (b"PK\x03\x04", "a zip archive or a spreadsheet (xlsx, ods)", EXPORT),
    (b"\xD0\xCF\x11\xE0", "an old spreadsheet (xls)", EXPORT),
    (b"PAR1", "a Parquet file", READ),
    (b"ARROW1", "an Arrow file", READ),
    (b"SQLite format 3\0", "an SQLite database", EXPORT),
    (b"%PDF-", "a PDF document", EXPORT),
    (b"\x89PNG", "a PNG image", EXPORT),
    (b"\x89HDF", "an HDF5 file", EXPORT),
    (b"RDX", "an R data file", "Write its table as CSV with R's write.csv."),
    (b"\xFF\xFE", "UTF-16 text", RECODE),
    (b"\xFE\xFF", "UTF-16 text", RECODE),
];

/// Whether `b` occurs in no text of any encoding.
fn odd(b: u8) -> bool {
    b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) || b == 0x7F
}

/// Whether these bytes are plain ASCII text.
pub(crate) fn looks_like_text(head: &[u8]) -> bool {
    !head.iter().take(LOOK).any(|&b| odd(b) || b >= 0x80)
}

/// Whether a file with this head looks like Parquet. The signature is printable, so a non-text byte
/// is required as well.
pub(crate) fn looks_like_parquet(head: &[u8]) -> bool {
    head.starts_with(b"PAR1") && !looks_like_text(head)
}

/// Whether a file with this head looks like an Arrow file or stream.
pub(crate) fn looks_like_arrow(head: &[u8]) -> bool {
    let file = head.starts_with(ARROW_FILE) && head.get(6) == Some(&0);
    // The first message of a stream, its schema, is assumed shorter than 16 MiB.
    file || head.starts_with(&ARROW_MESSAGE) && head.get(7) == Some(&0)
}

/// Returns an error if the file is not text.
pub(crate) fn refuse_binary(name: &str, head: &[u8]) -> Result<(), Error> {
    let head = &head[..head.len().min(LOOK)];
    let refuse = |offset: usize, what: &str, hint: &str| {
        let found = format!("{what} (byte {offset})");
        Err(Error::unexpected(Location::file(name), "text", found, hint))
    };
    // Signatures of printable characters (BZh, PAR1) count only beside a non-text byte.
    let text = looks_like_text(head);
    for (signature, what, hint) in SIGNATURES {
        if head.starts_with(signature) && !text {
            return refuse(0, what, hint);
        }
    }
    // Eight bytes of length, then JSON: a safetensors model given as data.
    if head.len() > 9 && head[4..8] == [0; 4] && head[8] == b'{' {
        return refuse(0, "a safetensors file", "Use it as the model, not as the data.");
    }
    if head.get(257..262) == Some(b"ustar") {
        return refuse(257, "a tar archive", "Extract it first.");
    }
    // Two zeros, the type of the numbers, the number of dimensions: MNIST and similar data sets.
    if let [0, 0, 0x08 | 0x09 | 0x0B..=0x0E, 1..=4, ..] = head {
        let hint = "Convert it to CSV or Parquet with one row per item and a class column.";
        return refuse(0, "an IDX file", hint);
    }
    let hint = "Check the file name.";
    if let Some(offset) = memchr::memchr(0, head) {
        return refuse(offset, "a binary file", hint);
    }
    if head.iter().filter(|b| odd(**b)).count() * 10 > head.len() * 3 {
        let offset = head.iter().position(|b| odd(*b)).unwrap_or(0);
        return refuse(offset, "a binary file", hint);
    }
    // ARFF: comments start with %, and the first declaration is @relation.
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
    let words = first.unwrap_or_default().get(..10).map(<[u8]>::to_ascii_lowercase);
    if words.is_some_and(|words| words.starts_with(b"@relation") && words[9].is_ascii_whitespace())
    {
        let remedy = "Delete its lines up to @data; the rest is CSV.";
        return Err(Error::unsupported(name, "an ARFF file", remedy));
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
    fn known_binary_formats_are_named() {
        assert_eq!(
            says(b"\x1F\x8B\x08\x00\x00"),
            "x.csv: expected text, found a gzip file (byte 0). Decompress it first."
        );
        assert!(says(b"PAR1\x15\x04").contains("a Parquet file"));
        assert!(says(b"\xFF\xFEa\0,\0b\0").contains("iconv"));
        assert!(says(b"\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}").contains("safetensors"));
        assert!(says(b"a,b\n1,\x002\n").contains("(byte 6)"));
        assert!(says(b"\x01\x02\x03abc").contains("a binary file"));
        assert!(says(b"RDX3\nX\n\0\0\0\x03").contains("an R data file"));
        assert!(says(b"\0\0\x08\x03\0\0\xEA\x60\0\0\0\x1C").contains("an IDX file"));
        let mut tar = [0; 512];
        tar[..5].copy_from_slice(b"a.txt");
        tar[257..262].copy_from_slice(b"ustar");
        assert!(says(&tar).contains("a tar archive"));
        let arff = says(b"% 1. Title\r\n\r\n@RELATION iris\n@ATTRIBUTE a REAL\n");
        assert!(arff.starts_with("x.csv: found an ARFF file, which"), "{arff}");
    }

    #[test]
    fn text_is_accepted() {
        for head in [
            "",
            "a,b\r\n1\t2\x0C\n",
            "PAR1,b\n1,2\n",
            "größe,straße\n",
            "BZh,x\n",
            "@relations,b\n",
            "%\n@\n",
        ] {
            assert_eq!(says(head.as_bytes()), "");
        }
    }
}
