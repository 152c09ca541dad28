//! Numbers of distinct keys: two open-addressing hash tables that never forget a key.

use crate::math::rng::mix;

/// Distinct symbols, numbered in order of first occurrence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    /// The symbols, one after the other.
    bytes: Vec<u8>,
    /// End of each symbol.
    ends: Vec<usize>,
    hashes: Vec<u64>,
    /// Number of a symbol plus one, and half of its hash; 0 if empty. The length is a power of two.
    slots: Vec<(u32, u32)>,
}

impl Dictionary {
    /// Number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Symbol number `id`.
    pub(crate) fn symbol(&self, id: usize) -> &[u8] {
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.bytes[start..self.ends[id]]
    }

    /// Hash of symbol number `id`.
    pub(crate) fn hash(&self, id: usize) -> u64 {
        self.hashes[id]
    }

    /// Number of a symbol with this hash, if it is known.
    #[inline]
    pub(crate) fn get(&self, hash: u64, symbol: &[u8]) -> Option<u32> {
        if self.slots.is_empty() { None } else { self.find(hash, symbol).ok() }
    }

    /// Number of a symbol with this hash, which is added if it is new.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64, symbol: &[u8]) -> u32 {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        match self.find(hash, symbol) {
            Ok(id) => id,
            Err(free) => {
                let id = self.ends.len() as u32;
                self.slots[free] = (id + 1, (hash >> 32) as u32);
                self.bytes.extend_from_slice(symbol);
                self.ends.push(self.bytes.len());
                self.hashes.push(hash);
                id
            }
        }
    }

    /// The number of a symbol, or the free slot for it.
    #[inline]
    fn find(&self, hash: u64, symbol: &[u8]) -> Result<u32, usize> {
        let mut at = hash as usize & (self.slots.len() - 1);
        loop {
            match self.slots[at] {
                (0, _) => return Err(at),
                (id, half)
                    if half == (hash >> 32) as u32 && self.symbol(id as usize - 1) == symbol =>
                {
                    return Ok(id - 1);
                }
                _ => {}
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let n = (self.slots.len() * 2).max(1 << 10);
        self.slots = vec![(0, 0); n];
        for (id, &hash) in self.hashes.iter().enumerate() {
            let mut at = hash as usize & (n - 1);
            while self.slots[at].0 != 0 {
                at = (at + 1) & (n - 1);
            }
            self.slots[at] = (id as u32 + 1, (hash >> 32) as u32);
        }
    }
}

/// Numbers of pairs (a, b) of numbers, with the key a·2³² + b.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// The keys; the length is a power of two.
    keys: Vec<u64>,
    values: Vec<u32>,
    len: usize,
}

/// The key of no pair, as no number is 2³² − 1.
const EMPTY: u64 = u64::MAX;

impl Pairs {
    /// A table for about n pairs.
    pub(crate) fn with_capacity(n: usize) -> Self {
        let slots = (n * 2 + 16).next_power_of_two();
        Self { keys: vec![EMPTY; slots], values: vec![0; slots], len: 0 }
    }

    /// The number of a key, if it is known.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<u32> {
        let at = self.find(key);
        (self.keys[at] == key).then(|| self.values[at])
    }

    /// The number of a key, which becomes `new` if the key is new.
    #[inline]
    pub(crate) fn add(&mut self, key: u64, new: u32) -> u32 {
        if self.len * 2 >= self.keys.len() {
            self.grow();
        }
        let at = self.find(key);
        if self.keys[at] == EMPTY {
            (self.keys[at], self.values[at]) = (key, new);
            self.len += 1;
        }
        self.values[at]
    }

    /// The slot of a key, or the free slot for it.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mut at = mix(key) as usize & (self.keys.len() - 1);
        while self.keys[at] != key && self.keys[at] != EMPTY {
            at = (at + 1) & (self.keys.len() - 1);
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = Self::with_capacity(self.keys.len());
        for (&key, &value) in self.keys.iter().zip(&self.values).filter(|(key, _)| **key != EMPTY) {
            larger.add(key, value);
        }
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn symbols_keep_their_numbers() {
        let (mut dictionary, mut map) = (Dictionary::default(), HashMap::new());
        let mut rng = crate::math::rng::Rng::new(3, 0);
        for _ in 0..20_000 {
            let symbol = format!("s{}", rng.below(5_000));
            // Hashes with many collisions.
            let hash = symbol.len() as u64 ^ (poor_hash(&symbol) << 30);
            let n = map.len() as u32;
            let want = *map.entry(symbol.clone()).or_insert(n);
            assert_eq!(dictionary.get(hash, symbol.as_bytes()).unwrap_or(want), want);
            assert_eq!(dictionary.add(hash, symbol.as_bytes()), want);
            assert_eq!(dictionary.symbol(want as usize), symbol.as_bytes());
        }
        assert_eq!(dictionary.len(), map.len());
    }

    /// A poor hash of a symbol.
    fn poor_hash(symbol: &str) -> u64 {
        symbol.bytes().map(u64::from).sum::<u64>() % 7
    }

    #[test]
    fn pairs_keep_their_numbers() {
        let (mut pairs, mut map) = (Pairs::with_capacity(0), HashMap::new());
        let mut rng = crate::math::rng::Rng::new(4, 0);
        for _ in 0..50_000 {
            let key = rng.below(200) << 32 | rng.below(200);
            let n = map.len() as u32;
            let want = *map.entry(key).or_insert(n);
            assert_eq!(pairs.get(key).unwrap_or(want), want);
            assert_eq!(pairs.add(key, n), want);
        }
    }
}
