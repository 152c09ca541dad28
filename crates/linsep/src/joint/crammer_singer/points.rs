//! One row's point at a time: the best move of its p, all others fixed.

use super::simplex::{lead, most, nearest};
use crate::data::in_step::{Decide, Verdict};

/// All pᵢ, as rows are visited: the hot loop is the walk that asks it.
#[derive(Clone)]
pub(super) struct Points<'a> {
    pub codes: &'a [u32],
    pub s: &'a [f64],
    pub rows: &'a [[f64; 2]],
    pub k: usize,
    /// The lead beyond which a row leaves.
    pub beyond: f64,
    pub spring: f64,
    pub left: Vec<bool>,
    pub p: Vec<f64>,
    pub bias: Vec<f64>,
    /// Room for a row's p.
    pub before: Vec<f64>,
    /// About the gap, times S, and the largest change of a score that a row asked for.
    pub gap: f64,
    pub worst: f64,
    /// How many rows were added to W, and Σ‖c‖ of the factors they were added with.
    pub steps: f64,
    pub path: f64,
}

impl Decide for Points<'_> {
    fn planes(&self) -> usize {
        self.bias.len()
    }

    #[inline]
    fn decide(&mut self, i: usize, z: &mut [f64]) -> Verdict {
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
            return Verdict::Keep;
        }
        if lead.is_some_and(|lead| lead >= 0.0) {
            return Verdict::Keep; // a corner that leads: nothing to gain, nothing to move
        }
        let inner: f64 = p.iter().zip(v).map(|(p, v)| p * v).sum();
        self.gap += self.s[i] * (most(v) - inner);
        let [q, step] = self.rows[i];
        self.before.copy_from_slice(p);
        nearest(p, v, q);
        let mut moved = false;
        z[k..].fill(0.0);
        for ((change, before), p) in z.iter_mut().zip(&self.before).zip(&*p) {
            *change = before - p;
            moved |= *change != 0.0;
            self.worst = self.worst.max((*change * q).abs());
            *change *= step;
        }
        if !moved {
            return Verdict::Keep;
        }
        self.bias.iter_mut().zip(&*z).for_each(|(b, c)| *b += self.spring * c);
        self.steps += 1.0;
        self.path += z.iter().map(|c| c * c).sum::<f64>().sqrt();
        Verdict::Add
    }
}
