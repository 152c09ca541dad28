//! Well-conditioned coordinates for the search in doubles: centered and scaled columns.
//!
//! x′ = x/σ − m with σ a power of two is a change of coordinates of the hyperplanes, w = w′/σ and
//! b = b′ − w′·m, and changes no product a·h. Every result is verified in raw units, so σ and m
//! affect only the speed of the search.

use crate::certify::SignedRows;
use crate::data::{Hyperplane, Rows, on_rows};
use crate::math::exact::{Dyadic, Rational};
use crate::math::parallel::map_blocks;
use std::ops::Range;

/// Scale and center of every column.
pub(super) struct Frame<'a> {
    signed: &'a SignedRows<'a>,
    /// 1/σ, a power of two.
    inverse: Vec<f64>,
    /// The mean of x/σ.
    center: Vec<f64>,
    /// 1/‖(x′, 1)‖ of every row; 0 for rows of sample weight 0.
    inverse_norm: Vec<f64>,
}

impl<'a> Frame<'a> {
    /// Computes scale and center from the rows of positive sample weight, in two passes over the
    /// data.
    pub(super) fn new(signed: &'a SignedRows<'a>) -> Self {
        let (n, d) = (signed.n(), signed.x().d());
        let live: Vec<usize> = (0..n).filter(|&i| signed.is_live(i)).collect();
        let count = live.len().max(1) as f64;
        // 1. The largest absolute value of every column, and a scale with which no sum of squares
        //    overflows.
        let mut largest = vec![0.0_f64; d];
        on_rows!(signed.x(), x => for &i in &live {
            x.each(i, |j, v| largest[j] = largest[j].max(crate::math::kernels::Value::get(v).abs()));
        });
        let mut inverse: Vec<f64> = largest.iter().map(|&v| inverse_power(v)).collect();
        // 2. Mean and standard deviation.
        let (mut sum, mut squares) = (vec![0.0; d], vec![0.0; d]);
        on_rows!(signed.x(), x => for &i in &live {
            x.each(i, |j, v| {
                let v = crate::math::kernels::Value::get(v) * inverse[j];
                sum[j] += v;
                squares[j] += v * v;
            });
        });
        let mut center = vec![0.0; d];
        for j in 0..d {
            let mean: f64 = sum[j] / count;
            let spread = (squares[j] / count - mean * mean).max(0.0).sqrt();
            // Lower bound for standard deviations below the rounding error of the mean.
            let factor = inverse_power(spread.max(1e-7 * mean.abs()));
            let scaled = inverse[j] * factor;
            let factor = if scaled.is_finite() { factor } else { 1.0 };
            inverse[j] *= factor;
            center[j] = mean * factor;
        }
        let mut frame = Self { signed, inverse, center, inverse_norm: vec![0.0; n] };
        let base: f64 = frame.center.iter().map(|m| m * m).sum::<f64>() + 1.0;
        const BLOCK: usize = 4096;
        let shrink = map_blocks(
            n,
            BLOCK,
            |rows| on_rows!(signed.x(), x => rows.map(|i| frame.shrink_of(x, i, base)).collect::<Vec<f64>>()),
        );
        frame.inverse_norm = shrink.concat();
        frame
    }

    fn shrink_of<X: Rows>(&self, x: &X, i: usize, base: f64) -> f64 {
        if !self.signed.is_live(i) {
            return 0.0;
        }
        let mut size = base;
        x.each(i, |j, v| {
            let scaled = crate::math::kernels::Value::get(v) * self.inverse[j];
            size += scaled * (scaled - 2.0 * self.center[j]);
        });
        1.0 / size.max(1.0).sqrt()
    }

    /// Returns signed row number `at`.
    pub(super) fn row(&self, at: usize) -> Vec<f64> {
        let d = self.signed.x().d();
        let mut out = vec![0.0; self.signed.width()];
        self.signed.write(at, &mut out, |i, y, out| {
            on_rows!(self.signed.x(), x => x.copy_row(i, &mut out[..d]));
            for ((v, s), m) in out.iter_mut().zip(&self.inverse).zip(&self.center) {
                *v = y * (*v * s - m);
            }
            out[d] = y;
        });
        out
    }

