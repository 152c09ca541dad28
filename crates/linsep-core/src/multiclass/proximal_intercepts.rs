//! Unpenalized intercepts in dual coordinate descent, by the method of multipliers.
//!
//! With the proximal term (μ/2)(b − c)² the intercept is a penalized coefficient of a constant
//! column. The center c then moves to b (method of multipliers), so the term vanishes at
//! convergence. The square of that column is the mean squared norm of the rows, so μ is scaled like
//! the penalty.

/// Proximal terms, one per intercept.
pub(super) struct ProximalIntercepts {
    /// Square of the constant column of an intercept; 0 without intercepts.
    pub square: f64,
    /// c.
    pub center: Vec<f64>,
}

impl ProximalIntercepts {
    /// Creates the terms for rows with these squared norms.
    pub(super) fn new(norms: &[f64], intercept: bool, center: &[f64]) -> Self {
        let mean = norms.iter().sum::<f64>() / norms.len() as f64;
        let free = if mean > 0.0 { mean } else { 1.0 };
        Self { square: if intercept { free } else { 0.0 }, center: center.to_vec() }
    }

    /// Returns for each row q = sᵢ(‖xᵢ‖² + square)/(λS), and sᵢ/(λS), the factor from a change of
    /// its dual variables to a change of W.
    pub(super) fn steps(&self, norms: &[f64], s: &[f64], strength: f64) -> Vec<[f64; 2]> {
        let scale = 1.0 / strength;
        let row = |(norm, s): (&f64, &f64)| [scale * s * (norm + self.square), scale * s];
        norms.iter().zip(s).map(row).collect()
    }

    /// Moves each center to its intercept and extrapolates the intercept by the same step.
    pub(super) fn follow(&mut self, bias: &mut [f64]) {
        for (b, center) in bias.iter_mut().zip(&mut self.center) {
            let stretched = *b - *center;
            *center = *b;
            *b += stretched;
        }
    }
}
