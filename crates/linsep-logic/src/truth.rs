//! A Boolean function as its truth table: the output for every row of inputs.
//!
//! Rows are in the usual order of a truth table: row 0 has every input 0, the last row every input
//! 1, and x₁ changes slowest. The inputs of row i are the binary digits of i, x₁ the first. Two
//! text formats are read and written:
//!
//! | format | meaning | AND | majority of three |
//! |---|---|---|---|
//! | bits | the output column from top to bottom | `0001` | `00010111` |
//! | hexadecimal | the number Σ f(row i) 2ⁱ, as in circuit tools | `0x8` | `0xe8` |

use crate::error::Error;
use linsep_core::Error as Size;
use serde::{Deserialize, Serialize};

/// Largest number of inputs.
pub const MOST_INPUTS: usize = 16;

/// A Boolean function of n inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Words")]
pub struct TruthTable {
    n: usize,
    /// 2ⁿ bits, 64 per word; bits beyond 2ⁿ are 0.
    pub(super) words: Vec<u64>,
}

/// A function as stored in an outcome, not yet checked.
#[derive(Deserialize)]
struct Words {
    n: usize,
    words: Vec<u64>,
}

impl TryFrom<Words> for TruthTable {
    type Error = Error;

    fn try_from(Words { n, words }: Words) -> Result<Self, Error> {
        let bit = |row: usize| words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1);
        Self::from_fn(n, bit)
    }
}

impl TruthTable {
    /// Builds the function with these outputs.
    pub fn from_fn(n: usize, output: impl Fn(usize) -> bool) -> Result<Self, Error> {
        if n > MOST_INPUTS {
            return Err(Size::TooLarge { what: "inputs", got: n, most: MOST_INPUTS }.into());
        }
        Ok(Self::collect(n, output))
    }

    /// Builds the function of some inputs alone, in this order: the others are 0, and then the
    /// inputs of the mask `flips` are negated.
    pub(crate) fn restricted(&self, inputs: &[usize], flips: usize) -> Self {
        let n = inputs.len();
        Self::collect(n, |row| {
            let on = (0..n).filter(|k| row >> (n - 1 - k) & 1 == 1);
            self.at(on.fold(0, |sum, k| sum | self.stride(inputs[k])) ^ flips)
        })
    }

    /// Builds the function without a check of n, which must be small enough.
    pub(crate) fn collect(n: usize, output: impl Fn(usize) -> bool) -> Self {
        let rows = 1_usize << n;
        let mut words = vec![0; rows.div_ceil(64)];
        for row in (0..rows).filter(|&row| output(row)) {
            words[row / 64] |= 1 << (row % 64);
        }
        Self { n, words }
    }

    /// Parses bits or a hexadecimal number; `None` if the text is neither. A single 0 or 1 is a
    /// function without inputs.
    pub fn parse(text: &str) -> Option<Result<Self, Error>> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let digits: Option<Vec<u32>> =
                digits.chars().filter(|c| *c != '_').map(|c| c.to_digit(16)).collect();
            let digits = digits.filter(|digits| !digits.is_empty())?;
            let rows = 4 * digits.len();
            return Some(Self::of_rows(rows, |row| {
                digits[digits.len() - 1 - row / 4] >> (row % 4) & 1 == 1
            }));
        }
        let bits = text.as_bytes();
        let plain = !bits.is_empty() && bits.iter().all(|b| matches!(b, b'0' | b'1'));
        plain.then(|| Self::of_rows(bits.len(), |row| bits[row] == b'1'))
    }

    fn of_rows(rows: usize, output: impl Fn(usize) -> bool) -> Result<Self, Error> {
        if !rows.is_power_of_two() {
            return Err(Error::TableLength { got: rows });
        }
        Self::from_fn(rows.trailing_zeros() as usize, output)
    }

    /// Returns the number of inputs n.
    pub fn inputs(&self) -> usize {
        self.n
    }

    /// Returns the number of rows 2ⁿ.
    pub fn rows(&self) -> usize {
        1 << self.n
    }

    /// Returns the output of a row.
    #[inline]
    pub fn at(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    /// Returns the number of rows with output 1.
    pub fn ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the rows with this output.
    pub fn rows_with(&self, output: bool) -> impl Iterator<Item = usize> {
        (0..self.rows()).filter(move |&row| self.at(row) == output)
    }

    /// Returns the difference of row numbers between input j (from 0) at 1 and at 0.
    #[inline]
    pub fn stride(&self, j: usize) -> usize {
        1 << (self.n - 1 - j)
    }

    /// Returns the inputs of a row, x₁ first.
    pub fn row(&self, row: usize) -> Vec<u8> {
        (0..self.n).map(|j| u8::from(row & self.stride(j) != 0)).collect()
    }

    /// Returns the negated function.
    pub fn not(&self) -> Self {
        Self::collect(self.n, |row| !self.at(row))
    }

    /// Returns the output column from top to bottom.
    pub fn bits(&self) -> String {
        (0..self.rows()).map(|row| if self.at(row) { '1' } else { '0' }).collect()
    }

    /// Returns the number Σ f(row i) 2ⁱ in hexadecimal.
    pub fn hex(&self) -> String {
        let digit = |d: usize| {
            let bits = (0..4).filter(|b| 4 * d + b < self.rows() && self.at(4 * d + b));
            bits.fold(0, |sum, b| sum | 1 << b)
        };
        let digits = (0..self.rows().div_ceil(4)).rev();
        let digits = digits.map(|d| char::from_digit(digit(d), 16).unwrap_or('0'));
        format!("0x{}", digits.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> TruthTable {
        TruthTable::parse(text).unwrap().unwrap()
    }

    #[test]
    fn bits_and_hexadecimal_round_trip() {
        let majority = TruthTable::collect(3, |row| row.count_ones() >= 2);
        assert_eq!((majority.bits().as_str(), majority.hex().as_str()), ("00010111", "0xe8"));
        assert_eq!((parse("00010111"), parse("0xE8")), (majority.clone(), majority));
        assert_eq!(parse("0001").hex(), "0x8");
        assert_eq!(parse("0xffff_0000_ffff_0001").inputs(), 6);
        assert_eq!((parse("1").inputs(), parse("01").inputs()), (0, 1));
        // x₁ changes slowest.
        assert_eq!(TruthTable::collect(2, |row| row & 2 != 0).bits(), "0011");
    }

    #[test]
    fn invalid_table_lengths_are_rejected() {
        assert_eq!(TruthTable::parse("011"), Some(Err(Error::TableLength { got: 3 })));
        assert_eq!(TruthTable::parse("0x123"), Some(Err(Error::TableLength { got: 12 })));
        let long = "0".repeat(1 << 17);
        let most: Error = Size::TooLarge { what: "inputs", got: 17, most: 16 }.into();
        assert_eq!(TruthTable::parse(&long), Some(Err(most)));
        for text in ["", "x1", "0x", "0xg", "012", "0b01"] {
            assert_eq!(TruthTable::parse(text), None, "{text:?}");
        }
    }
}
