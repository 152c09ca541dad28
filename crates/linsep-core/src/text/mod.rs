//! Features of texts: n-grams of words or characters, weighted.
//!
//! With c the number of occurrences of an n-gram in a document, its feature is
//!
//! ```text
//!   v = tf(c) · idf,   tf(c) = c, 1 + ln c, or 1 where c > 0,   idf = ln((1 + N)/(1 + df)) + 1,
//! ```
//!
//! divided by the Euclidean norm of the document's features, if so set. N is the total weight of
//! the documents of training, df that of those which contain the n-gram. A weight of 2 equals the
//! document twice. Values are rounded to f32, which halves the memory of the design matrix: the
//! objective is that of the rounded features.
//!
//! The features are the n-grams of a vocabulary ([`grams`]) or 2^b buckets of their hashes
//! ([`buckets`]). Encoding a document costs one look-up per symbol and level.
//!
//! Source: Manning, Raghavan & Schütze, *Introduction to Information Retrieval*, §6.2–6.4;
//! Weinberger et al., *Feature hashing for large scale multitask learning*, ICML 2009.

mod buckets;
mod grams;
mod marks;
mod settings;
mod table;
mod words;

pub use buckets::Collisions;
pub use settings::{Frequency, TextSettings, Unit};

use crate::error::Error;
use buckets::Buckets;
use grams::{NONE, Numbered, StoredLevel, Vocabulary, blocks};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use words::Symbols;

/// Map from a text to features.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct TextFeatures {
    settings: TextSettings,
    /// Total weight of the documents of training.
    documents: f64,
    terms: Terms,
    /// Feature of each n-gram of each level of the vocabulary; [`NONE`] for n-grams without one.
    columns: Vec<Vec<u32>>,
    /// Number of the n-gram of each feature.
    nodes: Vec<u32>,
    /// Index after the last feature of each level.
    ends: Vec<usize>,
    /// Factor of each feature; empty for 1.
    idf: Vec<f64>,
    stop_words: HashSet<Vec<u8>>,
}

/// What the features are.
#[derive(Clone, Debug)]
enum Terms {
    Vocabulary(Vocabulary),
    Buckets(Buckets),
}

/// Encoded documents: a sparse matrix by rows, with ascending indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextRows {
    /// Index of the first value of each row, and the number of values.
    pub starts: Vec<usize>,
    /// Feature of each value.
    pub indices: Vec<u32>,
    /// The values.
    pub values: Vec<f32>,
}

impl TextRows {
    fn concat(parts: Vec<Part>) -> Self {
        let stored = parts.iter().map(|part| part.indices.len()).sum();
        let mut rows = Self {
            starts: vec![0],
            indices: Vec::with_capacity(stored),
            values: Vec::with_capacity(stored),
        };
        for part in parts {
            let before = rows.indices.len();
            rows.indices.extend(part.indices);
            rows.values.extend(part.values);
            rows.starts.extend(part.ends.into_iter().map(|end| before + end));
        }
        rows
    }

    /// Feature and value pairs of row i.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (u32, f32)> {
        let range = self.starts[i]..self.starts[i + 1];
        self.indices[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }
}

/// Encoded documents of a block.
#[derive(Default)]
struct Part {
    ends: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f32>,
}

impl TextFeatures {
    /// Learns the features of documents with these weights; also returns the encoded documents.
    pub fn learn(
        documents: &[&str],
        weights: &[f64],
        settings: &TextSettings,
    ) -> Result<(Self, TextRows), Error> {
        settings.check()?;
        let total: f64 = weights.iter().sum();
        let mut features = Self::empty(settings.clone(), total);
        let rows = if let Some(bits) = settings.bits {
            let (buckets, rows) = Buckets::learn(documents, weights, bits, &features);
            features.set_terms(Terms::Buckets(buckets));
            TextRows::concat(features.weigh_blocks(rows))
        } else {
            let (vocabulary, numbered) = Vocabulary::learn(
                documents,
                weights,
                settings.unit.split(),
                |symbol| features.skips(symbol),
                settings.to,
                settings.min_df,
            );
            features.set_terms(Terms::Vocabulary(vocabulary));
            features.rows_of(&numbered)
        };
        Ok((features, rows))
    }

