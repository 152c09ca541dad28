//! Row sweeps that update k hyperplanes together.
//!
//! ```text
//!   zᵢ = xᵢ·W,     c = decide(i, zᵢ),     W ← W + xᵢ cᵀ
//! ```
//!
//! W has k adjacent coefficients for every column; z and c have k elements. Access to W dominates
//! the time: with 130 000 columns and 20 classes it takes 20 MB. Every stored value of a row needs
//! three cache lines of it, twice. W may therefore be kept in 32 bits, which need two lines, by
//! methods that measure the quality of the result in 64 bits. Scores and updates then have relative
//! errors of about 1e-7, and W has the rounding errors of its updates.

use super::{ROWS_AHEAD, Rows};
use crate::math::kernels::Number;

/// The update rule of a row for k hyperplanes.
pub(crate) trait MulticlassRowUpdate {
    /// Replaces the k scores of row i by the factors c of its update; returns `false` if there is
    /// no update.
    fn decide(&mut self, i: usize, z: &mut [f64]) -> bool;

    /// Whether the sweep must end before the remaining rows.
    fn is_ended(&self) -> bool {
        false
    }
}

/// Sweeps over these rows, in this order.
pub(crate) fn sweep_multiclass<X: Rows, N: Number>(
    x: &X,
    rows: &[u32],
    w: &mut [N],
    decide: &mut impl MulticlassRowUpdate,
) {
    let k = w.len() / x.d();
    let (mut z, mut own) = (vec![0.0; k], vec![N::default(); k]);
    for (at, &i) in rows.iter().enumerate() {
        if decide.is_ended() {
            return;
        }
        if let Some(&soon) = rows.get(at + ROWS_AHEAD) {
            x.prefetch(soon as usize);
        }
        let i = i as usize;
        own.fill(N::default());
        x.add_weights(i, w, &mut own);
        z.iter_mut().zip(&own).for_each(|(z, own)| *z = own.get());
        if decide.decide(i, &mut z) {
            own.iter_mut().zip(&z).for_each(|(own, z)| *own = N::of(*z));
            x.add_to_weights(i, &own, w);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, on_rows};

    struct Halve;

    impl MulticlassRowUpdate for Halve {
        /// Moves every score of class j halfway to j, except in row 2.
        fn decide(&mut self, i: usize, z: &mut [f64]) -> bool {
            z.iter_mut().enumerate().for_each(|(j, z)| *z = 0.5 * (j as f64 - *z));
            i != 2
        }
    }

    #[test]
    fn storage_and_precision_change_results_only_by_rounding() {
        let values = [1.0, 0.0, 0.0, 0.5, 0.25, 0.0, 2.0, 2.0];
        let dense = Design::dense(4, 2, values.to_vec()).unwrap();
        let starts = vec![0, 1, 2, 3, 5];
        let sparse =
            Design::sparse(2, starts, vec![0, 1, 0, 0, 1], vec![1.0, 0.5, 0.25, 2.0, 2.0]).unwrap();
        let rows = [0, 1, 2, 3, 0];
        let of = |x: &Design| {
            let (mut w, mut short) = (vec![0.0_f64; 6], vec![0.0_f32; 6]);
            on_rows!(x, x => {
                sweep_multiclass(x, &rows, &mut w, &mut Halve);
                sweep_multiclass(x, &rows, &mut short, &mut Halve);
            });
            assert!(w.iter().zip(&short).all(|(w, s)| (w - f64::from(*s)).abs() < 1e-6));
            w
        };
        assert_eq!(of(&dense), of(&sparse));
        // Row 0: w₀ = (0, ½, 1). Row 1: w₁ = half of j/2. Row 3 adds 2c to both, c halfway. Row 0
        // again.
        let mut want = [0.0; 6];
        for j in 0..3 {
            let target = j as f64;
            let (mut a, mut b) = (0.5 * target, 0.5 * (0.5 * target));
            let c = 0.5 * (target - 2.0 * (a + b));
            (a, b) = (a + 2.0 * c, b + 2.0 * c);
            a += 0.5 * (target - a);
            (want[j], want[3 + j]) = (a, b);
        }
        assert_eq!(of(&dense), want);
    }
}
