//! Sweep over rows for methods that update w after every row.
//!
//! ```text
//!   z = xᵢ·w,     c = decide(i, z),     w ← w + c xᵢ
//! ```
//!
//! The sweep is sequential: each row needs the w left by the row before. In column sweeps a "row"
//! is a column, and w has one number per row. [`multiclass_sweep`](super::multiclass_sweep) sweeps
//! for many hyperplanes at once.

use super::ROWS_AHEAD;
use super::design::Sweep;
use crate::math::rng::Rng;

/// Update rule of a sweep.
pub(crate) trait RowUpdate {
    /// Returns the change of w for row i with z = xᵢ·w.
    fn decide(&mut self, i: usize, z: f64) -> RowAction;
}

/// The change of w by a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowAction {
    /// Add the row, times this factor.
    Add(f64),
    /// Keep w.
    Keep,
    /// End the sweep before this row.
    End,
}

/// Length of the runs that stay together in random order, so that memory is read in long stretches.
pub(crate) const RUN: usize = 16;

/// Returns these rows in runs of neighbors, the runs in random order.
pub(crate) fn in_runs(rows: &[u32], mut order: Rng) -> Vec<u32> {
    let mut runs: Vec<&[u32]> = rows.chunks(RUN).collect();
    order.shuffle(&mut runs);
    runs.concat()
}

/// Sweeps over these rows, in this order.
pub(crate) fn row_sweep<X: Sweep>(x: &X, rows: &[u32], w: &mut [f64], decide: &mut impl RowUpdate) {
    for (at, &i) in rows.iter().enumerate() {
        if let Some(&soon) = rows.get(at + ROWS_AHEAD) {
            x.prefetch(soon as usize);
        }
        let i = i as usize;
        match decide.decide(i, x.score(i, w)) {
            RowAction::Add(c) => x.add(i, c, w),
            RowAction::Keep => {}
            RowAction::End => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, on_rows};

    /// Takes each score to 1, skips row 1, and ends before row 3.
    struct ToOne;

    impl RowUpdate for ToOne {
        fn decide(&mut self, i: usize, z: f64) -> RowAction {
            match i {
                1 => RowAction::Keep,
                3 => RowAction::End,
                _ => RowAction::Add(1.0 - z),
            }
        }
    }

    #[test]
    fn rows_are_added_kept_and_left_as_decided() {
        let values = vec![1.0, 0.0, 5.0, 5.0, 0.0, 1.0, 7.0, 7.0];
        let dense = Design::dense(4, 2, values).unwrap();
        let (starts, indices) = (vec![0, 1, 3, 4, 6], vec![0, 0, 1, 1, 0, 1]);
        let sparse =
            Design::sparse(2, starts, indices, vec![1.0, 5.0, 5.0, 1.0, 7.0, 7.0]).unwrap();
        for x in [&dense, &sparse] {
            let mut w = vec![0.5, 0.25];
            on_rows!(x, x => row_sweep(x, &[0, 1, 2, 3, 0], &mut w, &mut ToOne));
            assert_eq!(w, [1.0, 1.0]);
        }
    }

    #[test]
    fn runs_hold_every_row_once_and_keep_neighbors_together() {
        let rows: Vec<u32> = (0..100).collect();
        let mixed = in_runs(&rows, Rng::new(3, 0));
        assert_ne!(mixed, rows);
        let apart = mixed.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
        assert!(apart < rows.len().div_ceil(RUN), "{apart} breaks");
        let mut sorted = mixed;
        sorted.sort_unstable();
        assert_eq!(sorted, rows);
    }
}
