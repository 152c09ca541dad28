//! Feature hashing: n-grams share 2^b features by a 64-bit hash.
//!
//! The hash of an n-gram is computed from those of its symbols, so no vocabulary is kept. Two
//! n-grams in one bucket have one feature; how many n-grams share a bucket is counted in
//! training.

use super::TextFeatures;
use super::grams::blocks;
use super::words::Symbols;
use crate::math::rng::mix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Buckets of hashes.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    bits: u32,
    /// Document frequency of each bucket.
    pub(super) df: Vec<f64>,
    pub(super) collisions: Collisions,
}

/// Distinct n-grams of the documents of training, by their 64-bit hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collisions {
    /// Number of distinct n-grams.
    pub terms: usize,
    /// Number of n-grams that share a bucket with another.
    pub shared: usize,
}

impl Buckets {
    /// Counts documents and collisions; also returns the buckets of each document, by block.
    pub(super) fn learn(
        documents: &[&str],
        weights: &[f64],
        bits: u32,
        features: &TextFeatures,
    ) -> (Self, Vec<Vec<Vec<u32>>>) {
        let mut buckets = Self { bits, ..Self::default() };
        let ranges = blocks(documents);
        let read = |range: &std::ops::Range<usize>| {
            let (mut symbols, mut hashes, mut rows) = (Symbols::default(), Vec::new(), Vec::new());
            for document in &documents[range.clone()] {
                features.settings.unit.split()(&mut symbols, document);
                let mut row = Vec::new();
                buckets.each(&symbols, features, |hash, bucket| {
                    hashes.push(hash);
                    row.push(bucket);
                });
                rows.push(row);
            }
            hashes.sort_unstable();
            hashes.dedup();
            (hashes, rows)
        };
        let parts: Vec<(Vec<u64>, Vec<Vec<u32>>)> = ranges.par_iter().map(read).collect();
        let (hashes, rows): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut hashes = hashes.concat();
        hashes.par_sort_unstable();
        hashes.dedup();
        // Buckets are the leading bits, so the hashes of a bucket are neighbors.
        let shift = u64::BITS - bits;
        let shared = hashes.chunk_by(|a, b| a >> shift == b >> shift).map(<[u64]>::len);
        let shared = shared.filter(|n| *n > 1).sum();
        buckets.collisions = Collisions { terms: hashes.len(), shared };
        buckets.df = vec![0.0; 1 << bits];
        let mut seen = Vec::new();
        for (row, weight) in rows.iter().flatten().zip(weights) {
            seen.clone_from(row);
            seen.sort_unstable();
            seen.dedup();
            seen.iter().for_each(|&bucket| buckets.df[bucket as usize] += weight);
        }
        (buckets, rows)
    }

    /// Buckets from their stored parts.
    pub(super) fn load(
        bits: u32,
        df: Vec<Vec<f64>>,
        collisions: Collisions,
    ) -> Result<Self, &'static str> {
        match <[Vec<f64>; 1]>::try_from(df) {
            Ok([df]) if df.len() == 1 << bits && df.iter().all(|df| *df >= 0.0) => {
                Ok(Self { bits, df, collisions })
            }
            _ => Err("the buckets of a text do not have one document frequency each"),
        }
    }

    /// Calls `take` with the hash and the bucket of each n-gram of a document.
    pub(super) fn each(
        &self,
        document: &Symbols,
        features: &TextFeatures,
        mut take: impl FnMut(u64, u32),
    ) {
        let settings = &features.settings;
        // Hashes of the n-grams that end at the previous symbol, by length.
        let (mut before, mut now) = (Vec::new(), Vec::new());
        document.each(|hash, symbol| {
            if features.skips(symbol) {
                return;
            }
            now.clear();
            now.push(hash);
            let longer = before.iter().take(settings.to - 1);
            now.extend(longer.map(|&prefix: &u64| mix(prefix.wrapping_add(hash.rotate_left(32)))));
            for &hash in now.iter().skip(settings.from - 1) {
                take(hash, (hash >> (u64::BITS - self.bits)) as u32);
            }
            std::mem::swap(&mut before, &mut now);
        });
    }
}
