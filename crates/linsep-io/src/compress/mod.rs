//! Compression formats: gzip, zstd, bzip2, xz.
//!
//! Compression is detected from the first bytes, never from the file name.

#[cfg(feature = "compress")]
mod decode;

#[cfg(not(feature = "compress"))]
use crate::Error;

/// Compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Compression {
    /// Number of leading bytes that identify the format.
    pub(crate) const HEAD: usize = 10;

    /// Returns the format of a stream that starts with `head`, or `None` if it is not compressed.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        // The signature of bzip2 is printable, so the magic number of the first block is required
        // as well.
        let block =
            |at: &[u8]| at == b"\x31\x41\x59\x26\x53\x59" || at == b"\x17\x72\x45\x38\x50\x90";
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.get(..6).is_some_and(block) => {
                Some(Self::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    /// Returns the error for a file called `name`, which this build does not decompress.
    #[cfg(not(feature = "compress"))]
    pub(crate) fn refused(self, name: &str) -> Error {
        let what = match self {
            Self::Gzip => "a gzip file",
            Self::Zstd => "a zstd file",
            Self::Bzip2 => "a bzip2 file",
            Self::Xz => "an xz file",
        };
        let remedy = "Build linsep with the feature compress, or decompress the file first.";
        Error::unsupported(name, what, remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compression_formats_are_detected_from_the_first_bytes() {
        assert_eq!(Compression::of(b"\x1F\x8B\x08\0"), Some(Compression::Gzip));
        assert_eq!(Compression::of(b"BZh91AY&SY"), Some(Compression::Bzip2));
        assert_eq!(Compression::of(b"\xFD7zXZ\0\0\x04"), Some(Compression::Xz));
        assert_eq!(Compression::of(b"\x28\xB5\x2F\xFD\0"), Some(Compression::Zstd));
        for text in [&b""[..], b"BZh9,a,b\n1", b"\x1F\x8B", b"(\xB5", b"7zXZ", b"\xFD7zX"] {
            assert_eq!(Compression::of(text), None, "{text:?}");
        }
    }
}
