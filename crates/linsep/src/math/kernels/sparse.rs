//! Sparse rows: the numbers of some columns, and which columns they are.
//!
//! Loops over one plane's weights look at column numbers once, when a matrix is made ([`Indices`]), and not again; those over k weights for
//! every column look at each.

use super::{Loop, Number, Value, fetch, widest};
use std::ops::Range;

/// Column numbers that are all below a bound. Looked at once, when they are put together: loops over them need
/// not look again.
#[derive(Clone, Debug, PartialEq)]
pub struct Indices {
    list: Vec<u32>,
    below: usize,
}

impl Indices {
    /// `None` if one of them is not below the bound.
    pub fn new(list: Vec<u32>, below: usize) -> Option<Self> {
        let most = list.iter().copied().max();
        most.is_none_or(|most| (most as usize) < below).then_some(Self { list, below })
    }

    /// All of them.
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// All of them, on their own again.
    pub fn into_list(self) -> Vec<u32> {
        self.list
    }

    /// Those at these places.
    #[inline]
    pub fn at(&self, range: Range<usize>) -> Places<'_> {
        Places { list: &self.list[range], below: self.below }
    }
}

/// Some of [`Indices`].
#[derive(Clone, Copy)]
pub struct Places<'a> {
    list: &'a [u32],
    below: usize,
}

impl<'a> Places<'a> {
    /// The numbers.
    #[inline]
    pub fn list(self) -> &'a [u32] {
        self.list
    }

    /// All but the first k.
    #[inline]
    pub fn from(self, k: usize) -> Self {
        Self { list: &self.list[k..], below: self.below }
    }
}

/// Σ vⱼ at(iⱼ), in four running sums.
#[inline(always)] // the same loop with and without a look at every number
#[allow(clippy::inline_always)]
fn dot_by<V: Value>(list: &[u32], values: &[V], at: impl Fn(u32) -> f64) -> f64 {
    const SPARSE_LANES: usize = 4;
    let mut sums = [0.0; SPARSE_LANES];
    let (i4, i_rest) = list.as_chunks::<SPARSE_LANES>();
    let (v4, v_rest) = values.as_chunks::<SPARSE_LANES>();
    for (i, v) in i4.iter().zip(v4) {
        for j in 0..SPARSE_LANES {
            sums[j] += v[j].get() * at(i[j]);
        }
    }
    for (j, (i, v)) in i_rest.iter().zip(v_rest).enumerate() {
        sums[j] += v.get() * at(*i);
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// `Σ vⱼ w[iⱼ]` over the stored elements of a sparse row.
///
/// # Panics
///
/// If w is shorter than the bound of the indices.
#[inline]
#[allow(unsafe_code)]
pub fn sparse_dot<V: Value>(places: Places<'_>, values: &[V], w: &[f64]) -> f64 {
    assert!(w.len() >= places.below, "as many weights as columns");
    // SAFETY: `Indices` has seen to it that every number in a `Places` is below its bound, and w is at least as
    // long as the bound.
    dot_by(places.list, values, |i| unsafe { *w.get_unchecked(i as usize) })
}

/// `out[iⱼ] ← out[iⱼ] + a vⱼ` over the stored elements of a sparse row.
///
/// # Panics
///
/// If out is shorter than the bound of the indices.
#[inline]
#[allow(unsafe_code)]
pub fn sparse_axpy<V: Value>(a: f64, places: Places<'_>, values: &[V], out: &mut [f64]) {
    assert!(out.len() >= places.below, "as many numbers as columns");
    for (i, v) in places.list.iter().zip(values) {
        // SAFETY: as in `sparse_dot`.
        unsafe { *out.get_unchecked_mut(*i as usize) += a * v.get() };
    }
}

/// A loop over rows whose columns can be taken a few at a time.
trait Parts {
    /// The columns from `at` on, as many as `WIDE`; returns that.
    fn part<const WIDE: usize>(&mut self, at: usize) -> usize;
}

/// All columns, as many at a time as there are registers for.
#[inline(always)] // as `part`
#[allow(clippy::inline_always)]
fn in_parts(columns: usize, mut work: impl Parts) {
    let mut at = 0;
    while at < columns {
        at += match columns - at {
            24.. => work.part::<24>(at),
            20.. => work.part::<20>(at),
            16.. => work.part::<16>(at),
            12.. => work.part::<12>(at),
            8.. => work.part::<8>(at),
            4.. => work.part::<4>(at),
            3 => work.part::<3>(at),
            2 => work.part::<2>(at),
            _ => work.part::<1>(at),
        };
    }
}

/// `out ← out + Σ vⱼ from[iⱼ]`, where `from` is a matrix whose rows are as long as `out`. Every number of `out` is added up in the
/// order of the list, by itself: it does not matter how many of them a processor can do at a time.
///
/// # Panics
///
/// If `from` has no row of a number in the list.
#[inline]
pub fn add_rows<V: Value, N: Number>(places: &[u32], values: &[V], from: &[N], out: &mut [N]) {
    widest(AddRows { places, values, from, out });
}

struct AddRows<'a, V, N> {
    places: &'a [u32],
    values: &'a [V],
    from: &'a [N],
    out: &'a mut [N],
}

impl<V: Value, N: Number> Loop for AddRows<'_, V, N> {
    type Out = ();

    #[inline(always)] // as `part`
    #[allow(clippy::inline_always)]
    fn run(self) {
        in_parts(self.out.len(), self);
    }
}

