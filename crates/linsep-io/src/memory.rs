//! Memory limit, and the error for data that would exceed it.
//!
//! The default limit of a reader is three quarters of the memory of the machine, or of the limit of
//! the control group if smaller; without the feature `fs` there is none. Everything that grows with
//! the data is counted before it is allocated: a failed allocation ends the program, an error does
//! not.

#[cfg(feature = "fs")]
mod machine;

use crate::error::Error;
use crate::location::Location;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// Remedy for a file that is too large.
pub(crate) const FEWER: &str = "read fewer rows or columns";

/// Bytes of memory. The default is three quarters of the memory available to this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memory(pub u64);

impl Memory {
    /// No limit.
    pub const ALL: Self = Self(u64::MAX);

    /// Returns the fraction 1/`of`.
    pub fn part(self, of: u64) -> usize {
        usize::try_from(self.0 / of).unwrap_or(usize::MAX)
    }

    /// Returns an error if a result of `bytes` bytes exceeds the limit.
    pub fn check_or(self, bytes: u128, what: &str, instead: &'static str) -> Result<(), Error> {
        if bytes <= u128::from(self.0) {
            Ok(())
        } else {
            Err(self.exceeded("the result", what, bytes, instead))
        }
    }

    /// Returns an error if `what`, in a file, takes more: at least `bytes` bytes.
    pub fn check(self, file: &str, what: &str, bytes: u128) -> Result<(), Error> {
        if bytes <= u128::from(self.0) {
            Ok(())
        } else {
            Err(self.exceeded(file, what, bytes, FEWER))
        }
    }

    /// Returns the error for `what`, in a file, that takes `bytes` bytes; `instead` is a remedy
    /// other than a higher limit.
    #[cold]
    pub fn exceeded(self, file: &str, what: &str, bytes: u128, instead: &'static str) -> Error {
        let needs = Self(u64::try_from(bytes).unwrap_or(u64::MAX));
        let (place, what) = (Box::new(Location::file(file)), what.to_owned());
        Error::Memory { place, what, needs, limit: self, instead }
    }
}

impl Default for Memory {
    fn default() -> Self {
        static USABLE: OnceLock<Memory> = OnceLock::new();
        *USABLE.get_or_init(|| {
            #[cfg(feature = "fs")]
            let all = machine::memory();
            #[cfg(not(feature = "fs"))]
            let all: Option<u64> = None;
            all.map_or(Self::ALL, |bytes| Self(bytes / 4 * 3))
        })
    }
}

/// Units, in powers of 1000, as is usual for memory in messages.
const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut size, mut unit) = (self.0 as f64, 0);
        while size >= 999.95 && unit + 1 < UNITS.len() {
            size /= 1000.0;
            unit += 1;
        }
        let digits = usize::from(unit > 0);
        write!(f, "{size:.digits$} {}", UNITS[unit])
    }
}

/// Smallest limit that can be set: no useful table can be read with less.
const LEAST: u64 = 16_000_000;

impl FromStr for Memory {
    type Err = String;

    /// Parses a number with a unit: 4GB (powers of 1000) or 4GiB (powers of 1024).
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a size such as 512MB or 4GB, found {text:?}");
        let at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
        let (number, unit) = (text[..at].trim(), text[at..].to_ascii_uppercase());
        let (base, unit) = match unit.strip_suffix("IB") {
            Some(unit) => (1024_f64, unit.to_owned()),
            None => (1000.0, unit.strip_suffix('B').unwrap_or(&unit).to_owned()),
        };
        let power = ["", "K", "M", "G", "T"].iter().position(|known| *known == unit);
        let power = i32::try_from(power.ok_or_else(wrong)?).expect("a small number");
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let bytes = number * base.powi(power);
        if !(bytes >= LEAST as f64 && bytes < 1e18) {
            return Err(format!("expected at least {}, found {text}", Self(LEAST)));
        }
        Ok(Self(bytes as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_and_formatted() {
        let read = |text: &str| text.parse::<Memory>().map(|m| m.to_string());
        assert_eq!(read("4GB").unwrap(), "4.0 GB");
        assert_eq!(read("64MiB").unwrap(), "67.1 MB");
        assert_eq!(read("1.5 g").unwrap(), "1.5 GB");
        assert_eq!(read("999.96MB").unwrap(), "1.0 GB");
        for wrong in ["", "4", "GB", "-1GB", "4XB", "1MB", "nanGB", "1e9TB"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Memory(17).to_string(), "17 B");
    }
}
