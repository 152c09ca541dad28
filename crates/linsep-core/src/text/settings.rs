//! Settings of text features.

use super::grams::Split;
use super::words::Symbols;
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// Settings of the features of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextSettings {
    /// What n-grams consist of.
    pub unit: Unit,
    /// Smallest number of symbols of an n-gram.
    pub from: usize,
    /// Largest number of symbols of an n-gram.
    pub to: usize,
    /// Smallest document frequency of an n-gram: total weight of the documents that contain it.
    pub min_df: f64,
    /// Largest document frequency, as a share of all documents.
    pub max_df: f64,
    /// Dependence of a feature on the number of occurrences.
    pub frequency: Frequency,
    /// Whether rare n-grams get more weight: inverse document frequency.
    pub idf: bool,
    /// Whether the features of a document have Euclidean norm 1.
    pub normalize: bool,
    /// Words that are left out, in any case.
    pub stop_words: Vec<String>,
    /// Number of bits b: n-grams are hashed to 2^b features. `None` for a vocabulary.
    pub bits: Option<u32>,
}

impl Default for TextSettings {
    fn default() -> Self {
        Self {
            unit: Unit::Words,
            from: 1,
            to: 2,
            min_df: 2.0,
            max_df: 1.0,
            frequency: Frequency::Logarithm,
            idf: true,
            normalize: true,
            stop_words: Vec::new(),
            bits: None,
        }
    }
}

impl TextSettings {
    /// Longest n-gram.
    const LONGEST: usize = 10;
    /// Largest number of bits.
    const MOST_BITS: u32 = 28;

    /// Checks that the settings are in range.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |name, got, want| Err(Error::Setting { name, got, want });
        if !(1..=Self::LONGEST).contains(&self.to) {
            return refuse("text-to", self.to as f64, "a length of n-grams from 1 to 10");
        }
        if !(1..=self.to).contains(&self.from) {
            return refuse(
                "text-from",
                self.from as f64,
                "at least 1 and at most the largest length",
            );
        }
        if !(self.min_df.is_finite() && self.min_df > 0.0) {
            return refuse("min-df", self.min_df, "a finite number above 0");
        }
        if !(self.max_df > 0.0 && self.max_df <= 1.0) {
            return refuse("max-df", self.max_df, "a share above 0 and at most 1");
        }
        if let Some(bits) = self.bits.filter(|bits| !(1..=Self::MOST_BITS).contains(bits)) {
            return refuse("text-bits", f64::from(bits), "a number of bits from 1 to 28");
        }
        Ok(())
    }
}

/// What n-grams consist of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Words.
    #[default]
    Words,
    /// Characters, with single spaces between words.
    Characters,
}

impl Unit {
    pub(super) fn split(self) -> Split {
        match self {
            Self::Words => Symbols::words,
            Self::Characters => Symbols::characters,
        }
    }

    /// Text between the symbols of an n-gram.
    pub(super) fn between(self) -> &'static str {
        match self {
            Self::Words => " ",
            Self::Characters => "",
        }
    }
}

/// Dependence of a feature on the number c of occurrences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Frequency {
    /// c.
    Count,
    /// 1 + ln c.
    #[default]
    Logarithm,
    /// 1.
    Binary,
}

impl Frequency {
    pub(super) fn of(self, c: usize) -> f64 {
        match self {
            Self::Count => c as f64,
            Self::Logarithm if c > 1 => 1.0 + libm::log(c as f64),
            Self::Logarithm | Self::Binary => 1.0,
        }
    }
}
