//! Distance along a line at which another class wins.
//!
//! On x + t v every score is linear in t, and so is the function of every class,
//! `f_c(t) = f_c + t g_c`. The winner w is overtaken at
//!
//! ```text
//!   t = min { (f_w − f_c)/(g_c − g_w) : g_c > g_w },
//! ```
//!
//! and a given class c wins from the last point where it overtakes another class to the first where
//! another overtakes it. With votes, scores change sign at the zeros of the hyperplanes, and tie
//! breaks change where the sums of two classes are equal. Between two adjacent points of these
//! kinds the prediction is constant, so the midpoint of each interval suffices.

use super::ClassScores;
use crate::data::Hyperplane;

/// Relative distances beyond the boundary, tried in turn until rounding does not hide the change.
pub(super) const BEYOND: [f64; 6] = [0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6];

impl ClassScores<'_> {
    /// Smallest t > 0 from which another class, or class `want`, wins, if the scores start at
    /// `scores` and grow by `slopes`. `None` if there is no such t.
    pub fn reach(&self, scores: &[f64], slopes: &[f64], want: Option<usize>) -> Option<f64> {
        let winner = self.class(scores);
        match (self.values(scores, self.threshold()), self.values(slopes, 0.0), want) {
            (Some(f), Some(g), None) => overtaken(&f, &g, winner),
            (Some(f), Some(g), Some(class)) => wins(&f, &g, class),
            _ => self.changes(scores, slopes, want),
        }
    }

    /// Nearest value of one column at which another class, or class `want`, wins, with that class.
    /// The changed row has been scored.
    pub fn nearest_value(
        &self,
        x: &[f64],
        column: usize,
        want: Option<usize>,
    ) -> Option<(f64, usize)> {
        let scores = self.scores(x);
        let step = self.step(&scores, column, want)?;
        self.settle(x, column, step, self.class(&scores), want)
    }

    /// Change of one column at which another class, or class `want`, wins; the changed row has not
    /// been scored.
    pub fn step(&self, scores: &[f64], column: usize, want: Option<usize>) -> Option<f64> {
        let slopes: Vec<f64> =
            self.model().hyperplanes().iter().map(|hyperplane| hyperplane.w[column]).collect();
        let back: Vec<f64> = slopes.iter().map(|g| -g).collect();
        let ways = [(1.0, &slopes), (-1.0, &back)];
        let reached = ways.iter().filter_map(|(sign, g)| Some(sign * self.reach(scores, g, want)?));
        reached.min_by(|a, b| a.abs().total_cmp(&b.abs()))
    }

    /// Value of one column after a step, moved just far enough for the computed prediction to
    /// change.
    pub fn settle(
        &self,
        x: &[f64],
        column: usize,
        step: f64,
        winner: usize,
        want: Option<usize>,
    ) -> Option<(f64, usize)> {
        let mut changed = x.to_vec();
        BEYOND.into_iter().find_map(|more| {
            // Relative to the value as well: a small step from a large value is lost in its
            // rounding.
            changed[column] =
                x[column] + step + (step.abs() + x[column].abs()) * more * step.signum();
            let class = self.class(&self.scores(&changed));
            let done = want.map_or(class != winner, |want| class == want);
            (done && changed[column].is_finite()).then(|| (changed[column], class))
        })
    }

    /// Like [`reach`](Self::reach) for any rule, by a check of every interval of the line.
    fn changes(&self, scores: &[f64], slopes: &[f64], want: Option<usize>) -> Option<f64> {
        let k = self.model().k();
        let winner = self.class(scores);
        let lines: Vec<Line> = scores.iter().zip(slopes).map(|(&z, &g)| Line { z, g }).collect();
        let mut sums = vec![Line { z: 0.0, g: 0.0 }; k];
        for (class_pair, line) in self.model().decision_rule().class_pairs(k).iter().zip(&lines) {
            sums[class_pair.positive].add(1.0, *line);
            class_pair.negative.iter().for_each(|&negative| sums[negative].add(-1.0, *line));
        }
        let pairs = (0..k).flat_map(|a| (0..a).map(move |b| (a, b)));
        let ties = pairs.filter_map(|(a, b)| {
            let mut difference = sums[a];
            difference.add(-1.0, sums[b]);
            difference.zero()
        });
        let mut places: Vec<f64> = lines.iter().filter_map(Line::zero).chain(ties).collect();
        places.retain(|t| *t >= 0.0 && t.is_finite());
        places.sort_by(f64::total_cmp);
        places.dedup();
        places.iter().enumerate().find_map(|(i, &t)| {
            let middle = places.get(i + 1).map_or(2.0 * t + 1.0, |next| f64::midpoint(t, *next));
            let there: Vec<f64> = lines.iter().map(|line| middle.mul_add(line.g, line.z)).collect();
            let class = self.class(&there);
            want.map_or(class != winner, |want| class == want).then_some(t)
        })
    }

    /// Direction in which the hyperplane's score falls fastest, for lengths in the given units. One
    /// step lowers the score by `lead`.
    pub(super) fn downhill(hyperplane: &Hyperplane, lead: f64, scale: &[f64]) -> Option<Vec<f64>> {
        let bent: Vec<f64> = hyperplane.w.iter().zip(scale).map(|(w, s)| w * s).collect();
        let largest = bent.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return None;
        }
        // Divided by the largest first, so that squares neither overflow nor underflow.
        let square: f64 = bent.iter().map(|v| (v / largest) * (v / largest)).sum();
        let steps = bent.iter().zip(scale);
        Some(steps.map(|(v, s)| -lead / square / largest * (v / largest) * s).collect())
    }
}

