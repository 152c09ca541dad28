//! Certified predictions: equal to those of every exact optimum, under the decision rule in effect.
//!
//! Two questions per row, answered separately:
//!
//! * *The optimum.* The scores of every optimum lie within known bounds ([`Enclosure`],
//!   [`Winner`]). Do all scores within them give one decision?
//! * *The model.* Its own score is subject to rounding, both for the training row and for the raw
//!   row seen by the saved model. Do all scores within rounding give one decision? The intercept of
//!   the model need not be optimal, so this check is not implied by the first.
//!
//! A row is certified if both questions have an answer and the answers agree. The rounding of the
//! model never widens the bounds of the optimum.
//!
//! # Rounding of the model
//!
//! For x′ⱼ = (xⱼ − μⱼ)/σⱼ the saved model has wⱼ′/σⱼ and b′ − Σ wⱼ′μⱼ/σⱼ, and takes xⱼ. Each of
//! these is rounded once or twice, and the score sums d products. With K = Σ |wⱼ′μⱼ|/σⱼ the score
//! is within γ(‖w′‖‖x′‖ + 2K + |b′|) of the exact score of the training row. A coefficient below
//! the normal range of doubles is off by up to t = 2⁻¹⁰⁷⁴, which adds
//! t Σ|xⱼ| ≤ t(Σ|μⱼ| + √d max σⱼ ‖x′‖).

use crate::certify::{Enclosure, Winner};
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::features::Standardization;
use crate::math::parallel::map_blocks;
use crate::model::{Decision, DecisionRule, LinearModel};
use std::ops::Range;
use std::sync::Arc;

/// Bounds on the optimal scores of the training rows.
#[derive(Clone, Debug)]
pub(super) enum OptimumBounds {
    /// An interval per row and hyperplane, where every hyperplane was fitted to all rows.
    Scores(Vec<Arc<Enclosure>>),
    /// The winning class, by votes or jointly, with bounds on its lead.
    Winners(Arc<Vec<Option<Winner>>>),
}

impl OptimumBounds {
    /// Decisions common to all optima on these rows; `None` for a row without one.
    fn decisions(&self, model: &LinearModel, rows: Range<usize>) -> Vec<Option<Decision>> {
        let plain = |class: u32| Decision { class, ambiguous: false, abstained: false };
        match self {
            Self::Scores(own)
                if model.decision_rule() == DecisionRule::Sign
                    && model.operating_point().abstain.is_none() =>
            {
                let sides = own[0].sides(rows, model.operating_point().threshold);
                sides.into_iter().map(|side| side.map(|above| plain(u32::from(above)))).collect()
            }
            // Intervals of rows are computed only where the balls do not decide.
            Self::Scores(hyperplanes) => {
                let mut room = ScoreBox::default();
                let mut row = |i: usize| {
                    room.fill(hyperplanes.iter().map(|own| own.by_ball(i)));
                    model.decision_within(&room.least, &room.largest).or_else(|| {
                        room.fill(hyperplanes.iter().map(|own| own.row(i)));
                        model.decision_within(&room.least, &room.largest)
                    })
                };
                rows.map(&mut row).collect()
            }
            Self::Winners(winners) => {
                winners[rows].iter().map(|row| row.as_ref()?.decision(model)).collect()
            }
        }
    }

    /// Upper bound on ‖x‖ over all rows, if known.
    pub(super) fn largest_norm(&self) -> Option<f64> {
        match self {
            Self::Scores(own) => own.first().map(|own| own.largest_norm()),
            Self::Winners(_) => None,
        }
    }
}

/// Bounds on the scores of a row.
#[derive(Default)]
struct ScoreBox {
    least: Vec<f64>,
    largest: Vec<f64>,
}

impl ScoreBox {
    fn fill(&mut self, ends: impl Iterator<Item = [f64; 2]>) {
        self.least.clear();
        self.largest.clear();
        for [least, largest] in ends {
            self.least.push(least);
            self.largest.push(largest);
        }
    }
}

