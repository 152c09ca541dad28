//! The pages of a column, with the sizes they state checked before decoding.
//!
//! The decoders trust the counts in a page and allocate accordingly, and a failed allocation ends
//! the program. So before a page reaches the decoders:
//!
//! * a **dictionary** has no more entries than its bytes can hold, and precedes the pages that use
//!   it;
//! * **delta-encoded lengths** are no more than the values of the page.

use super::header::varint;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// A page reader that refuses pages with impossible counts.
pub(crate) struct Checked {
    pub pages: Box<dyn PageReader>,
    pub kind: Type,
    /// Bytes of a value of fixed length.
    pub length: usize,
    /// Whether a value can be null.
    pub optional: bool,
    /// Whether a dictionary was read.
    pub dictionary: bool,
}

impl Checked {
    fn check(&self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                let least = match self.kind {
                    Type::BOOLEAN => 1,
                    Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
                    Type::INT64 | Type::DOUBLE => 8,
                    Type::INT96 => 12,
                    Type::FIXED_LEN_BYTE_ARRAY => self.length.max(1),
                };
                if *num_values as usize > buf.len() / least {
                    let text =
                        format!("a dictionary of {num_values} entries in {} bytes", buf.len());
                    return Err(ParquetError::General(text));
                }
                Ok(())
            }
            Page::DataPage { encoding, .. } | Page::DataPageV2 { encoding, .. }
                if !self.dictionary && is_dictionary(*encoding) =>
            {
                Err(ParquetError::General("a page without its dictionary".to_owned()))
            }
            Page::DataPage { buf, num_values, encoding, .. } => {
                // Repetition levels never occur here; definition levels have their length before
                // them.
                let levels = match (self.optional, buf.first_chunk::<4>()) {
                    (true, Some(length)) => 4 + u32::from_le_bytes(*length) as usize,
                    _ => 0,
                };
                check_deltas(*encoding, buf, levels, *num_values)
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                check_deltas(*encoding, buf, levels, *num_values)
            }
        }
    }
}

fn is_dictionary(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}

/// Checks the number of delta-encoded lengths.
fn check_deltas(encoding: Encoding, page: &[u8], levels: usize, values: u32) -> Result<()> {
    let lists = match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return Ok(()),
    };
    let mut bytes = page.get(levels..).unwrap_or_default().iter().copied();
    for _ in 0..lists {
        let count = skip_deltas(&mut bytes);
        if count.is_none_or(|count| count > values.into()) {
            let text = format!("more than {values} lengths, or truncated lengths");
            return Err(ParquetError::General(text));
        }
    }
    Ok(())
}

/// Skips a delta-encoded list; returns its number of entries. (Parquet: `DELTA_BINARY_PACKED`.)
fn skip_deltas(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let block = varint(|| bytes.next())?;
    let minis = varint(|| bytes.next())?;
    let count = varint(|| bytes.next())?;
    varint(|| bytes.next())?; // the first entry
    let per_mini = block.checked_div(minis)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(|| bytes.next())?; // the smallest difference
        let mut widths = Vec::new();
        for _ in 0..minis {
            widths.push(bytes.next()?);
        }
        for width in widths {
            if left == 0 {
                break; // the rest of the block is not stored
            }
            let size = per_mini.checked_mul(width.into())? / 8;
            if size > 0 {
                bytes.nth(usize::try_from(size - 1).ok()?)?;
            }
            left = left.saturating_sub(per_mini.max(1));
        }
    }
    Some(count)
}

impl Iterator for Checked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.iter().try_for_each(|page| self.check(page))?;
        self.dictionary |= matches!(page, Some(Page::DictionaryPage { .. }));
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_encoded_lists_are_skipped() {
        // Blocks of 128 in 4 miniblocks of 32; 5 entries, the first 7; one block of width 0.
        let list = [0x80, 0x01, 4, 5, 14, 2, 0, 0, 0, 0];
        let mut bytes = list.iter().chain(&[99]).copied();
        assert_eq!((skip_deltas(&mut bytes), bytes.next()), (Some(5), Some(99)));
        // Width 8 in the first miniblock: 32 bytes, and the other three are not stored.
        let mut long = vec![0x80, 0x01, 4, 5, 14, 2, 8, 0, 0, 0];
        long.extend([1; 32]);
        assert_eq!(skip_deltas(&mut long.iter().copied()), Some(5));
        assert_eq!(skip_deltas(&mut long[..41].iter().copied()), None);
        let huge = [0x80, 0x01, 4, 0xFF, 0xFF, 0xFF, 0x7F, 14];
        assert!(check_deltas(Encoding::DELTA_LENGTH_BYTE_ARRAY, &huge, 0, 10).is_err());
        assert!(check_deltas(Encoding::DELTA_BYTE_ARRAY, &list, 0, 10).is_err());
        let twice = [list, list].concat();
        assert!(check_deltas(Encoding::DELTA_BYTE_ARRAY, &twice, 0, 5).is_ok());
    }
}
