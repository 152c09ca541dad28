//! Coefficients during row-by-row epochs, in single or double precision.
//!
//! Single precision takes half the cache, whose bandwidth limits such a method
//! ([`sweep_multiclass`]). Scores then have an error of at most ε‖W‖‖x‖, and W the accumulated
//! rounding. Neither matters before the gap is about as small, and the gap is certified in double
//! precision in any case. So a method starts in single precision if the values are in its range,
//! and [`widen`](MixedPrecision::widen)s the coefficients if the tolerance requires it.

use super::CoefficientMatrix;
use crate::data::multiclass_sweep::{MulticlassRowUpdate, sweep_multiclass};
use crate::data::{Design, on_rows};
use crate::math::kernels::{Number, Value, norm_sq};

/// Coefficients of k hyperplanes, in the layout of a [`CoefficientMatrix`], and the intercepts.
pub(super) struct MixedPrecision {
    weights: Weights,
    pub bias: Vec<f64>,
    k: usize,
}

enum Weights {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl MixedPrecision {
    /// W = 0. With an L2 penalty λ and rows of norm at most `longest` no coefficient exceeds
    /// `longest`/λ. Single precision must represent that bound and its square.
    pub(super) fn zero(d: usize, k: usize, longest: f64, lambda: f64) -> Self {
        const LARGE: f64 = 1e15;
        let wide = CoefficientMatrix::zero(0, k).wide();
        let weights = if longest < LARGE && longest / lambda < LARGE {
            Weights::Single(vec![0.0; d * wide])
        } else {
            Weights::Double(vec![0.0; d * wide])
        };
        Self { weights, bias: vec![0.0; wide], k }
    }

    /// Runs a sweep over these rows, in this order.
    pub(super) fn sweep(
        &mut self,
        x: &Design,
        rows: &[u32],
        decide: &mut impl MulticlassRowUpdate,
    ) {
        match &mut self.weights {
            Weights::Single(w) => on_rows!(x, x => sweep_multiclass(x, rows, w, decide)),
            Weights::Double(w) => on_rows!(x, x => sweep_multiclass(x, rows, w, decide)),
        }
    }

    /// Σ ‖wⱼ‖², without the intercepts.
    pub(super) fn norm_sq(&self) -> f64 {
        match &self.weights {
            Weights::Single(w) => norm_sq(w),
            Weights::Double(w) => norm_sq(w),
        }
    }

    /// Relative error of rounding a number.
    pub(super) fn rounding(&self) -> f64 {
        0.5 * match &self.weights {
            Weights::Single(_) => f32::EPSILON.get(),
            Weights::Double(_) => f64::EPSILON,
        }
    }

    /// Converts to double precision.
    pub(super) fn widen(&mut self) {
        if let Weights::Single(w) = &self.weights {
            self.weights = Weights::Double(f32::widened(w).into_owned());
        }
    }

    /// Coefficient matrix in double precision, with the intercepts.
    pub(super) fn to_matrix(&self) -> CoefficientMatrix {
        match &self.weights {
            Weights::Single(w) => CoefficientMatrix::of_parts(self.k, w, &self.bias),
            Weights::Double(w) => CoefficientMatrix::of_parts(self.k, w, &self.bias),
        }
    }

    /// Sets the coefficients, rounded; the intercepts are unchanged.
    pub(super) fn set(&mut self, hyperplanes: &mut CoefficientMatrix) {
        let (from, _) = hyperplanes.parts_mut();
        match &mut self.weights {
            Weights::Single(w) => w.iter_mut().zip(&*from).for_each(|(w, v)| *w = f32::of(*v)),
            Weights::Double(w) => w.copy_from_slice(from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_range_of_f32_use_f64() {
        for (longest, lambda, short) in
            [(1.0, 1e-5, true), (1e20, 1.0, false), (1.0, 1e-20, false), (1e150, 1e-150, false)]
        {
            let work = MixedPrecision::zero(3, 2, longest, lambda);
            assert_eq!(work.rounding() > 1e-10, short, "{longest} {lambda}");
        }
    }

    #[test]
    fn coefficients_are_rounded_once_and_widened_exactly() {
        let mut work = MixedPrecision::zero(2, 3, 1.0, 1.0);
        let mut hyperplanes = CoefficientMatrix::zero(2, 3);
        hyperplanes.parts_mut().0.copy_from_slice(&[0.1, 0.2, 0.3, 0.0, 0.5, -1.0, 1.0 / 3.0, 0.0]);
        work.set(&mut hyperplanes);
        work.bias[1] = 7.0;
        let near = |a: f64, b: f64| (a - b).abs() <= f64::from(f32::EPSILON) * b.abs();
        let held = work.to_matrix();
        assert_eq!(
            (held.hyperplane(1).w[0], held.bias()),
            (f64::from(0.2_f32), &[0.0, 7.0, 0.0, 0.0][..])
        );
        assert!((0..3).all(|c| {
            held.hyperplane(c).w.iter().zip(&hyperplanes.hyperplane(c).w).all(|(a, b)| near(*a, *b))
        }));
        let before = work.norm_sq();
        work.widen();
        assert_eq!((work.to_matrix(), work.norm_sq()), (held, before));
        work.set(&mut hyperplanes);
        assert_eq!(
            work.to_matrix().hyperplane(1).w,
            hyperplanes.hyperplane(1).w,
            "rounding has stopped"
        );
    }
}
