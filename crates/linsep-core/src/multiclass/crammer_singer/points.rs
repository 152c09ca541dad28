//! Coordinate step of one pᵢ: the best change, all others fixed.

use super::simplex::{Nonzeros, lead, most, towards};
use crate::control::Cancel;
use crate::data::multiclass_sweep::MulticlassRowUpdate;

/// All pᵢ during an epoch. The hot loop is the sweep that calls [`MulticlassRowUpdate::decide`].
pub(super) struct Points<'a> {
    pub codes: &'a [u32],
    pub s: &'a [f64],
    pub rows: &'a [[f64; 2]],
    pub k: usize,
    /// Lead beyond which a row is shrunk.
    pub beyond: f64,
    pub spring: f64,
    pub left: Vec<bool>,
    pub p: Vec<f64>,
    pub bias: Vec<f64>,
    /// Scratch space for the p of a row, and for its nonzeros.
    pub before: Vec<f64>,
    pub held: Nonzeros,
    /// Estimate of the gap, times S, and the largest change of a score by one row.
    pub gap: f64,
    pub worst: f64,
    /// ‖W‖² without intercepts, and Σ (‖W‖ + 5‖x‖‖c‖) over the additions of c x to W. The sum times
    /// the relative rounding error bounds the accumulated rounding.
    pub norm_sq: f64,
    pub added: f64,
    pub cancel: &'a Cancel,
}

impl MulticlassRowUpdate for Points<'_> {
    fn is_ended(&self) -> bool {
        self.cancel.is_set()
    }

    #[inline]
    fn decide(&mut self, i: usize, z: &mut [f64]) -> bool {
        let k = self.k;
        for (z, b) in z.iter_mut().zip(&self.bias) {
            *z += b + 1.0;
        }
        z[self.codes[i] as usize] -= 1.0;
        let v = &z[..k];
        let p = &mut self.p[i * k..][..k];
        let lead = lead(p, v);
        if lead.is_some_and(|lead| lead > self.beyond) {
            self.left[i] = true;
            return false;
        }
        if lead.is_some_and(|lead| lead >= 0.0) {
            return false; // a vertex that leads: no gain possible
        }
        let inner: f64 = p.iter().zip(v).map(|(p, v)| p * v).sum();
        self.gap += self.s[i] * (most(v) - inner);
        let [q, step] = self.rows[i];
        self.before.copy_from_slice(p);
        towards(p, v, q, &mut self.held);
        let own = self.codes[i] as usize;
        let (mut size, mut along) = (0.0, 0.0);
        for (j, ((z, before), p)) in z.iter_mut().zip(&self.before).zip(&*p).enumerate() {
            let change = before - p;
            self.worst = self.worst.max((change * q).abs());
            let score = *z - self.bias[j] - if j == own { 0.0 } else { 1.0 };
            let c = change * step;
            size += c * c;
            along += c * score;
            *z = c;
        }
        z[k..].fill(0.0);
        if size == 0.0 {
            return false;
        }
        self.bias.iter_mut().zip(&*z).for_each(|(b, c)| *b += self.spring * c);
        // ‖W + x cᵀ‖² = ‖W‖² + 2 c·z + ‖x‖²‖c‖².
        let square = (q / step) * size;
        self.norm_sq = (self.norm_sq + 2.0 * along + square).max(0.0);
        self.added += self.norm_sq.sqrt() + 5.0 * square.sqrt();
        true
    }
}