    fn empty(settings: TextSettings, documents: f64) -> Self {
        let stop_words = settings.stop_words.iter().map(|w| w.to_lowercase().into_bytes());
        Self {
            stop_words: stop_words.collect(),
            settings,
            documents,
            terms: Terms::Buckets(Buckets::default()),
            columns: Vec::new(),
            nodes: Vec::new(),
            ends: Vec::new(),
            idf: Vec::new(),
        }
    }

    /// Sets the terms, and what follows from their document frequencies.
    fn set_terms(&mut self, terms: Terms) {
        let idf = |df: f64| ((1.0 + self.documents) / (1.0 + df)).ln() + 1.0;
        let most = self.settings.max_df * self.documents;
        let mut frequencies = Vec::new();
        match &terms {
            Terms::Vocabulary(vocabulary) => {
                for (level, df) in vocabulary.df.iter().enumerate() {
                    let level_counts = level + 1 >= self.settings.from;
                    let column = |(id, df): (u32, &f64)| {
                        if !level_counts || *df > most {
                            return NONE;
                        }
                        frequencies.push(*df);
                        self.nodes.push(id);
                        frequencies.len() as u32 - 1
                    };
                    self.columns.push((0..).zip(df).map(column).collect());
                    self.ends.push(frequencies.len());
                }
            }
            Terms::Buckets(buckets) => frequencies.clone_from(&buckets.df),
        }
        if self.settings.idf {
            self.idf = frequencies.into_iter().map(idf).collect();
        }
        self.terms = terms;
    }

    /// Settings.
    pub fn settings(&self) -> &TextSettings {
        &self.settings
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        match &self.terms {
            Terms::Vocabulary(_) => self.nodes.len(),
            Terms::Buckets(buckets) => buckets.df.len(),
        }
    }

    /// Shared buckets; `None` for a vocabulary.
    pub fn collisions(&self) -> Option<Collisions> {
        match &self.terms {
            Terms::Vocabulary(_) => None,
            Terms::Buckets(buckets) => Some(buckets.collisions),
        }
    }

    /// Text of feature j: the n-gram, or the number of the bucket.
    pub fn term(&self, j: usize) -> String {
        let Terms::Vocabulary(vocabulary) = &self.terms else { return format!("#{j}") };
        let level = self.ends.partition_point(|&end| end <= j);
        vocabulary.text(level, self.nodes[j] as usize, self.settings.unit.between())
    }

    /// Encodes documents.
    pub fn encode(&self, documents: &[&str]) -> TextRows {
        let block = |range: &std::ops::Range<usize>| {
            let (mut symbols, mut scratch) = (Symbols::default(), [Vec::new(), Vec::new()]);
            let (mut part, mut row) = (Part::default(), Vec::new());
            for document in &documents[range.clone()] {
                self.settings.unit.split()(&mut symbols, document);
                row.clear();
                match &self.terms {
                    Terms::Vocabulary(vocabulary) => {
                        let skip = |symbol: &[u8]| self.skips(symbol);
                        vocabulary.each(&symbols, skip, &mut scratch, |level, id| {
                            row.push(self.columns[level][id as usize]);
                        });
                    }
                    Terms::Buckets(buckets) => {
                        buckets.each(&symbols, self, |_, bucket| row.push(bucket));
                    }
                }
                self.weigh(&mut row, &mut part);
            }
            part
        };
        TextRows::concat(blocks(documents).par_iter().map(block).collect())
    }

    /// Whether a symbol is left out of the documents.
    fn skips(&self, symbol: &[u8]) -> bool {
        !self.stop_words.is_empty() && self.stop_words.contains(symbol)
    }