    /// Returns the hyperplanes in raw units, one per block, rounded to doubles.
    pub(super) fn hyperplanes(&self, h: &[f64]) -> Vec<Hyperplane> {
        let stride = self.signed.stride();
        let hyperplane = |h: &[f64]| {
            let (bias, w) = h.split_last().expect("a block has an intercept");
            let shift: f64 = w.iter().zip(&self.center).map(|(w, m)| w * m).sum();
            let w = w.iter().zip(&self.inverse).map(|(w, s)| w * s).collect();
            Hyperplane { w, b: bias - shift }
        };
        h.chunks(stride).map(hyperplane).collect()
    }

    /// Returns the same hyperplanes without rounding, concatenated.
    pub(super) fn exact(&self, h: &[f64]) -> Vec<Rational> {
        let mut out = Vec::with_capacity(h.len());
        for block in h.chunks(self.signed.stride()) {
            let (bias, w) = block.split_last().expect("a block has an intercept");
            let mut b = Rational::of(*bias);
            for ((&w, &m), &s) in w.iter().zip(&self.center).zip(&self.inverse) {
                b = b.plus(&Rational::of(-w).times(&Rational::of(m)));
                out.push(Rational::of(w).times(&Rational::of(s)));
            }
            out.push(b);
        }
        out
    }

    /// Passes a·h/‖a‖ of every signed row of positive sample weight to `work`, block by block, with
    /// its number. Returns the results of the blocks, in order.
    pub(super) fn sweep<T: Send>(
        &self,
        h: &[f64],
        work: impl Fn(&mut dyn Iterator<Item = (usize, f64)>) -> T + Sync,
    ) -> Vec<T> {
        const BLOCK: usize = 4096;
        let hyperplanes = self.hyperplanes(h);
        map_blocks(self.signed.n(), BLOCK, |rows| {
            on_rows!(self.signed.x(), x => {
                let mut prices = self.normalized_margins(x, rows, &hyperplanes);
                work(&mut prices)
            })
        })
    }

    fn normalized_margins<'b, X: Rows>(
        &'b self,
        x: &'b X,
        rows: Range<usize>,
        hyperplanes: &'b [Hyperplane],
    ) -> impl Iterator<Item = (usize, f64)> + 'b {
        let count = hyperplanes.len();
        rows.filter(|&i| self.signed.is_live(i)).flat_map(move |i| {
            let score = move |block: usize| match block {
                0 => 0.0,
                block => hyperplanes[block - 1].score(x, i),
            };
            let own = self.signed.block(i);
            let z = score(own);
            let others = (0..=count).filter(move |&block| block != own);
            others
                .enumerate()
                .map(move |(t, block)| (i * count + t, (z - score(block)) * self.inverse_norm[i]))
        })
    }
}

/// Returns 2 to the negated exponent of a number; 1 for 0.
fn inverse_power(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return 1.0;
    }
    let Dyadic { m, e } = Dyadic::of(v);
    let exponent = e + 63 - m.unsigned_abs().leading_zeros().cast_signed();
    2_f64.powi((-exponent).clamp(-1000, 1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels, Problem};
    use crate::math::kernels::dot;

    #[test]
    fn products_equal_those_in_raw_units() {
        let x = Design::dense(4, 2, vec![1.0, 100.0, 2.0, 104.0, -3.0, 96.0, 0.0, 101.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let signed = SignedRows::new(&problem, None).unwrap();
        let frame = Frame::new(&signed);
        let h = [0.5, -1.0, 2.0, 1.0, 0.25, -3.0];
        let raw: Vec<f64> = frame.exact(&h).iter().map(Rational::to_f64).collect();
        let prices = frame.sweep(&h, |prices| prices.collect::<Vec<_>>()).concat();
        assert_eq!(prices.len(), signed.count());
        for (at, price) in prices {
            let own = frame.row(at);
            let expected = dot(&own, &h);
            assert!((dot(&signed.row(at), &raw) - expected).abs() < 1e-9);
            assert!((price / frame.inverse_norm[at / 2] - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn extreme_magnitudes_stay_finite() {
        let x = Design::dense(3, 2, vec![1e300, 1e-300, -1.7e308, 3e-310, 1.7e308, 0.0]).unwrap();
        let labels = Labels::parse(["a", "b", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let signed = SignedRows::new(&problem, None).unwrap();
        let frame = Frame::new(&signed);
        assert!((0..3).all(|at| frame.row(at).iter().all(|v| v.is_finite())));
        assert_eq!([0.75, 1.0, 3.0, 0.0].map(inverse_power), [2.0, 1.0, 0.5, 1.0]);
    }
}
