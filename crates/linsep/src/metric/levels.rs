//! Rows put together by their score: what every curve over thresholds is made of.

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

/// The different scores, the largest first, with what they weigh; rows of weight 0 are left out. −0 and 0 are one score.
pub fn levels(positive: &[bool], scores: &[f64], weights: &[f64]) -> Vec<Level> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&i| weights[i] > 0.0).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut levels: Vec<Level> = Vec::new();
    for i in order {
        let (up, down) = if positive[i] { (weights[i], 0.0) } else { (0.0, weights[i]) };
        match levels.last_mut() {
            Some(last) if last.score == scores[i] => {
                last.up += up;
                last.down += down;
            }
            _ => levels.push(Level { score: scores[i], up, down }),
        }
    }
    levels
}

/// Weight of the positive and of the negative rows.
pub(crate) fn totals(levels: &[Level]) -> (f64, f64) {
    levels.iter().fold((0.0, 0.0), |(up, down), level| (up + level.up, down + level.down))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_are_one_level() {
        let got = levels(&[true, false, true, true], &[0.0, -0.0, 2.0, 9.0], &[1.0, 2.0, 3.0, 0.0]);
        let want = [(2.0, 3.0, 0.0), (0.0, 1.0, 2.0)];
        assert_eq!(got, want.map(|(score, up, down)| Level { score, up, down }));
        assert_eq!(totals(&got), (4.0, 2.0));
    }
}
