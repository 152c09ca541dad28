//! Vocabulary of n-grams, as a trie.
//!
//! A symbol is a word or a character. An n-gram of symbols is a node of level n; its parent is the
//! (n−1)-gram without the last symbol. A node is the pair (number of its parent, number of its last
//! symbol), so that an n-gram takes one look-up of a 64-bit key, whatever its length.
//!
//! The **document frequency** of an n-gram is the total weight of the documents that contain it. An
//! n-gram is in the vocabulary if its document frequency is at least `min_df`. As a document that
//! contains an n-gram contains its parent and its last symbol, level n is found among the pairs of
//! known nodes and known symbols alone (apriori pruning), and memory follows the n-grams that can
//! be frequent.
//!
//! Nodes of a level are numbered in lexicographic order of their symbols. Documents are counted in
//! blocks that depend on the documents alone, and blocks are added in order: numbers and
//! frequencies do not depend on the number of threads.
//!
//! Cost: each level takes one look-up per symbol to count and one to number its nodes.

use super::table::{Dictionary, Pairs};
use super::words::{Symbols, hash_of};
use crate::math::rng::mix;
use rayon::prelude::*;
use std::ops::Range;

/// The number of an n-gram that is not in the vocabulary.
pub(super) const NONE: u32 = u32::MAX;

/// Bytes of the documents of a block.
const BLOCK: usize = 1 << 20;

/// Function that splits a document into symbols.
pub(super) type Split = fn(&mut Symbols, &str);

/// Stored form of a level: the number of children of each parent, and the last symbol of each node.
pub(super) type StoredLevel = (Vec<u32>, Vec<u32>);

/// Nodes of a level n ≥ 2.
#[derive(Clone, Debug)]
struct Level {
    /// Key of each node: parent·2³² + last symbol, ascending.
    keys: Vec<u64>,
    numbers: Pairs,
}

impl Level {
    fn new(keys: Vec<u64>) -> Self {
        let mut numbers = Pairs::with_capacity(keys.len());
        for (id, &key) in keys.iter().enumerate() {
            numbers.add(key, id as u32);
        }
        Self { keys, numbers }
    }
}

fn key(parent: u32, last: u32) -> u64 {
    u64::from(parent) << 32 | u64::from(last)
}

/// All n-grams that are frequent enough, up to a length.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    symbols: Dictionary,
    /// Levels 2, 3, …
    levels: Vec<Level>,
    /// Document frequency of the nodes of each level.
    pub(super) df: Vec<Vec<f64>>,
}

/// The documents of a block as numbers of symbols.
struct Block {
    /// Number of each symbol.
    ids: Vec<u32>,
    /// Index after the last symbol of each document.
    ends: Vec<usize>,
    /// Weight of each document.
    weights: Vec<f64>,
}

impl Block {
    fn documents(&self) -> impl Iterator<Item = (Range<usize>, f64)> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).map(|(start, &end)| start..end);
        ranges.zip(self.weights.iter().copied())
    }
}

/// Documents as numbers of nodes: for each level and block, the number of the n-gram that starts at
/// each symbol.
pub(super) struct Numbered {
    blocks: Vec<Block>,
    nodes: Vec<Vec<Vec<u32>>>,
}

impl Numbered {
    /// Calls `work` on each block, with a function that lists, for each document in order, the
    /// level (from 0) and number of every n-gram.
    pub(super) fn map<T: Send>(&self, work: impl Fn(&[&[u32]], &[usize]) -> T + Sync) -> Vec<T> {
        let block = |b: usize| {
            let nodes: Vec<&[u32]> = self.nodes.iter().map(|level| &level[b][..]).collect();
            work(&nodes, &self.blocks[b].ends)
        };
        (0..self.blocks.len()).into_par_iter().map(block).collect()
    }
}