/// Winners by votes at every optimum. A row of class a or b has an interval from the run of this
/// pair, every other row from the ball of the run.
pub(super) fn by_votes(
    problem: &Problem<'_>,
    model: &LinearModel,
    runs: &[Arc<Enclosure>],
) -> Result<Vec<Option<Winner>>, Error> {
    let (k, codes) = (problem.labels().k(), problem.labels().codes());
    let of_class = problem.rows_by_class();
    let class_pairs = DecisionRule::Vote.class_pairs(k);
    // Position of a row of the problem among the rows of a pair.
    let position = |i: usize, other: usize| {
        let own = codes[i] as usize;
        let before = |class: usize| of_class[class].partition_point(|&row| (row as usize) < i);
        before(own) + before(other)
    };
    let interval = |i: usize, j: usize| {
        let (own, positive) = (codes[i] as usize, class_pairs[j].positive);
        let negative = class_pairs[j].negative.unwrap_or(positive);
        if own == positive || own == negative {
            return runs[j].row(position(i, if own == positive { negative } else { positive }));
        }
        let whole = [f64::NEG_INFINITY, f64::INFINITY];
        runs[j].ball().map_or(whole, |ball| ball.score(problem.x(), i))
    };
    // Index of the pair of classes a < b.
    let pair = |a: usize, b: usize| a * (2 * k - a - 1) / 2 + (b - a - 1);
    // A class that beats all others has more votes than any other class can have.
    let beats_all = |i: usize, class: u32| {
        let class = class as usize;
        (0..k).filter(|&other| other != class).all(|other| {
            let [least, largest] = interval(i, pair(class.min(other), class.max(other)));
            if class > other { least >= 0.0 } else { largest < 0.0 }
        })
    };
    let winner = |i: usize, class: u32| {
        let all = || {
            let ends: Vec<[f64; 2]> = (0..class_pairs.len()).map(|j| interval(i, j)).collect();
            let (least, largest): (Vec<f64>, Vec<f64>) = ends.iter().map(|e| (e[0], e[1])).unzip();
            model.decision_within(&least, &largest).map(|verdict| verdict.class)
        };
        const MOST_PAIRS: usize = 2_000;
        let certain = match beats_all(i, class) {
            true => Some(class),
            false if class_pairs.len() <= MOST_PAIRS => all(),
            false => None,
        };
        certain.map(Winner::of)
    };
    // The true class usually wins; only the remaining rows have to be predicted.
    let mut winners: Vec<Option<Winner>> = codes
        .iter()
        .enumerate()
        .map(|(i, &own)| beats_all(i, own).then(|| Winner::of(own)))
        .collect();
    let rest: Vec<u32> =
        (0..).zip(&winners).filter(|(_, won)| won.is_none()).map(|(i, _)| i).collect();
    if !rest.is_empty() {
        let predicted = model.predict(&problem.x().view_rows(&rest))?;
        for (i, class) in rest.into_iter().zip(predicted) {
            winners[i as usize] = winner(i as usize, class);
        }
    }
    Ok(winners)
}

/// Bound on the rounding error of a score, both for the training row and for the raw row in the
/// saved model.
pub(super) struct ScoreError {
    /// Factor of ‖x′‖ and constant term, each for the hyperplane with the largest value.
    slope: f64,
    constant: f64,
}

impl ScoreError {
    pub(super) fn of(hyperplanes: &[Hyperplane], units: Option<&Standardization>) -> Self {
        /// Bound on the loss to underflow.
        const TINY: f64 = 1e-290;
        let d = hyperplanes[0].d();
        let gamma = f64::EPSILON * (d + 16) as f64;
        let shifts = |hyperplane: &Hyperplane| {
            units.map_or(0.0, |units| {
                let columns = hyperplane.w.iter().zip(&units.mean).zip(&units.scale);
                columns.map(|((w, mean), scale)| (w * mean / scale).abs()).sum()
            })
        };
        let (mean, scale) = units.map_or((0.0, 0.0), |units| {
            (
                units.mean.iter().map(|m| m.abs()).sum(),
                units.scale.iter().copied().fold(0.0, f64::max),
            )
        });
        let least = f64::from_bits(1);
        let largest =
            |of: &dyn Fn(&Hyperplane) -> f64| hyperplanes.iter().map(of).fold(0.0, f64::max);
        let norm = |hyperplane: &Hyperplane| hyperplane.w.iter().map(|w| w * w).sum::<f64>().sqrt();
        Self {
            slope: gamma * largest(&norm) * (1.0 + 2.0 * gamma)
                + 2.0 * least * scale * (d as f64).sqrt(),
            constant: 2.0
                * gamma
                * largest(&|hyperplane| 2.0 * shifts(hyperplane) + hyperplane.b.abs())
                + 2.0 * least * mean
                + TINY,
        }
    }

    /// Bound for a row of squared norm ‖x′‖².
    pub(super) fn at(&self, norm_sq: f64) -> f64 {
        self.slope * norm_sq.sqrt() + self.constant
    }
}

/// Lower bound on the change of scores that alters the prediction of a row; 0 where only
/// [`is_certain`] can decide.
pub(super) fn slack(model: &LinearModel, z: &[f64]) -> f64 {
    let cut = model.operating_point();
    let nearest = || z.iter().fold(f64::INFINITY, |least, z| least.min(z.abs()));
    let lead = || cut.margin(DecisionRule::ArgMax, z) / 3.0;
    match model.decision_rule() {
        _ if cut.abstain.is_some() => 0.0,
        DecisionRule::Sign => (z[0] - cut.threshold).abs() - f64::EPSILON * cut.threshold.abs(),
        DecisionRule::ArgMax => lead(),
        DecisionRule::OneOrLast => nearest().min(lead()),
        DecisionRule::Vote if model.decision_rule().ambiguous(z) => 0.0,
        DecisionRule::Vote => nearest(),
    }
}

/// Whether all scores within e of z give one prediction.
pub(super) fn is_certain(model: &LinearModel, z: &[f64], e: f64) -> bool {
    let ends = |sign: f64| -> Vec<f64> { z.iter().map(|z| z + sign * 2.0 * e).collect() };
    model.decision_within(&ends(-1.0), &ends(1.0)).is_some()
}

/// Rows whose decision at the optimum is known and equals the certain decision of the model.
pub(super) fn certified(
    optimum: &OptimumBounds,
    model: &LinearModel,
    n: usize,
    said: impl Fn(usize) -> Option<Decision> + Sync,
) -> Vec<bool> {
    const BLOCK: usize = 1 << 12;
    let blocks = map_blocks(n, BLOCK, |rows| {
        let known = optimum.decisions(model, rows.clone());
        let alike = |(i, known): (usize, Option<Decision>)| known.is_some() && known == said(i);
        rows.zip(known).map(alike).collect::<Vec<bool>>()
    });
    blocks.concat()
}
