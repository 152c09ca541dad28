//! Confusion matrix, and what follows from it for each class:
//!
//! ```text
//!   precision = right / predicted,   recall = right / there are,   F1 = 2 right / (predicted + there are)
//! ```
//!
//! and for all of them Matthews' correlation of what is with what was predicted, in the form for k classes: with c the weight
//! that is right, S that of all, tⱼ and pⱼ what is and was predicted of class j,
//!
//! ```text
//!   MCC = (c S − Σ tⱼ pⱼ) / √((S² − Σ pⱼ²)(S² − Σ tⱼ²)).
//! ```
//!
//! A ratio with nothing below the line is not defined, and said to be so (`None`), not 0.

/// Weight of the rows of class t that were predicted as class p, for all t and p.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    k: usize,
    cells: Vec<f64>,
}

/// What is known about one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassScore {
    /// Share of the rows predicted as this class that are of it.
    pub precision: Option<f64>,
    /// Share of the rows of this class that were predicted as it.
    pub recall: Option<f64>,
    /// Harmonic mean of the two.
    pub f1: Option<f64>,
    /// Weight of the rows of this class.
    pub support: f64,
}

impl Confusion {
    /// Counts the rows of k classes.
    ///
    /// # Panics
    ///
    /// If a class is k or above.
    pub fn new(k: usize, target: &[u32], predicted: &[u32], weights: &[f64]) -> Self {
        let mut cells = vec![0.0; k * k];
        for ((&t, &p), s) in target.iter().zip(predicted).zip(weights) {
            cells[t as usize * k + p as usize] += s;
        }
        Self { k, cells }
    }

    /// One row of cells per true class.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.cells.chunks_exact(self.k)
    }

    /// Mean recall over the classes that have rows: accuracy as if all classes were of one size.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        let recalls: Vec<f64> = self.scores().iter().filter_map(|score| score.recall).collect();
        (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64)
    }

    /// Matthews' correlation, from −1 to 1; none where only one class is there or was predicted.
    pub fn correlation(&self) -> Option<f64> {
        let truth: Vec<f64> = self.rows().map(|row| row.iter().sum()).collect();
        let column = |c: usize| self.cells.iter().skip(c).step_by(self.k).sum::<f64>();
        let predicted: Vec<f64> = (0..self.k).map(column).collect();
        let right: f64 = (0..self.k).map(|c| self.cells[c * self.k + c]).sum();
        let total: f64 = truth.iter().sum();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let spread = |all: &[f64]| total * total - dot(all, all);
        let below = spread(&predicted) * spread(&truth);
        (below > 0.0).then(|| (right * total - dot(&truth, &predicted)) / below.sqrt())
    }

    /// Precision, recall and F1 of each class.
    pub fn scores(&self) -> Vec<ClassScore> {
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        let one = |c: usize| {
            let right = self.cells[c * self.k + c];
            let support: f64 = self.cells[c * self.k..][..self.k].iter().sum();
            let predicted: f64 = self.cells.iter().skip(c).step_by(self.k).sum();
            ClassScore {
                precision: share(right, predicted),
                recall: share(right, support),
                f1: share(2.0 * right, predicted + support),
                support,
            }
        };
        (0..self.k).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_counted() {
        let confusion = Confusion::new(3, &[0, 0, 1, 1, 1], &[0, 1, 1, 1, 0], &[1.0; 5]);
        let rows: Vec<&[f64]> = confusion.rows().collect();
        assert_eq!(rows, [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]);
        let scores = confusion.scores();
        assert_eq!(scores[1].precision, Some(2.0 / 3.0));
        assert_eq!(scores[0].recall, Some(0.5));
        assert_eq!(scores[0].f1, Some(0.5));
        assert_eq!(confusion.balanced_accuracy(), Some(f64::midpoint(0.5, 2.0 / 3.0)));
        // c = 3, S = 5, t = (2, 3, 0), p = (2, 3, 0): (15 − 13)/(25 − 13).
        assert!((confusion.correlation().unwrap() - 2.0 / 12.0).abs() < 1e-15);
        assert_eq!(Confusion::new(2, &[0, 1], &[1, 1], &[1.0; 2]).correlation(), None);
        let nothing = ClassScore { precision: None, recall: None, f1: None, support: 0.0 };
        assert_eq!(scores[2], nothing);
    }
}
