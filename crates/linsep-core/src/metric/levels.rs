//! Rows grouped by score: the basis of all curves over thresholds.
//!
//! A curve needs its levels in decreasing order of the score, some metrics repeatedly. A
//! [`Ranking`] abstracts the source of the levels: a list in memory, or sorted rows on disk.
//! Weights are added in one order, so both give the same bits.

use std::convert::Infallible;

/// Rows of one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Score.
    pub score: f64,
    /// Total weight of its positive rows.
    pub up: f64,
    /// Total weight of its negative rows.
    pub down: f64,
}

/// Rows by decreasing score, for repeated passes.
pub trait Ranking {
    /// Error of a pass.
    type Error;

    /// Passes every level to `take`, in decreasing order of the score.
    fn each(&self, take: &mut dyn FnMut(Level)) -> Result<(), Self::Error>;
}

impl Ranking for Vec<Level> {
    type Error = Infallible;

    fn each(&self, take: &mut dyn FnMut(Level)) -> Result<(), Infallible> {
        self.iter().copied().for_each(take);
        Ok(())
    }
}

/// Groups rows in decreasing order of the score into levels; −0 and 0 are one score.
#[derive(Debug, Default)]
pub struct LevelBuilder {
    level: Option<Level>,
}

impl LevelBuilder {
    /// Adds a row of positive weight; returns the previous level if this row starts a new one.
    pub fn add(&mut self, score: f64, positive: bool, weight: f64) -> Option<Level> {
        let (up, down) = if positive { (weight, 0.0) } else { (0.0, weight) };
        match &mut self.level {
            Some(level) if level.score == score => {
                level.up += up;
                level.down += down;
                None
            }
            level => level.replace(Level { score, up, down }),
        }
    }

    /// Last level, if there was a row.
    pub fn end(self) -> Option<Level> {
        self.level
    }
}

/// Distinct scores in decreasing order, with their weights; rows of weight 0 are left out. −0 and 0
/// are one score.
pub fn levels(positive: &[bool], scores: &[f64], weights: &[f64]) -> Vec<Level> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&i| weights[i] > 0.0).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut leveler = LevelBuilder::default();
    let mut levels: Vec<Level> = Vec::new();
    for i in order {
        levels.extend(leveler.add(scores[i], positive[i], weights[i]));
    }
    levels.extend(leveler.end());
    levels
}

/// Value of a computation that cannot fail.
pub(super) fn sure<T>(result: Result<T, Infallible>) -> T {
    let Ok(value) = result;
    value
}

/// Total weight of the positive and of the negative rows.
pub fn totals<R: Ranking>(ranking: &R) -> Result<(f64, f64), R::Error> {
    let (mut ups, mut downs) = (0.0, 0.0);
    ranking.each(&mut |level| {
        ups += level.up;
        downs += level.down;
    })?;
    Ok((ups, downs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_are_one_level() {
        let got = levels(&[true, false, true, true], &[0.0, -0.0, 2.0, 9.0], &[1.0, 2.0, 3.0, 0.0]);
        let want = [(2.0, 3.0, 0.0), (0.0, 1.0, 2.0)];
        assert_eq!(got, want.map(|(score, up, down)| Level { score, up, down }));
        assert_eq!(sure(totals(&got)), (4.0, 2.0));
    }
}
