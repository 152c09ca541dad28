//! Biases that are not penalised, in a descent on the dual.
//!
//! With (μ/2)(b − c)² added to the criterion a bias is a weight like any other, of a column that is the same in all rows; then the centre c follows b
//! (the method of multipliers), and at the end the spring is at rest. The square of that column is the mean square of the rows, so that
//! springs are about as stiff as the penalty.

/// One spring per bias.
pub(super) struct Springs {
    /// The bias is a weight of a column with this square; 0 without biases.
    pub square: f64,
    /// c.
    pub centre: Vec<f64>,
}

impl Springs {
    /// For rows with these squared lengths.
    pub(super) fn new(norms: &[f64], intercept: bool, centre: &[f64]) -> Self {
        let mean = norms.iter().sum::<f64>() / norms.len() as f64;
        let free = if mean > 0.0 { mean } else { 1.0 };
        Self { square: if intercept { free } else { 0.0 }, centre: centre.to_vec() }
    }

    /// Of each row q = sᵢ(‖xᵢ‖² + square)/(λS), and sᵢ/(λS) by which a change of its dual variables becomes a change of weights.
    pub(super) fn steps(&self, norms: &[f64], s: &[f64], strength: f64) -> Vec<[f64; 2]> {
        let scale = 1.0 / strength;
        let row = |(norm, s): (&f64, &f64)| [scale * s * (norm + self.square), scale * s];
        norms.iter().zip(s).map(row).collect()
    }

    /// Centres follow the biases, which go as far again.
    pub(super) fn follow(&mut self, bias: &mut [f64]) {
        for (b, centre) in bias.iter_mut().zip(&mut self.centre) {
            let stretched = *b - *centre;
            *centre = *b;
            *b += stretched;
        }
    }
}
