//! Levels numbered in order of first appearance.
//!
//! All levels are stored end to end in one buffer, so a level costs its bytes, an end position and
//! a hash slot. A column of a million names needs far fewer than a million allocations. The hash
//! key is random: no file can be constructed so that its levels collide. The numbers do not depend
//! on the key.

use std::hash::{BuildHasher, RandomState};

/// A set of levels, numbered from 0.
#[derive(Default)]
pub(crate) struct StringDictionary {
    text: Vec<u8>,
    ends: Vec<usize>,
    /// Open addressing over (number + 1, high half of the hash); 0 is a free slot.
    slots: Vec<(u32, u32)>,
    key: RandomState,
}

impl StringDictionary {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let i = number as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    /// Returns all levels in order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.text[std::mem::replace(&mut start, end)..end])
    }

    /// Returns the bytes of memory in use, which may double during growth.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + 8 * self.ends.len() + 8 * self.slots.len()
    }

    /// Removes all levels and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.slots.fill((0, 0));
    }

    /// Returns the number of a new or known level. The caller ensures fewer than 2³² − 2 levels.
    pub(crate) fn code_for(&mut self, word: &[u8]) -> u32 {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = self.key.hash_one(word);
        let mask = self.slots.len() - 1;
        let mut at = low(hash) & mask;
        loop {
            match self.slots[at] {
                (0, _) => break,
                (n, h) if h == high(hash) && self.get(n - 1) == word => return n - 1,
                _ => at = (at + 1) & mask,
            }
        }
        self.text.extend_from_slice(word);
        self.ends.push(self.text.len());
        let count = u32::try_from(self.ends.len()).expect("the caller limits the levels to 2³²");
        self.slots[at] = (count, high(hash));
        count - 1
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        self.slots.clear();
        self.slots.resize(size, (0, 0));
        for i in 0..u32::try_from(self.ends.len()).expect("as in `number`") {
            let hash = self.key.hash_one(self.get(i));
            let mut at = low(hash) & (size - 1);
            while self.slots[at].0 != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = (i + 1, high(hash));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "truncation to the low half")]
fn low(hash: u64) -> usize {
    hash as u32 as usize
}

fn high(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Decodes a level: UTF-8, or else one character per byte (Latin-1, which is lossless and keeps
/// distinct levels distinct). The flag is true for UTF-8.
pub(crate) fn to_text(word: &[u8]) -> (String, bool) {
    match std::str::from_utf8(word) {
        Ok(text) => (text.to_owned(), true),
        Err(_) => (word.iter().map(|&b| char::from(b)).collect(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn latin_1_is_read_and_counted() {
        assert_eq!(to_text(b"caf\xE9"), ("café".to_owned(), false));
        assert_eq!(to_text("café".as_bytes()), ("café".to_owned(), true));
    }

    proptest! {
        #[test]
        fn numbers_are_given_in_order_of_first_appearance(
            list in prop::collection::vec("[ab]{0,5}", 0..200)
        ) {
            let mut words = StringDictionary::default();
            for _ in 0..2 {
                let mut order: Vec<&str> = Vec::new();
                for word in &list {
                    let want = order.iter().position(|w| w == word).unwrap_or(order.len());
                    if want == order.len() {
                        order.push(word);
                    }
                    prop_assert_eq!(words.code_for(word.as_bytes()) as usize, want);
                }
                let all: Vec<_> = words.iter().collect();
                prop_assert_eq!(all, order.iter().map(|w| w.as_bytes()).collect::<Vec<_>>());
                words.clear();
            }
        }
    }
}
