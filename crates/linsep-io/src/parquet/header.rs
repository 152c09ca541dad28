//! Strict parser of Parquet page headers (Thrift, compact protocol).
//!
//! The decoder allocates the uncompressed size stated in the header. The decoder identifies fields
//! by number only, ignores the type, and uses the last of repeated fields. So a field of the format
//! must have its type, and occur once: then a header has a single interpretation.

use parquet::errors::{ParquetError, Result};
use std::io::{self, Read};

/// Uncompressed size allowed for any page. Usual pages have 1 MiB.
const PAGE: i64 = 256 << 20;

/// Maximum ratio of uncompressed to compressed size for larger pages: the maximum of deflate.
const RATIO: i64 = 1_032;

/// Maximum nesting of structs. Headers have three levels.
const DEPTH: usize = 8;

/// Type of a field of the format.
enum Type {
    Bool,
    I32,
    /// A struct with its fields, by number from 1.
    Struct(&'static [Type]),
}

use Type::{Bool, I32, Struct};

/// Fields of a header: kind, uncompressed size, compressed size, checksum, then the fields of one
/// kind of page. The decoder skips statistics, so none of their fields is listed.
const HEADER: &[Type] = &[
    I32,
    I32,
    I32,
    I32,
    Struct(&[I32, I32, I32, I32, Struct(&[])]),
    Struct(&[]),
    Struct(&[I32, I32, Bool]),
    Struct(&[I32, I32, I32, I32, I32, I32, Bool, Struct(&[])]),
];

/// Checks the header of a page with `packed` bytes; returns its uncompressed size.
pub(super) fn check(mut header: impl Read, packed: usize) -> Result<u64> {
    let mut own = [None; 4];
    fields(&mut header, HEADER, 0, &mut |id, value| own[id - 1] = Some(value))?;
    let [Some(_), Some(unpacked), Some(claimed), _] = own else {
        return Err(strange("a page header without sizes"));
    };
    let packed = i64::try_from(packed).unwrap_or(i64::MAX);
    if claimed != packed || !(0..=PAGE.max(packed.saturating_mul(RATIO))).contains(&unpacked) {
        let text = format!("a page declares {unpacked} bytes in {packed} compressed bytes");
        return Err(ParquetError::General(text));
    }
    Ok(unpacked.unsigned_abs())
}

#[cold]
fn strange(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// Reads the fields of a struct, and calls `see` on the 32-bit numbers.
fn fields(
    bytes: &mut impl Read,
    known: &[Type],
    depth: usize,
    see: &mut dyn FnMut(usize, i64),
) -> Result<()> {
    let (mut id, mut met) = (0_i64, 0_u32);
    loop {
        let head = byte(bytes)?;
        let (step, kind) = (head >> 4, head & 15);
        if kind == 0 {
            return Ok(());
        }
        id = if step == 0 { zigzag(bytes)? } else { id.saturating_add(step.into()) };
        let number = usize::try_from(id).unwrap_or(0);
        let Some(own) = number.checked_sub(1).and_then(|at| known.get(at)) else {
            skip(bytes, kind, depth)?;
            continue;
        };
        let is_own = matches!((own, kind), (Bool, 1 | 2) | (I32, 5) | (Struct(_), 12));
        if !is_own || met & (1 << number) != 0 {
            return Err(strange("a page header with invalid fields"));
        }
        met |= 1 << number;
        match own {
            Bool => {}
            I32 => see(number, zigzag(bytes)?),
            Struct(_) if depth == DEPTH => return Err(strange("an endless page header")),
            Struct(inner) => fields(bytes, inner, depth + 1, &mut |_, _| {})?,
        }
    }
}

/// Skips the value of an unknown field, like the decoder.
fn skip(bytes: &mut impl Read, kind: u8, depth: usize) -> Result<()> {
    match kind {
        1 | 2 => Ok(()),
        3 => byte(bytes).map(drop),
        4..=6 => zigzag(bytes).map(drop),
        7 => pass(bytes, 8),
        8 => {
            let length = number(bytes)?;
            pass(bytes, length)
        }
        9 | 10 if depth < DEPTH => {
            let head = byte(bytes)?;
            let count = if head >> 4 == 15 { number(bytes)? } else { u64::from(head >> 4) };
            (0..count).try_for_each(|_| match head & 15 {
                1 | 2 => byte(bytes).map(drop),
                element => skip(bytes, element, depth + 1),
            })
        }
        12 if depth < DEPTH => fields(bytes, &[], depth + 1, &mut |_, _| {}),
        _ => Err(strange("a page header with fields of unknown type")),
    }
}

fn byte(bytes: &mut impl Read) -> Result<u8> {
    let mut byte = [0];
    bytes.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn pass(bytes: &mut impl Read, count: u64) -> Result<()> {
    let passed = io::copy(&mut bytes.by_ref().take(count), &mut io::sink())?;
    if passed == count { Ok(()) } else { Err(strange("a truncated page header")) }
}

fn number(bytes: &mut impl Read) -> Result<u64> {
    varint(|| byte(bytes).ok()).ok_or_else(|| strange("a truncated page header"))
}

fn zigzag(bytes: &mut impl Read) -> Result<i64> {
    let n = number(bytes)?;
    Ok((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
}

/// Reads an unsigned integer of seven bits per byte (LEB128).
pub(super) fn varint(mut next: impl FnMut() -> Option<u8>) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a field with its head: a 32-bit number.
    fn field(head: u8, value: i64) -> Vec<u8> {
        let mut bytes = vec![head];
        let mut n = (value << 1 ^ value >> 63) as u64;
        while n >= 0x80 {
            bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        bytes.push(n as u8);
        bytes
    }

    /// Returns a header: kind, sizes, `rest`, and the end.
    fn header(unpacked: i64, packed: i64, rest: &[u8]) -> Vec<u8> {
        [&field(0x15, 0)[..], &field(0x15, unpacked), &field(0x15, packed), rest, &[0]].concat()
    }

    fn says(bytes: &[u8], given: usize) -> String {
        check(bytes, given).map_or_else(|e| e.to_string(), |unpacked| unpacked.to_string())
    }

    #[test]
    fn sizes_are_accepted_only_within_limits() {
        assert_eq!(says(&header(1 << 20, 100, &[]), 100), "1048576");
        assert_eq!(says(&header(1 << 30, 2 << 20, &[]), 2 << 20), "1073741824");
        assert!(says(&header(i32::MAX.into(), 100, &[]), 100).contains("2147483647 bytes in 100"));
        assert!(says(&header(100, 100, &[]), 99).contains("100 bytes in 99"));
        let wraps = 2_000_000_000 - (1 << 33);
        assert!(says(&header(wraps, 100, &[]), 100).contains("bytes in 100"));
        assert!(check(&[0x15][..], 1).is_err() && says(&[0], 1).contains("without sizes"));
    }

    #[test]
    fn a_repeated_size_or_one_of_another_type_is_an_error() {
        let again = [&[0x05, 4][..], &field(0, 2_000_000_000)[1..]].concat();
        assert!(says(&header(9, 100, &again), 100).contains("with invalid fields"));
        let mut other = header(9, 100, &[]);
        other[2] = 0x16; // 64 bits
        assert!(says(&other, 100).contains("with invalid fields"));
    }

    #[test]
    fn fields_of_page_kinds_and_unknown_fields_are_skipped() {
        // Field 5, the header of a data page: four numbers and statistics of a text and a list.
        let data: [&[u8]; 3] = [
            &[0x2C, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6],
            &[0x1C, 0x18, 2, 7, 7],
            &[0x19, 0x28, 1, 9, 0, 0, 0],
        ];
        // Field 29, unknown, a struct.
        let unknown: &[u8] = &[0x0C, 58, 0x17, 1, 2, 3, 4, 5, 6, 7, 8, 0];
        let rest = [&data.concat()[..], unknown].concat();
        assert_eq!(says(&header(9, 100, &rest), 100), "9");
        assert!(says(&header(9, 100, &[0x0B, 58]), 100).contains("unknown type"));
        let deep = [&[0x0C, 58][..], &[0x1C; 20]].concat();
        assert!(says(&header(9, 100, &deep), 100).contains("unknown type"));
    }
}