/// Ranges of documents of about [`BLOCK`] bytes.
pub(super) fn blocks(documents: &[&str]) -> Vec<Range<usize>> {
    let (mut ranges, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (i, document) in documents.iter().enumerate() {
        bytes += document.len();
        if bytes >= BLOCK || i + 1 == documents.len() {
            ranges.push(start..i + 1);
            (start, bytes) = (i + 1, 0);
        }
    }
    ranges
}

impl Vocabulary {
    /// Learns the n-grams of 1..=`longest` symbols with a document frequency of at least `min_df`.
    /// Symbols for which `skip` holds are left out of the documents.
    pub(super) fn learn(
        documents: &[&str],
        weights: &[f64],
        split: Split,
        skip: impl Fn(&[u8]) -> bool + Sync,
        longest: usize,
        min_df: f64,
    ) -> (Self, Numbered) {
        // 1. Symbols of each block, with numbers of the block.
        let ranges = blocks(documents);
        let read = |range: &Range<usize>| {
            read_block(&documents[range.clone()], &weights[range.clone()], split, &skip)
        };
        let parts: Vec<(Dictionary, Vec<f64>, Block)> = ranges.par_iter().map(read).collect();

        // 2. Symbols of all blocks; those that are frequent, in lexicographic order.
        let (mut all, mut df) = (Dictionary::default(), Vec::new());
        let (mut own, mut blocks) = (Vec::new(), Vec::new());
        for (dictionary, frequencies, block) in parts {
            let number = |(id, frequency): (usize, f64)| {
                let number = all.add(dictionary.hash(id), dictionary.symbol(id));
                if number as usize == df.len() {
                    df.push(0.0);
                }
                df[number as usize] += frequency;
                number
            };
            own.push(frequencies.into_iter().enumerate().map(number).collect::<Vec<u32>>());
            blocks.push(block);
        }
        let frequent = |id: &usize| df[*id] >= min_df;
        let mut kept: Vec<usize> = (0..all.len()).filter(frequent).collect();
        kept.par_sort_unstable_by_key(|&id| all.symbol(id));
        let (mut symbols, mut number) = (Dictionary::default(), vec![NONE; all.len()]);
        for &id in &kept {
            number[id] = symbols.add(all.hash(id), all.symbol(id));
        }
        blocks.par_iter_mut().zip(&own).for_each(|(block, own)| {
            block.ids.iter_mut().for_each(|id| *id = number[own[*id as usize] as usize]);
        });

        // 3. One level after the other.
        let df = vec![kept.iter().map(|&id| df[id]).collect::<Vec<f64>>()];
        let first = blocks.iter().map(|block| block.ids.clone()).collect();
        let mut numbered = Numbered { blocks, nodes: vec![first] };
        let mut vocabulary = Self { symbols, levels: Vec::new(), df };
        for n in 2..=longest {
            vocabulary.add_level(&mut numbered, n, min_df);
        }
        (vocabulary, numbered)
    }

    /// Adds level n, and its numbers for the documents.
    fn add_level(&mut self, numbered: &mut Numbered, n: usize, min_df: f64) {
        let Numbered { blocks, nodes } = numbered;
        let parents = nodes.last().expect("level 1 is there");
        let counted: Vec<Vec<Vec<(u64, f64)>>> =
            blocks.par_iter().zip(parents).map(|(block, p)| count_block(block, p, n)).collect();
        let merged = (0..PARTS).into_par_iter().map(|part| merge_part(&counted, part, min_df));
        let mut kept = merged.collect::<Vec<_>>().concat();
        drop(counted);
        kept.par_sort_unstable_by_key(|(key, _)| *key);
        let level = Level::new(kept.iter().map(|(key, _)| *key).collect());
        let number = |(block, parents): (&Block, &Vec<u32>)| {
            let mut out = vec![NONE; parents.len()];
            for (document, _) in block.documents() {
                for i in starts(&document, n) {
                    out[i] = next(&level, parents[i], block.ids[i + n - 1]);
                }
            }
            out
        };
        let next = blocks.par_iter().zip(parents).map(number).collect();
        nodes.push(next);
        self.levels.push(level);
        self.df.push(kept.into_iter().map(|(_, df)| df).collect());
    }

    /// Number of levels.
    pub(super) fn longest(&self) -> usize {
        self.df.len()
    }

    /// Writes the level (from 0) and number of every n-gram of a document.
    pub(super) fn each(
        &self,
        document: &Symbols,
        skip: impl Fn(&[u8]) -> bool,
        scratch: &mut [Vec<u32>; 2],
        mut take: impl FnMut(usize, u32),
    ) {
        let [ids, parents] = scratch;
        ids.clear();
        document.each(|hash, symbol| {
            if !skip(symbol) {
                ids.push(self.symbols.get(hash, symbol).unwrap_or(NONE));
            }
        });
        ids.iter().filter(|id| **id != NONE).for_each(|&id| take(0, id));
        parents.clone_from(ids);
        for (l, level) in self.levels.iter().enumerate() {
            for i in starts(&(0..ids.len()), l + 2) {
                parents[i] = next(level, parents[i], ids[i + l + 1]);
                if parents[i] != NONE {
                    take(l + 1, parents[i]);
                }
            }
        }
    }

    /// Text of node `id` of level `level` (from 0), with `between` between its symbols.
    pub(super) fn text(&self, level: usize, id: usize, between: &str) -> String {
        let Some(above) = level.checked_sub(1) else {
            return String::from_utf8_lossy(self.symbols.symbol(id)).into_owned();
        };
        let key = self.levels[above].keys[id];
        let parent = self.text(above, (key >> 32) as usize, between);
        parent + between + &self.text(0, (key & u64::from(u32::MAX)) as usize, between)
    }

    /// The symbols in order, and the further levels.
    pub(super) fn stored(&self) -> (Vec<String>, Vec<StoredLevel>) {
        let symbols = (0..self.symbols.len()).map(|id| self.text(0, id, "")).collect();
        let level = |(level, parents): (&Level, &Vec<f64>)| {
            let mut children = vec![0; parents.len()];
            level.keys.iter().for_each(|key| children[(key >> 32) as usize] += 1);
            (children, level.keys.iter().map(|&key| key as u32).collect())
        };
        (symbols, self.levels.iter().zip(&self.df).map(level).collect())
    }

    /// A vocabulary from its stored parts; the error names the first defect.
    pub(super) fn load(
        symbols: &[String],
        levels: &[StoredLevel],
        df: Vec<Vec<f64>>,
    ) -> Result<Self, &'static str> {
        if df.len() != levels.len() + 1 || df[0].len() != symbols.len() {
            return Err("the vocabulary lacks a document frequency");
        }
        if !df.iter().flatten().all(|df| df.is_finite() && *df > 0.0) {
            return Err("a document frequency of the vocabulary is not a positive number");
        }
        let mut dictionary = Dictionary::default();
        for (id, symbol) in symbols.iter().enumerate() {
            let known = dictionary.add(hash_of(symbol), symbol.as_bytes());
            if symbol.is_empty() || known as usize != id {
                return Err("a word of the vocabulary is empty or occurs twice");
            }
        }
        let (mut parents, mut built) = (symbols.len(), Vec::new());
        for ((children, last), df) in levels.iter().zip(&df[1..]) {
            let total: u64 = children.iter().copied().map(u64::from).sum();
            let sound = children.len() == parents
                && total == last.len() as u64
                && last.len() == df.len()
                && last.iter().all(|&id| (id as usize) < symbols.len());
            if !sound {
                return Err("the n-grams of the vocabulary do not fit its words");
            }
            let parent = children.iter().zip(0_u32..);
            let parent = parent.flat_map(|(&n, id)| std::iter::repeat_n(id, n as usize));
            let keys: Vec<u64> =
                parent.zip(last).map(|(parent, &last)| key(parent, last)).collect();
            if !keys.is_sorted_by(|a, b| a < b) {
                return Err("the n-grams of the vocabulary are not in order");
            }
            parents = keys.len();
            built.push(Level::new(keys));
        }
        Ok(Self { symbols: dictionary, levels: built, df })
    }
}