    /// Rows of the documents of training.
    fn rows_of(&self, numbered: &Numbered) -> TextRows {
        TextRows::concat(numbered.map(|levels, ends| {
            let (mut part, mut row, mut start) = (Part::default(), Vec::new(), 0);
            for &end in ends {
                row.clear();
                for (nodes, columns) in levels.iter().zip(&self.columns) {
                    let known = nodes[start..end].iter().filter(|id| **id != NONE);
                    row.extend(known.map(|&id| columns[id as usize]));
                }
                self.weigh(&mut row, &mut part);
                start = end;
            }
            part
        }))
    }

    /// Weighs the buckets of blocks of documents.
    fn weigh_blocks(&self, blocks: Vec<Vec<Vec<u32>>>) -> Vec<Part> {
        let block = |rows: Vec<Vec<u32>>| {
            let mut part = Part::default();
            rows.into_iter().for_each(|mut row| self.weigh(&mut row, &mut part));
            part
        };
        blocks.into_par_iter().map(block).collect()
    }

    /// Appends a document, given by the feature of each n-gram in any order.
    fn weigh(&self, row: &mut [u32], part: &mut Part) {
        row.sort_unstable();
        let start = part.indices.len();
        let mut squares = 0.0;
        for run in row.chunk_by(|a, b| a == b).filter(|run| run[0] != NONE) {
            let tf = self.settings.frequency.of(run.len());
            let value = tf * self.idf.get(run[0] as usize).copied().unwrap_or(1.0);
            squares += value * value;
            part.indices.push(run[0]);
            part.values.push(value as f32);
        }
        if self.settings.normalize && squares > 0.0 {
            let by = squares.sqrt();
            part.values[start..].iter_mut().for_each(|v| *v = (f64::from(*v) / by) as f32);
        }
        part.ends.push(part.indices.len());
    }
}

impl PartialEq for TextFeatures {
    fn eq(&self, other: &Self) -> bool {
        Stored::from(self.clone()) == Stored::from(other.clone())
    }
}

/// Stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    settings: TextSettings,
    /// Total weight of the documents of training.
    documents: f64,
    /// Symbols of the vocabulary in order; empty for buckets.
    symbols: Vec<String>,
    /// The further levels of the vocabulary.
    levels: Vec<StoredLevel>,
    /// Document frequencies by level.
    df: Vec<Vec<f64>>,
    /// Shared buckets.
    collisions: Option<Collisions>,
}

impl From<TextFeatures> for Stored {
    fn from(of: TextFeatures) -> Self {
        let collisions = of.collisions();
        let ((symbols, levels), df) = match of.terms {
            Terms::Vocabulary(vocabulary) => (vocabulary.stored(), vocabulary.df),
            Terms::Buckets(buckets) => (Default::default(), vec![buckets.df]),
        };
        let (settings, documents) = (of.settings, of.documents);
        Self { settings, documents, symbols, levels, df, collisions }
    }
}

impl TryFrom<Stored> for TextFeatures {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Self, String> {
        let Stored { settings, documents, symbols, levels, df, collisions } = stored;
        settings.check().map_err(|e| e.to_string())?;
        if !(documents.is_finite() && documents >= 0.0) {
            return Err("the weight of the documents is not a finite number".to_owned());
        }
        let terms = match (settings.bits, collisions) {
            (Some(bits), Some(collisions)) => Terms::Buckets(Buckets::load(bits, df, collisions)?),
            (None, None) => {
                let vocabulary = Vocabulary::load(&symbols, &levels, df)?;
                if vocabulary.longest() != settings.to {
                    return Err("the vocabulary does not have all lengths of n-grams".to_owned());
                }
                Terms::Vocabulary(vocabulary)
            }
            _ => return Err("features of text are a vocabulary or buckets".to_owned()),
        };
        let mut features = Self::empty(settings, documents);
        features.set_terms(terms);
        Ok(features)
    }
}

#[cfg(test)]
mod tests;
