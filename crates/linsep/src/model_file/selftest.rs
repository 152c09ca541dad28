//! Test rows stored with a model and scored again on loading.
//!
//! Five synthetic rows with values from −2 to 2 in up to sixteen columns, spread over all columns,
//! and zeros elsewhere. Scoring has the same order of operations on every machine, so the scores
//! must agree to the last bit.

use linsep_core::math::rng::Rng;
use linsep_core::{Design, Error};

/// Rows to score.
pub(super) struct SelfTest {
    /// Number of columns.
    pub(super) d: usize,
    /// Number of columns with values per row.
    pub(super) fill: usize,
    /// Row-major, ascending within a row.
    pub(super) columns: Vec<u32>,
    pub(super) values: Vec<f64>,
}

/// Scores of a design, or the reason for their absence.
type Scores = Result<Vec<f64>, Error>;

const ROWS: usize = 5;
const MOST: usize = 16;

impl SelfTest {
    /// Generates rows of d columns.
    pub(super) fn new(d: usize) -> Self {
        let fill = d.min(MOST);
        let mut rng = Rng::new(0, 0);
        let mut test = Self { d, fill, columns: vec![], values: vec![] };
        for _ in 0..ROWS {
            for m in 0..fill {
                // One column from each of `fill` equal parts.
                let (from, to) = (m * d / fill, (m + 1) * d / fill);
                test.columns.push((from as u64 + rng.below((to - from) as u64)) as u32);
                test.values.push((rng.below(1025) as f64 - 512.0) / 256.0);
            }
        }
        test
    }

    pub(super) fn rows(&self) -> usize {
        self.columns.len() / self.fill
    }

    /// Returns the scores of the rows, row-major.
    pub(super) fn scores(&self, by: impl Fn(&Design) -> Scores) -> Result<Vec<f64>, String> {
        if self.fill == 0 || self.columns.len() < self.fill {
            return Err("no test rows".to_owned());
        }
        let starts = (0..=self.rows()).map(|i| i * self.fill).collect();
        let x = Design::sparse(self.d, starts, self.columns.clone(), self.values.clone());
        x.and_then(|x| by(&x)).map_err(|e| format!("test rows: {e}"))
    }

    /// Scores the rows again and compares the scores bit by bit.
    pub(super) fn run(
        &self,
        by: impl Fn(&Design) -> Scores,
        expected: &[f64],
    ) -> Result<(), String> {
        let scores = self.scores(by)?;
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if scores.len() == expected.len() && scores.iter().zip(expected).all(same) {
            return Ok(());
        }
        Err("the scores of the test rows differ from the stored ones: the file is damaged"
            .to_owned())
    }
}