/// First symbols of the n-grams of a document.
fn starts(document: &Range<usize>, n: usize) -> Range<usize> {
    document.start..(document.end + 1).saturating_sub(n).max(document.start)
}

/// The node below `parent` by symbol `last`.
#[inline]
fn next(level: &Level, parent: u32, last: u32) -> u32 {
    if parent == NONE || last == NONE {
        return NONE;
    }
    level.numbers.get(key(parent, last)).unwrap_or(NONE)
}

/// The symbols of a block and their document frequencies in it.
fn read_block(
    documents: &[&str],
    weights: &[f64],
    split: Split,
    skip: impl Fn(&[u8]) -> bool,
) -> (Dictionary, Vec<f64>, Block) {
    let (mut symbols, mut dictionary) = (Symbols::default(), Dictionary::default());
    let (mut df, mut last_in) = (Vec::new(), Vec::new());
    let mut block = Block { ids: Vec::new(), ends: Vec::new(), weights: weights.to_vec() };
    for (i, (document, weight)) in documents.iter().zip(weights).enumerate() {
        split(&mut symbols, document);
        symbols.each(|hash, symbol| {
            if skip(symbol) {
                return;
            }
            let id = dictionary.add(hash, symbol);
            if id as usize == df.len() {
                df.push(*weight);
                last_in.push(i);
            } else if last_in[id as usize] != i {
                df[id as usize] += weight;
                last_in[id as usize] = i;
            }
            block.ids.push(id);
        });
        block.ends.push(block.ids.len());
    }
    (dictionary, df, block)
}

