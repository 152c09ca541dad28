//! Preconditioned conjugate gradients on H P = −g, for Newton steps over all classes jointly.
//!
//! H is given by products with vectors, and the preconditioner M by solves. Iterates until ‖HP + g‖
//! ≤ η‖g‖ with η = min(¼, √(‖g‖/‖g₀‖)), where all norms are those of M⁻¹ and g₀ is the first g of a
//! run. The last steps are thus those of Newton's method.
//!
//! Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §7.1.

use crate::control::Cancel;
use crate::math::kernels::{axpy, dot};

/// Most inner steps.
const MOST: usize = 250;

/// Scratch space of a run.
pub(super) struct ConjugateGradients {
    /// P.
    pub p: Vec<f64>,
    rest: Vec<f64>,
    solved: Vec<f64>,
    way: Vec<f64>,
    turned: Vec<f64>,
    /// ‖g₀‖².
    first: Option<f64>,
}

impl ConjugateGradients {
    /// Allocates for vectors of length `size`.
    pub(super) fn new(size: usize) -> Self {
        let zero = || vec![0.0; size];
        Self { p: zero(), rest: zero(), solved: zero(), way: zero(), turned: zero(), first: None }
    }

    /// Solves for P; returns the number of steps. `apply` writes H v, `precondition` writes M⁻¹ r.
    /// After cancellation P is the last complete iterate, which is a descent direction as well, or
    /// 0.
    pub(super) fn solve(
        &mut self,
        g: &[f64],
        mut apply: impl FnMut(&[f64], &mut [f64]),
        mut precondition: impl FnMut(&[f64], &mut [f64]),
        cancel: &Cancel,
    ) -> usize {
        self.p.fill(0.0);
        self.rest.iter_mut().zip(g).for_each(|(rest, g)| *rest = -g);
        precondition(&self.rest, &mut self.solved);
        self.way.copy_from_slice(&self.solved);
        let mut energy = dot(&self.rest, &self.solved);
        let eta = (energy / *self.first.get_or_insert(energy)).powf(0.25).min(0.25);
        let enough = eta * eta * energy;
        for step in 1..=MOST {
            apply(&self.way, &mut self.turned);
            if cancel.is_set() {
                return step; // H v may be a partial sum
            }
            let curvature = dot(&self.way, &self.turned);
            if !(curvature > 0.0 && curvature.is_finite()) {
                return step; // no curvature: keep the partial solution
            }
            let t = energy / curvature;
            axpy(t, &self.way, &mut self.p);
            axpy(-t, &self.turned, &mut self.rest);
            precondition(&self.rest, &mut self.solved);
            let next = dot(&self.rest, &self.solved);
            if next <= enough {
                return step;
            }
            let share = next / energy;
            self.way.iter_mut().zip(&self.solved).for_each(|(way, s)| *way = share * *way + s);
            energy = next;
        }
        MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_n_by_n_system_takes_about_n_steps() {
        let h = [[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]];
        let mut room = ConjugateGradients::new(3);
        room.first = Some(1e60); // forces full accuracy
        let turn = |v: &[f64], out: &mut [f64]| {
            out.iter_mut().zip(&h).for_each(|(out, row)| *out = dot(row, v));
        };
        let divide = |r: &[f64], out: &mut [f64]| {
            out.iter_mut().zip(r).zip([4.0, 3.0, 2.0]).for_each(|((out, r), m)| *out = r / m);
        };
        let g = [-5.0, -5.0, -3.0]; // H (1, 1, 1)
        assert!(room.solve(&g, turn, divide, &Cancel::default()) <= 4);
        assert!(room.p.iter().all(|p| (p - 1.0).abs() < 1e-12), "{:?}", room.p);
        assert_eq!(
            ConjugateGradients::new(2).solve(
                &[1.0, 0.0],
                |_, out| out.fill(0.0),
                |r, out| {
                    out.copy_from_slice(r);
                },
                &Cancel::default()
            ),
            1,
            "what is flat ends at once"
        );
    }
}
