//! Linear model: hyperplanes, classes and a decision rule.

use super::{Decision, DecisionRule, Link, OperatingPoint};
use crate::data::{Design, Hyperplane, Label, Rows, on_rows};
use crate::error::Error;
use crate::math::parallel::{fill_blocks, map_blocks};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Trained classifier, the result of every learner, so that prediction, saving, explanation and
/// plots are implemented once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct LinearModel {
    classes: Vec<Label>,
    hyperplanes: Vec<Hyperplane>,
    decide: DecisionRule,
    link: Link,
    cut: OperatingPoint,
}

/// A model as read, before its parts are checked.
#[derive(Deserialize)]
struct Unchecked {
    classes: Vec<Label>,
    hyperplanes: Vec<Hyperplane>,
    decide: DecisionRule,
    link: Link,
    cut: OperatingPoint,
}

impl TryFrom<Unchecked> for LinearModel {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self, Error> {
        Self::new(read.classes, read.hyperplanes, read.decide)?.with_trust(read.link, read.cut)
    }
}

impl LinearModel {
    /// Builds a model from at least two different classes, as many hyperplanes as the rule
    /// requires, all of the same dimension, with finite coefficients.
    pub fn new(
        classes: Vec<Label>,
        hyperplanes: Vec<Hyperplane>,
        decide: DecisionRule,
    ) -> Result<Self, Error> {
        let bad = |problem| Err(Error::Model { problem });
        let mut sorted: Vec<&Label> = classes.iter().collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return bad("it has a duplicate class");
        }
        if classes.len() < 2 {
            return bad("it has fewer than two classes");
        }
        // Before the count of hyperplanes, as k − 1 needs at least two classes.
        if decide == DecisionRule::Sign && classes.len() != 2 {
            return bad("one hyperplane cannot separate more than two classes");
        }
        if hyperplanes.len() != decide.hyperplanes(classes.len()) {
            return bad("the number of hyperplanes does not match the number of classes");
        }
        if hyperplanes.iter().any(|hyperplane| hyperplane.d() != hyperplanes[0].d()) {
            return bad("its hyperplanes differ in dimension");
        }
        if !hyperplanes.iter().all(Hyperplane::is_finite) {
            return bad("a coefficient is not finite");
        }
        Ok(Self { classes, hyperplanes, decide, link: Link::None, cut: OperatingPoint::default() })
    }

    /// Classes. Of two, the second is the positive one: its scores are ≥ 0.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// Hyperplanes: one for two classes, else as many as the decision rule requires.
    pub fn hyperplanes(&self) -> &[Hyperplane] {
        &self.hyperplanes
    }

    /// Decision rule.
    pub fn decision_rule(&self) -> DecisionRule {
        self.decide
    }

    /// Applies `change` to every hyperplane.
    pub fn map_hyperplanes(
        &self,
        change: impl FnMut(&Hyperplane) -> Hyperplane,
    ) -> Result<Self, Error> {
        let hyperplanes = self.hyperplanes.iter().map(change).collect();
        let model = Self::new(self.classes.clone(), hyperplanes, self.decide)?;
        Ok(Self { link: self.link.clone(), cut: self.cut, ..model })
    }

    /// Sets the link of the learner.
    pub fn with_link(self, link: Link) -> Self {
        Self { link, ..self }
    }

    /// Sets a fitted link, threshold and abstention limit; rejects those that do not fit the model.
    pub fn with_trust(self, link: Link, cut: OperatingPoint) -> Result<Self, Error> {
        link.check(self.hyperplanes.len())?;
        cut.check(self.decide, &link)?;
        Ok(Self { link, cut, ..self })
    }

    /// Link from scores to probabilities.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Threshold of two classes, and limit of confidence for abstention.
    pub fn operating_point(&self) -> OperatingPoint {
        self.cut
    }

    /// Prediction of a row with these scores.
    pub fn decision(&self, scores: &[f64]) -> Decision {
        self.cut.decision(self.decide, &self.link, scores)
    }

    /// Probability of the positive class of two at a score, if the model has probabilities.
    pub fn probability_at(&self, score: f64) -> Option<f64> {
        let mut p = Vec::new();
        (self.decide == DecisionRule::Sign && self.probabilities(&[score], &mut p)).then(|| p[1])
    }

    /// Writes the probability of every class, from the scores of a row; `false` if the model has
    /// none.
    pub fn probabilities(&self, scores: &[f64], out: &mut Vec<f64>) -> bool {
        self.link.probabilities(self.decide, scores, out)
    }

    /// Values that rank the rows, for each class against the rest: the scores of all rows. For
    /// several hyperplanes with probabilities these are used, as a term common to all scores of a
    /// row must not affect the ranking. `None` for rules without a score per class.
    pub fn ranks<'a>(&self, scores: &'a [f64]) -> Option<Cow<'a, [f64]>> {
        if self.decide.has_ambiguous_regions() {
            return None;
        }
        let hyperplanes = self.hyperplanes.len();
        if hyperplanes == 1 || self.link == Link::None {
            return Some(Cow::Borrowed(scores));
        }
        let (mut p, mut ranks) = (Vec::new(), Vec::with_capacity(scores.len()));
        for row in scores.chunks_exact(hyperplanes) {
            let likely = self.probabilities(row, &mut p);
            ranks.extend_from_slice(if likely { &p } else { row });
        }
        Some(Cow::Owned(ranks))
    }

    /// Number of classes.
    pub fn k(&self) -> usize {
        self.classes.len()
    }

    /// Number of features.
    pub fn d(&self) -> usize {
        self.hyperplanes[0].d()
    }

    /// Scores of all rows in row-major order, one per hyperplane.
    pub fn scores(&self, x: &Design) -> Result<Vec<f64>, Error> {
        scores_of(&self.hyperplanes, x)
    }

    /// Class of every row, as a position in [`classes`](Self::classes), without abstention.
    pub fn predict(&self, x: &Design) -> Result<Vec<u32>, Error> {
        self.map_rows(x, |_, scores| self.cut.class(self.decide, scores))
    }

    /// Applies `work` to the scores of every row, in blocks. Pairs of many classes have very many
    /// hyperplanes, and all their scores may not fit in memory.
    pub fn map_rows<T: Send>(
        &self,
        x: &Design,
        work: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        const BLOCK: usize = 1 << 8;
        const ROOM: usize = 1 << 16;
        if x.d() != self.d() {
            return Err(Error::Shape { what: "columns", got: x.d(), want: self.d() });
        }
        // Rows in blocks, one hyperplane at a time, so that its coefficients stay in the cache.
        let many = self.hyperplanes.len();
        let block = (ROOM / many).clamp(1, BLOCK);
        let blocks = in_storage_order(&self.hyperplanes, x, |hyperplanes, x| {
            on_rows!(x, x => map_blocks(x.n(), block, |rows| {
                let mut scores = vec![0.0; rows.len() * many];
                for (p, hyperplane) in hyperplanes.iter().enumerate() {
                    let own = scores.iter_mut().skip(p).step_by(many);
                    own.zip(rows.clone()).for_each(|(z, i)| *z = hyperplane.score(x, i));
                }
                rows.zip(scores.chunks_exact(many)).map(|(i, z)| work(i, z)).collect::<Vec<T>>()
            }))
        });
        Ok(blocks.into_iter().flatten().collect())
    }

    /// Class of every row, from its scores.
    pub fn decide_all(&self, scores: &[f64]) -> Vec<u32> {
        let rows = scores.chunks_exact(self.hyperplanes.len());
        rows.map(|row| self.cut.class(self.decide, row)).collect()
    }
}

