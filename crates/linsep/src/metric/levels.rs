//! Rows put together by their score: what every curve over thresholds is made of.
//!
//! A curve needs its levels from the largest score to the smallest, some measures more than once. Where
//! the levels come from is left open ([`Ranking`]): a list in memory, or rows that were sorted on a disk.
//! Weights are added in one order, so that both give the same bits.

use std::convert::Infallible;

/// The rows of one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The score.
    pub score: f64,
    /// Weight of its positive rows.
    pub up: f64,
    /// Weight of its negative rows.
    pub down: f64,
}

/// Rows by descending score, which can be gone through repeatedly.
pub trait Ranking {
    /// Why that can fail.
    type Error;

    /// Hands every level to `take`, the largest score first.
    fn each(&self, take: &mut dyn FnMut(Level)) -> Result<(), Self::Error>;
}

impl Ranking for [Level] {
    type Error = Infallible;

    fn each(&self, take: &mut dyn FnMut(Level)) -> Result<(), Infallible> {
        self.iter().copied().for_each(take);
        Ok(())
    }
}

/// Puts rows that come by descending score into levels; −0 and 0 are one score.
#[derive(Debug, Default)]
pub struct Leveler {
    level: Option<Level>,
}

impl Leveler {
    /// Adds a row of weight above 0; returns the level before, where this row begins another.
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

    /// The last level, if there was a row.
    pub fn end(self) -> Option<Level> {
        self.level
    }
}

/// The different scores, the largest first, with what they weigh; rows of weight 0 are left out. −0 and 0 are one score.
pub fn levels(positive: &[bool], scores: &[f64], weights: &[f64]) -> Vec<Level> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&i| weights[i] > 0.0).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut leveler = Leveler::default();
    let mut levels: Vec<Level> = Vec::new();
    for i in order {
        levels.extend(leveler.add(scores[i], positive[i], weights[i]));
    }
    levels.extend(leveler.end());
    levels
}

/// The value of a computation that cannot fail.
pub(super) fn sure<T>(result: Result<T, Infallible>) -> T {
    let Ok(value) = result;
    value
}

/// Weight of the positive and of the negative rows.
pub fn totals<R: Ranking + ?Sized>(ranking: &R) -> Result<(f64, f64), R::Error> {
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
        assert_eq!(sure(totals(&got[..])), (4.0, 2.0));
    }
}
