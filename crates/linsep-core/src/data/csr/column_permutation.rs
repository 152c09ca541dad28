//! Columns ordered by frequency, so that the most used coefficients are adjacent and stay in the
//! cache.
//!
//! In text a few columns hold most of the values. If their coefficients are far apart, each of them
//! takes a cache line, and most of the second-level cache holds coefficients that are rarely used.
//! The storage order therefore groups columns in **bands** of about the same frequency, the most
//! frequent first, and keeps the given order within a band. Every other [`GROUP`] of columns is in
//! the second half, where rows are split (see [`Csr`](super::Csr)). Adjacent columns stay together,
//! because they often occur together.
//!
//! Frequencies are estimated from some of the rows, because bands need not be exact. As a band
//! keeps the given order, a bucket pass reorders each row without sorting.

use crate::data::Hyperplane;
use crate::math::kernels::Value;

/// A permutation of the columns of a matrix, from storage order to given order.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnPermutation {
    /// The given index of each column in storage order.
    given: Vec<u32>,
    /// Number of columns in the first half.
    first: usize,
}

impl ColumnPermutation {
    /// Computes the permutation from the columns of some rows, and the map that applies it.
    pub(super) fn by_frequency<'a>(
        d: usize,
        some: impl Iterator<Item = &'a [u32]>,
    ) -> (Self, Reordering) {
        let mut counts = vec![0_u32; d];
        some.flatten().for_each(|&j| counts[j as usize] += 1);
        // The more frequent, the lower: one band per bit of a u32, and one for columns that did not
        // occur.
        let band = |count: u32| count.leading_zeros() as usize;
        let mut sizes = [0; BANDS];
        counts.iter().for_each(|&count| sizes[band(count)] += 1);
        // Next position of each band, before the split in halves.
        let mut next = [0_usize; BANDS];
        let mut start = 0;
        for (next, size) in next.iter_mut().zip(sizes) {
            *next = start;
            start += size;
        }
        let first = d / (2 * GROUP) * GROUP + (d % (2 * GROUP)).min(GROUP);
        let (mut given, mut stored, mut places) = (vec![0; d], vec![0; d], vec![0; d]);
        for (j, &count) in counts.iter().enumerate() {
            let band = band(count);
            let (pair, within) = (next[band] / (2 * GROUP), next[band] % (2 * GROUP));
            next[band] += 1;
            let half = within / GROUP;
            let at = half * first + pair * GROUP + within % GROUP;
            given[at] = j as u32;
            (stored[j], places[j]) = (at as u32, (half * BANDS + band) as u8);
        }
        (Self { given, first }, Reordering { stored, places })
    }

    /// The first column of the second half, in storage order.
    pub(super) fn middle(&self) -> usize {
        self.first
    }

    /// The given index of the column with index j in storage order.
    pub(super) fn given(&self, j: u32) -> u32 {
        self.given[j as usize]
    }

    /// Converts a hyperplane from given order to storage order.
    ///
    /// # Panics
    ///
    /// If the number of features differs.
    pub(crate) fn to_stored(&self, hyperplane: &Hyperplane) -> Hyperplane {
        assert_eq!(
            hyperplane.d(),
            self.given.len(),
            "a hyperplane has as many features as the \
            rows"
        );
        if hyperplane.is_zero() {
            return Hyperplane::zero(hyperplane.d());
        }
        let w = self.given.iter().map(|&j| hyperplane.w[j as usize]).collect();
        Hyperplane { w, b: hyperplane.b }
    }

    /// Converts a hyperplane from storage order to given order.
    ///
    /// # Panics
    ///
    /// If the number of features differs.
    pub fn to_given(&self, hyperplane: &Hyperplane) -> Hyperplane {
        assert_eq!(
            hyperplane.d(),
            self.given.len(),
            "a hyperplane has as many features as the \
            rows"
        );
        let mut back = Hyperplane { w: vec![0.0; hyperplane.d()], b: hyperplane.b };
        for (&j, &w) in self.given.iter().zip(&hyperplane.w) {
            back.w[j as usize] = w;
        }
        back
    }

    /// Memory of the permutation, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.given.as_slice())
    }
}

/// Number of columns that stay together: their coefficients take two cache lines.
const GROUP: usize = 16;

const BANDS: usize = u32::BITS as usize + 1;

/// The map from given order to storage order.
pub(super) struct Reordering {
    stored: Vec<u32>,
    /// The bucket of each column: its half and its band.
    places: Vec<u8>,
}

/// Buffer for one row: columns in storage order, their buckets and values.
pub(super) struct RowBuffer<V>(Vec<(u32, u8, V)>);

impl<V> Default for RowBuffer<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Reordering {
    /// Reorders a row from given to storage order; its columns ascend before and after.
    pub(super) fn reorder<V: Value>(
        &self,
        indices: &mut [u32],
        values: &mut [V],
        room: &mut RowBuffer<V>,
    ) {
        let mut next = [0_u32; 2 * BANDS];
        room.0.clear();
        room.0.extend(indices.iter().zip(&*values).map(|(&j, &v)| {
            let place = self.places[j as usize];
            next[place as usize] += 1;
            (self.stored[j as usize], place, v)
        }));
        let mut start = 0;
        for next in &mut next {
            start += std::mem::replace(next, start);
        }
        for &(j, place, v) in &room.0 {
            let next = &mut next[place as usize];
            (indices[*next as usize], values[*next as usize]) = (j, v);
            *next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_columns_come_first_in_both_halves() {
        // Of 40 columns, column 3 is in eight rows, column 1 in four, columns 0 and 39 in one, the
        // others in none.
        let rows: Vec<Vec<u32>> = (0..8)
            .map(|i| match i {
                0 => vec![0, 1, 3, 39],
                1..4 => vec![1, 3],
                _ => vec![3],
            })
            .collect();
        let (numbering, way) = ColumnPermutation::by_frequency(40, rows.iter().map(Vec::as_slice));
        let others = [2].into_iter().chain(4..39);
        let order: Vec<u32> = [3, 1, 0, 39].into_iter().chain(others).collect();
        // Groups of 16: the third, of eight, is in the first half again.
        let halves = [&order[..16], &order[32..], &order[16..32]].concat();
        assert_eq!((&numbering.given, numbering.middle()), (&halves, 24));
        let (mut indices, mut values) = (vec![0, 1, 3, 20, 38], vec![0.0_f32, 1., 3., 20., 38.]);
        way.reorder(&mut indices, &mut values, &mut RowBuffer::default());
        let numbers: Vec<f32> = indices.iter().map(|&j| numbering.given(j) as f32).collect();
        assert!(indices.is_sorted() && indices[..3] == [0, 1, 2]);
        assert_eq!(values, numbers);
    }

    #[test]
    fn hyperplanes_round_trip_between_orders() {
        let (numbering, _) = ColumnPermutation::by_frequency(4, [&[1, 3][..], &[3]].into_iter());
        let hyperplane = Hyperplane { w: vec![1.0, 2.0, 3.0, 4.0], b: 5.0 };
        let stored = numbering.to_stored(&hyperplane);
        assert_eq!(stored, Hyperplane { w: vec![4.0, 2.0, 1.0, 3.0], b: 5.0 });
        assert_eq!(numbering.to_given(&stored), hyperplane);
        assert_eq!(numbering.to_stored(&Hyperplane::zero(4)), Hyperplane::zero(4));
    }
}
