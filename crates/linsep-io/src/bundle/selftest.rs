//! Test rows that travel with a model and are scored again wherever it is loaded.
//!
//! Five made-up rows, each filling up to sixteen columns spread over all of them with numbers from −2 to
//! 2. Scoring has one order of operations on every machine, so the scores must agree to the last bit.

use linsep::math::rng::Rng;
use linsep::{Design, LinearModel};

/// Rows, and the scores that must come out.
pub(super) struct SelfTest {
    /// Columns that each row fills.
    pub(super) fill: usize,
    /// Row after row, ascending within a row.
    pub(super) columns: Vec<u32>,
    pub(super) values: Vec<f64>,
    /// Row after row, one per plane.
    pub(super) scores: Vec<f64>,
}

const ROWS: usize = 5;
const MOST: usize = 16;

impl SelfTest {
    /// Makes up rows for a model and scores them.
    pub(super) fn new(model: &LinearModel) -> Self {
        let fill = model.d().min(MOST);
        let mut rng = Rng::new(0, 0);
        let mut test = Self { fill, columns: vec![], values: vec![], scores: vec![] };
        for _ in 0..ROWS {
            for m in 0..fill {
                // One column from each of `fill` equal parts.
                let (from, to) = (m * model.d() / fill, (m + 1) * model.d() / fill);
                test.columns.push((from as u64 + rng.below((to - from) as u64)) as u32);
                test.values.push((rng.below(1025) as f64 - 512.0) / 256.0);
            }
        }
        let x = test.design(model.d()).expect("columns ascend and lie below d");
        test.scores = model.scores(&x).expect("the design has the model's columns");
        test
    }

    pub(super) fn rows(&self) -> usize {
        self.columns.len() / self.fill
    }

    /// Scores the rows again and compares bit by bit.
    pub(super) fn run(&self, model: &LinearModel) -> Result<(), String> {
        if self.fill == 0 || self.columns.len() < self.fill {
            return Err("it has no test rows".to_owned());
        }
        let x = self.design(model.d()).map_err(|e| format!("its test rows: {e}"))?;
        let scores = model.scores(&x).map_err(|e| e.to_string())?;
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if scores.len() == self.scores.len() && scores.iter().zip(&self.scores).all(same) {
            return Ok(());
        }
        Err("its test rows no longer get the scores they had: the file is damaged".to_owned())
    }

    fn design(&self, d: usize) -> Result<Design, linsep::Error> {
        let starts = (0..=self.rows()).map(|i| i * self.fill).collect();
        Design::sparse(d, starts, self.columns.clone(), self.values.clone())
    }
}
