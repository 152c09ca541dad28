//! Linear model: one hyperplane per score.

use super::classifier::{Classifier, FunctionSettings, ModelType, ScoreFunction};
use super::{DecisionRule, Link, OperatingPoint, Tensor, Tensors};
use crate::data::{Design, Hyperplane, Label, Rows, on_rows};
use crate::error::Error;
use crate::math::parallel::{fill_blocks, map_blocks};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;
use std::sync::Arc;

/// Classifier by hyperplanes, the result of the linear learners.
pub type LinearModel = Classifier<Hyperplanes>;

/// Hyperplanes of the same dimension with finite coefficients, at least one. A clone shares them.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperplanes(Arc<[Hyperplane]>);

/// Models whose scores are w·x + b.
pub const LINEAR: ModelType = ModelType { name: "linear", load };

const COEFFICIENTS: &str = "coefficients";
const INTERCEPTS: &str = "intercepts";

fn load(_: FunctionSettings, from: &mut Tensors) -> Result<Arc<dyn ScoreFunction>, String> {
    let hyperplanes = Hyperplane::from_tensors(from, COEFFICIENTS, INTERCEPTS)?;
    Ok(Arc::new(Hyperplanes::new(hyperplanes).map_err(|e| e.to_string())?))
}

impl Deref for Hyperplanes {
    type Target = [Hyperplane];

    fn deref(&self) -> &[Hyperplane] {
        &self.0
    }
}

impl Hyperplanes {
    fn new(hyperplanes: Vec<Hyperplane>) -> Result<Self, Error> {
        let bad = |problem| Err(Error::Model { problem });
        let Some(first) = hyperplanes.first() else { return bad("it has no hyperplane") };
        if hyperplanes.iter().any(|hyperplane| hyperplane.d() != first.d()) {
            return bad("its hyperplanes differ in dimension");
        }
        if !hyperplanes.iter().all(Hyperplane::is_finite) {
            return bad("a coefficient is not finite");
        }
        Ok(Self(hyperplanes.into()))
    }
}

impl ScoreFunction for Hyperplanes {
    fn name(&self) -> &'static str {
        LINEAR.name
    }

    fn d(&self) -> usize {
        self[0].d()
    }

    fn width(&self) -> usize {
        self.len()
    }

    fn scores(&self, x: &Design) -> Result<Vec<f64>, Error> {
        scores_of(self, x)
    }

    fn tensors(&self) -> Vec<Tensor> {
        Hyperplane::to_tensors(self, COEFFICIENTS, INTERCEPTS).into()
    }

    fn linear(&self) -> Option<&Hyperplanes> {
        Some(self)
    }
}

impl Hyperplane {
    /// Coefficients, one row per hyperplane, and intercepts as tensors of these names.
    pub fn to_tensors(
        of: &[Self],
        coefficients: &'static str,
        intercepts: &'static str,
    ) -> [Tensor; 2] {
        let d = of.first().map_or(0, Self::d);
        let w = of.iter().flat_map(|hyperplane| &hyperplane.w).copied().collect();
        let b = of.iter().map(|hyperplane| hyperplane.b).collect();
        [Tensor::f64(coefficients, &[of.len(), d], w), Tensor::f64(intercepts, &[of.len()], b)]
    }

    /// Hyperplanes from tensors of these names; their numbers may be infinite or NaN.
    pub fn from_tensors(
        from: &mut Tensors,
        coefficients: &str,
        intercepts: &str,
    ) -> Result<Vec<Self>, String> {
        let ([rows, d], w) = from.f64(coefficients)?;
        let ([intercepts], b) = from.f64(intercepts)?;
        if rows != intercepts || d == 0 {
            return Err("coefficients and intercepts differ in number".to_owned());
        }
        Ok(w.chunks_exact(d).zip(b).map(|(w, b)| Self { w: w.to_vec(), b }).collect())
    }
}

/// A linear model in outcomes, before its parts are checked.
#[derive(Serialize, Deserialize)]
struct Unchecked {
    classes: Vec<Label>,
    hyperplanes: Vec<Hyperplane>,
    decide: DecisionRule,
    link: Link,
    cut: OperatingPoint,
}

impl Serialize for LinearModel {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { classes, decide, link, cut, function } = self.clone();
        let hyperplanes = function.to_vec();
        Unchecked { classes, hyperplanes, decide, link, cut }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for LinearModel {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = Unchecked::deserialize(from)?;
        Self::new(read.classes, read.hyperplanes, read.decide)
            .and_then(|model| model.with_trust(read.link, read.cut))
            .map_err(serde::de::Error::custom)
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
        let function = Hyperplanes::new(hyperplanes)?;
        let width = function.len();
        Self::of(classes, function, width, decide)
    }

    /// Hyperplanes: one for two classes, else as many as the decision rule requires.
    pub fn hyperplanes(&self) -> &[Hyperplane] {
        &self.function
    }

    /// Applies `change` to every hyperplane.
    pub fn map_hyperplanes(
        &self,
        change: impl FnMut(&Hyperplane) -> Hyperplane,
    ) -> Result<Self, Error> {
        let function = Hyperplanes::new(self.function.iter().map(change).collect())?;
        Ok(Self { function, ..self.clone() })
    }

    /// Number of features.
    pub fn d(&self) -> usize {
        self.function[0].d()
    }

    /// Scores of all rows in row-major order, one per hyperplane.
    pub fn scores(&self, x: &Design) -> Result<Vec<f64>, Error> {
        scores_of(&self.function, x)
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
        let many = self.function.len();
        let block = (ROOM / many).clamp(1, BLOCK);
        let blocks = in_storage_order(&self.function, x, |hyperplanes, x| {
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
        assert!(refuse(&["a", "b"], vec![], DecisionRule::Sign).contains("no hyperplane"));
        assert!(
            refuse(&["a", "b"], vec![one()], DecisionRule::ArgMax).contains("number of scores")
        );
        let wide = hyperplane(&[1.0, 2.0], 0.0);
        assert!(refuse(&["a", "b"], vec![one(), wide], DecisionRule::ArgMax).contains("dimension"));
        let nan = hyperplane(&[f64::NAN], 0.0);
        assert!(refuse(&["a", "b"], vec![nan], DecisionRule::Sign).contains("not finite"));
    }
}