/// Scores of all rows by these hyperplanes, in row-major order.
pub fn scores_of(hyperplanes: &[Hyperplane], x: &Design) -> Result<Vec<f64>, Error> {
    if hyperplanes.is_empty() {
        return Ok(Vec::new());
    }
    match hyperplanes.iter().find(|hyperplane| hyperplane.d() != x.d()) {
        Some(hyperplane) => Err(Error::Shape { what: "columns", got: x.d(), want: hyperplane.d() }),
        None => Ok(in_storage_order(
            hyperplanes,
            x,
            |hyperplanes, x| on_rows!(x, x => score_rows(x, hyperplanes)),
        )),
    }
}

/// Applies `work` in storage order: the hyperplanes are translated once.
fn in_storage_order<T>(
    hyperplanes: &[Hyperplane],
    x: &Design,
    work: impl FnOnce(&[Hyperplane], &Design) -> T,
) -> T {
    let Some((x, numbering)) = x.in_storage_order() else { return work(hyperplanes, x) };
    let hyperplanes: Vec<Hyperplane> =
        hyperplanes.iter().map(|hyperplane| numbering.to_stored(hyperplane)).collect();
    work(&hyperplanes, &x)
}

fn score_rows<X: Rows>(x: &X, hyperplanes: &[Hyperplane]) -> Vec<f64> {
    const SMALL: usize = 1 << 14;
    let rows = (SMALL * x.n()).div_ceil(x.stored().max(1)).max(1);
    let mut scores = vec![0.0; x.n() * hyperplanes.len()];
    fill_blocks(&mut scores, rows * hyperplanes.len(), |start, block| {
        for (i, row) in block.chunks_exact_mut(hyperplanes.len()).enumerate() {
            let i = start / hyperplanes.len() + i;
            row.iter_mut().zip(hyperplanes).for_each(|(z, hyperplane)| *z = hyperplane.score(x, i));
        }
    });
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_common_to_all_scores_does_not_affect_the_ranking() {
        let classes = ["a", "b", "c"].map(Label::parse).to_vec();
        let model =
            LinearModel::new(classes, vec![Hyperplane::zero(1); 3], DecisionRule::ArgMax).unwrap();
        let scores = [1.0, 0.0, 0.0, 101.0, 103.0, 100.0];
        assert_eq!(&*model.ranks(&scores).unwrap(), &scores);
        let ranks = model.with_link(Link::Softmax).ranks(&scores).unwrap().into_owned();
        assert!(ranks[0] > ranks[3] && ranks[1] < ranks[4]);
        assert!((ranks[3..].iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    fn labels(names: &[&str]) -> Vec<Label> {
        names.iter().map(|name| Label::parse(name)).collect()
    }

    fn hyperplane(w: &[f64], b: f64) -> Hyperplane {
        Hyperplane { w: w.to_vec(), b }
    }

    /// W₁ = (1, −1, −1), W₂ = (1, 1, 1), W₃ = (2, 0, 0) on the corners (±1, ±1): a table of the
    /// lectures.
    #[test]
    fn the_third_neuron_of_winner_take_all_is_xor() {
        let hyperplanes = vec![
            hyperplane(&[-1.0, -1.0], 1.0),
            hyperplane(&[1.0, 1.0], 1.0),
            hyperplane(&[0.0, 0.0], 2.0),
        ];
        let model =
            LinearModel::new(labels(&["1", "2", "3"]), hyperplanes, DecisionRule::ArgMax).unwrap();
        let corners = [-1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0];
        let x = Design::dense(4, 2, corners.to_vec()).unwrap();
        let table = [3.0, -1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 2.0, -1.0, 3.0, 2.0];
        assert_eq!(model.scores(&x).unwrap(), table);
        assert_eq!(model.predict(&x).unwrap(), [0, 2, 2, 1]);
    }

    #[test]
    fn a_wrong_number_of_features_is_rejected() {
        let model = LinearModel::new(
            labels(&["a", "b"]),
            vec![hyperplane(&[1.0], 0.0)],
            DecisionRule::Sign,
        )
        .unwrap();
        let x = Design::dense(1, 2, vec![0.0, 0.0]).unwrap();
        assert_eq!(model.predict(&x), Err(Error::Shape { what: "columns", got: 2, want: 1 }));
    }

    #[test]
    fn inconsistent_models_are_rejected() {
        let one = || hyperplane(&[1.0], 0.0);
        let refuse = |names: &[&str], hyperplanes, decide| {
            LinearModel::new(labels(names), hyperplanes, decide).unwrap_err().to_string()
        };
        assert!(refuse(&["a"], vec![one()], DecisionRule::Sign).contains("fewer than two"));
        assert!(refuse(&["a", "a"], vec![one()], DecisionRule::Sign).contains("duplicate class"));
        assert!(
            refuse(&["a", "b", "c"], vec![one()], DecisionRule::Sign).contains("more than two")
        );
        assert!(refuse(&["a", "b"], vec![], DecisionRule::Sign).contains("number of hyperplanes"));
        assert!(
            refuse(&["a", "b"], vec![one()], DecisionRule::ArgMax)
                .contains("number of hyperplanes")
        );
        let wide = hyperplane(&[1.0, 2.0], 0.0);
        assert!(refuse(&["a", "b"], vec![one(), wide], DecisionRule::ArgMax).contains("dimension"));
        let nan = hyperplane(&[f64::NAN], 0.0);
        assert!(refuse(&["a", "b"], vec![nan], DecisionRule::Sign).contains("not finite"));
    }
}