/// Linear function z + t g.
#[derive(Clone, Copy)]
struct Line {
    z: f64,
    g: f64,
}

impl Line {
    fn add(&mut self, factor: f64, other: Self) {
        self.z += factor * other.z;
        self.g += factor * other.g;
    }

    fn zero(&self) -> Option<f64> {
        (self.g != 0.0).then(|| -self.z / self.g)
    }
}

fn overtaken(f: &[f64], g: &[f64], winner: usize) -> Option<f64> {
    let faster = (0..f.len()).filter(|&c| g[c] > g[winner]);
    let places = faster.map(|c| ((f[winner] - f[c]) / (g[c] - g[winner])).max(0.0));
    places.min_by(f64::total_cmp).filter(|t| t.is_finite())
}

fn wins(f: &[f64], g: &[f64], class: usize) -> Option<f64> {
    let (mut from, mut to) = (0.0_f64, f64::INFINITY);
    for other in (0..f.len()).filter(|&c| c != class) {
        let (lead, slope) = (f[class] - f[other], g[class] - g[other]);
        match slope {
            s if s > 0.0 => from = from.max(-lead / s),
            s if s < 0.0 => to = to.min(lead / -s),
            _ if lead < 0.0 => return None,
            _ => {}
        }
    }
    (from < to && from.is_finite()).then_some(from)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::model;
    use super::*;
    use crate::model::DecisionRule;
    use proptest::prelude::*;

    #[test]
    fn one_hyperplane_equals_a_hand_computation() {
        // z = 2 x₁ − x₂ + 1; at (1, 1) it is 2.
        let two = model(DecisionRule::Sign, 2, &[2.0, -1.0, 1.0], 2);
        let contest = ClassScores::new(&two);
        let (value, class) = contest.nearest_value(&[1.0, 1.0], 0, None).unwrap();
        assert!((value - 0.0).abs() < 1e-9 && class == 0, "2·0 − 1 + 1 = 0, and just below");
        let (value, _) = contest.nearest_value(&[1.0, 1.0], 1, None).unwrap();
        assert!((value - 3.0).abs() < 1e-9 && value > 3.0);
        let flat = model(DecisionRule::Sign, 2, &[2.0, 0.0, 1.0], 2);
        assert_eq!(
            ClassScores::new(&flat).nearest_value(&[1.0, 1.0], 1, None),
            None,
            "its coefficient is 0"
        );
    }

    proptest! {
        /// Compared with a search in small steps: the first other class, no sooner and no later.
        #[test]
        fn the_first_change_equals_that_of_a_search_in_small_steps(
            numbers in prop::collection::vec(-3.0..3.0_f64, 18),
            x in prop::collection::vec(-3.0..3.0_f64, 2),
            column in 0..2_usize,
        ) {
            const FAR: f64 = 8.0;
            const STEPS: u32 = 4000;
            for (decide, k) in
                [(DecisionRule::Sign, 2), (DecisionRule::ArgMax, 4), (DecisionRule::OneOrLast, 4), (DecisionRule::Vote, 4)]
            {
                let model = model(decide, k, &numbers, 2);
                let contest = ClassScores::new(&model);
                let winner = contest.class(&contest.scores(&x));
                for want in std::iter::once(None).chain((0..k).filter(|&c| c != winner).map(Some)) {
                    let fine = |class: usize| want.map_or(class != winner, |want| class == want);
                    let walk = |sign: f64| (1..=STEPS).find_map(|step| {
                        let t = sign * FAR * f64::from(step) / f64::from(STEPS);
                        let mut there = x.clone();
                        there[column] += t;
                        fine(contest.class(&contest.scores(&there))).then_some(t.abs())
                    });
                    let walked = walk(1.0).unwrap_or(f64::INFINITY).min(walk(-1.0).unwrap_or(f64::INFINITY));
                    match contest.nearest_value(&x, column, want) {
                        Some((value, class)) => {
                            prop_assert!(fine(class));
                            // An interval narrower than a step of the search can be missed.
                            prop_assert!((value - x[column]).abs() <= walked + 1e-6);
                            let near = (value - x[column]).abs();
                            // A line that has left a convex region does not return to it.
                            if near < FAR - 0.01 && want.is_none() && contest.is_convex() {
                                prop_assert!(walked <= near + 2.0 * FAR / f64::from(STEPS));
                            }
                        }
                        None => prop_assert!(walked.is_infinite(), "{decide:?} {want:?}: walked {walked}"),
                    }
                }
            }
        }
    }
}