impl<V: Value, N: Number> Parts for AddRows<'_, V, N> {
    #[inline(always)] // into what is compiled for more than every processor has
    #[allow(clippy::inline_always)]
    fn part<const WIDE: usize>(&mut self, at: usize) -> usize {
        const AHEAD: usize = 8;
        let k = self.out.len();
        let row = |i: u32| &self.from[i as usize * k + at..][..WIDE];
        let mut sums = [N::default(); WIDE];
        sums.copy_from_slice(&self.out[at..at + WIDE]);
        for (p, (&i, v)) in self.places.iter().zip(self.values).enumerate() {
            if let Some(&next) = self.places.get(p + AHEAD) {
                fetch(row(next));
            }
            let (row, v) = (row(i), N::of(*v));
            for l in 0..WIDE {
                sums[l] = sums[l].plus(v, row[l]);
            }
        }
        self.out[at..at + WIDE].copy_from_slice(&sums);
        WIDE
    }
}

/// `out[iⱼ] ← out[iⱼ] + vⱼ from`, where `out` is a matrix whose rows are as long as `from`. As in [`add_rows`], every number is
/// added up by itself.
///
/// # Panics
///
/// If `out` has no row of a number in the list.
#[inline]
pub fn add_to_rows<V: Value, N: Number>(places: &[u32], values: &[V], from: &[N], out: &mut [N]) {
    widest(AddToRows { places, values, from, out });
}

struct AddToRows<'a, V, N> {
    places: &'a [u32],
    values: &'a [V],
    from: &'a [N],
    out: &'a mut [N],
}

impl<V: Value, N: Number> Loop for AddToRows<'_, V, N> {
    type Out = ();

    #[inline(always)] // as `part`
    #[allow(clippy::inline_always)]
    fn run(self) {
        in_parts(self.from.len(), self);
    }
}

impl<V: Value, N: Number> Parts for AddToRows<'_, V, N> {
    /// Numbers are copied to where nobody else can write, or they would be taken one by one.
    #[inline(always)] // into what is compiled for more than every processor has
    #[allow(clippy::inline_always)]
    fn part<const WIDE: usize>(&mut self, at: usize) -> usize {
        let k = self.from.len();
        let mut from = [N::default(); WIDE];
        from.copy_from_slice(&self.from[at..at + WIDE]);
        for (&i, v) in self.places.iter().zip(self.values) {
            let (row, v) = (&mut self.out[i as usize * k + at..][..WIDE], N::of(*v));
            let mut sums = [N::default(); WIDE];
            sums.copy_from_slice(row);
            for l in 0..WIDE {
                sums[l] = sums[l].plus(v, from[l]);
            }
            row.copy_from_slice(&sums);
        }
        WIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn indices_beyond_their_bound_are_never_made() {
        assert!(Indices::new(vec![0, 3, 2], 3).is_none());
        assert!(Indices::new(vec![], 0).is_some());
    }

    #[test]
    #[should_panic(expected = "as many weights as columns")]
    fn weights_that_are_too_few_are_noticed() {
        let indices = Indices::new(vec![0, 1], 3).unwrap();
        sparse_dot(indices.at(0..2), &[1.0, 1.0], &[1.0, 2.0]);
    }

    proptest! {
        /// Small integers: every sum is exact, so any order must give the same number.
        #[test]
        fn some_columns_count(list in prop::collection::btree_map(5..60_u32, -50..50_i32, 0..40), a in -9..9_i32) {
            let (places, values): (Vec<u32>, Vec<f64>) = list.iter().map(|(i, v)| (*i, f64::from(*v))).unzip();
            let a = f64::from(a);
            let w: Vec<f64> = (0..60).map(|j| f64::from(j % 7) - 3.0).collect();
            let plain: f64 = list.iter().map(|(i, v)| f64::from(*v) * w[*i as usize]).sum();
            let indices = Indices::new(places, 60).unwrap();
            let places = indices.at(0..values.len());
            prop_assert_eq!(sparse_dot(places, &values, &w), plain);
            let mut moved = w.clone();
            list.iter().for_each(|(i, v)| moved[*i as usize] += a * f64::from(*v));
            let mut whole = w.clone();
            sparse_axpy(a, places, &values, &mut whole);
            prop_assert_eq!(&whole, &moved);
        }

        #[test]
        fn rows_are_added_up_column_by_column(k in 1..60_usize, list in prop::collection::vec((0..9_u32, -50..50_i32), 0..30)) {
            let from: Vec<f64> = (0..9 * k).map(|v| (v % 17) as f64 - 8.0).collect();
            let (places, values): (Vec<u32>, Vec<f32>) = list.iter().map(|&(i, v)| (i, v as f32)).unzip();
            let mut out: Vec<f64> = (0..k).map(|c| c as f64).collect();
            let mut plain = out.clone();
            add_rows(&places, &values, &from, &mut out);
            for (i, v) in &list {
                for c in 0..k {
                    plain[c] += f64::from(*v) * from[*i as usize * k + c];
                }
            }
            prop_assert_eq!(out, plain);
        }

        #[test]
        fn a_row_is_added_to_rows(k in 1..60_usize, list in prop::collection::vec((0..9_u32, -50..50_i32), 0..30)) {
            let mut out: Vec<f64> = (0..9 * k).map(|v| (v % 17) as f64 - 8.0).collect();
            let (places, values): (Vec<u32>, Vec<f32>) = list.iter().map(|&(i, v)| (i, v as f32)).unzip();
            let from: Vec<f64> = (0..k).map(|c| c as f64 - 3.0).collect();
            let mut plain = out.clone();
            add_to_rows(&places, &values, &from, &mut out);
            for (i, v) in &list {
                for c in 0..k {
                    plain[*i as usize * k + c] += f64::from(*v) * from[c];
                }
            }
            prop_assert_eq!(out, plain);
        }
    }
}