/// Parts of the keys by their hashes, so that a table of one part fits the cache.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 6;

/// The distinct keys of level n in a block with their document frequencies, by part.
fn count_block(block: &Block, parents: &[u32], n: usize) -> Vec<Vec<(u64, f64)>> {
    let mut numbers = Pairs::with_capacity(parents.len() / 2);
    let mut found: Vec<(u64, f64, usize)> = Vec::with_capacity(parents.len() / 2);
    for (i, (document, weight)) in block.documents().enumerate() {
        for at in starts(&document, n) {
            let (parent, last) = (parents[at], block.ids[at + n - 1]);
            if parent == NONE || last == NONE {
                continue;
            }
            let key = key(parent, last);
            let number = numbers.add(key, found.len() as u32) as usize;
            match found.get_mut(number) {
                None => found.push((key, weight, i)),
                Some((_, df, last_in)) if *last_in != i => {
                    *df += weight;
                    *last_in = i;
                }
                Some(_) => {}
            }
        }
    }
    let mut parts = vec![Vec::new(); PARTS];
    for (key, df, _) in found {
        parts[(mix(key) >> (u64::BITS - PART_BITS)) as usize].push((key, df));
    }
    parts
}

/// The frequent keys of a part with their document frequencies, over all blocks.
fn merge_part(counted: &[Vec<Vec<(u64, f64)>>], part: usize, min_df: f64) -> Vec<(u64, f64)> {
    let most: usize = counted.iter().map(|parts| parts[part].len()).sum();
    let mut numbers = Pairs::with_capacity(most / 2);
    let mut found: Vec<(u64, f64)> = Vec::with_capacity(most / 2);
    for &(key, df) in counted.iter().flat_map(|parts| &parts[part]) {
        let number = numbers.add(key, found.len() as u32) as usize;
        match found.get_mut(number) {
            None => found.push((key, df)),
            Some((_, total)) => *total += df,
        }
    }
    found.retain(|(_, df)| *df >= min_df);
    found
}
