//! Classifier: a score function, and everything that turns scores into predictions.
//!
//! A type of models is its map from rows to scores, a [`ScoreFunction`]: hyperplanes, or in general
//! any function with numbers to store. Classes, decision rule, link and operating point are common
//! to all types and implemented here once. A function scores a whole design matrix per call, so the
//! virtual call costs nothing.
//!
//! [`Model`] is a classifier of any type, as in a model file. [`LinearModel`] is the type that
//! learners of hyperplanes return; it converts to a `Model` and [back](Model::linear).

use super::linear::Hyperplanes;
use super::{Decision, DecisionRule, LinearModel, Link, OperatingPoint, Tensor, Tensors};
use crate::data::{Design, Hyperplane, Label};
use crate::error::Error;
use crate::options::Setting;
use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

/// Map from the features of a row to its scores.
pub trait ScoreFunction: Debug + Send + Sync {
    /// Name of the type, as in [`ModelType::name`].
    fn name(&self) -> &'static str;

    /// Number of features.
    fn d(&self) -> usize;

    /// Number of scores per row.
    fn width(&self) -> usize;

    /// Scores of all rows in row-major order. The same row has the same scores in any design.
    fn scores(&self, x: &Design) -> Result<Vec<f64>, Error>;

    /// Settings that the scores depend on, for display and for loading.
    fn settings(&self) -> FunctionSettings {
        FunctionSettings::new()
    }

    /// The numbers that the scores depend on.
    fn tensors(&self) -> Vec<Tensor>;

    /// The hyperplanes, if the scores are linear in the features.
    fn linear(&self) -> Option<&Hyperplanes> {
        None
    }
}

/// Settings of a score function by name.
pub type FunctionSettings = Vec<(Cow<'static, str>, Setting)>;

/// Builds a score function from its settings and tensors; refuses inconsistent ones.
pub type LoadFunction =
    fn(FunctionSettings, &mut Tensors) -> Result<Arc<dyn ScoreFunction>, String>;

/// Type of models, by which a stored model is loaded.
#[derive(Debug)]
pub struct ModelType {
    /// Name in the model file.
    pub name: &'static str,
    /// Builds the score function.
    pub load: LoadFunction,
}

impl PartialEq for dyn ScoreFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self.settings() == other.settings()
            && self.tensors() == other.tensors()
    }
}

/// Map from rows to scores of type S, and from scores to a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier<S> {
    pub(super) classes: Vec<Label>,
    pub(super) decide: DecisionRule,
    pub(super) link: Link,
    pub(super) cut: OperatingPoint,
    pub(super) function: S,
}

/// Classifier of any type.
pub type Model = Classifier<Arc<dyn ScoreFunction>>;

impl<S> Classifier<S> {
    /// Builds a classifier from at least two different classes and a function with as many scores
    /// per row, `width`, as the rule requires.
    pub(super) fn of(
        classes: Vec<Label>,
        function: S,
        width: usize,
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
        // Before the count of scores, as k − 1 needs at least two classes.
        if decide == DecisionRule::Sign && classes.len() != 2 {
            return bad("a single score cannot separate more than two classes");
        }
        if width != decide.hyperplanes(classes.len()) {
            return bad("the number of scores does not match the number of classes");
        }
        Ok(Self { classes, decide, link: Link::None, cut: OperatingPoint::default(), function })
    }

    /// Classes. Of two, the second is the positive one: its scores are ≥ 0.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// Number of classes.
    pub fn k(&self) -> usize {
        self.classes.len()
    }

    /// Number of scores per row.
    pub fn width(&self) -> usize {
        self.decide.hyperplanes(self.k())
    }

    /// Decision rule.
    pub fn decision_rule(&self) -> DecisionRule {
        self.decide
    }

    /// Sets the link of the learner.
    pub fn with_link(self, link: Link) -> Self {
        Self { link, ..self }
    }

    /// Sets a fitted link, threshold and abstention limit; rejects those that do not fit the model.
    pub fn with_trust(self, link: Link, cut: OperatingPoint) -> Result<Self, Error> {
        link.check(self.width())?;
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
    /// several scores with probabilities these are used, as a term common to all scores of a row
    /// must not affect the ranking. `None` for rules without a score per class.
    pub fn ranks<'a>(&self, scores: &'a [f64]) -> Option<Cow<'a, [f64]>> {
        if self.decide.has_ambiguous_regions() {
            return None;
        }
        let width = self.width();
        if width == 1 || self.link == Link::None {
            return Some(Cow::Borrowed(scores));
        }
        let (mut p, mut ranks) = (Vec::new(), Vec::with_capacity(scores.len()));
        for row in scores.chunks_exact(width) {
            let likely = self.probabilities(row, &mut p);
            ranks.extend_from_slice(if likely { &p } else { row });
        }
        Some(Cow::Owned(ranks))
    }

    /// Class of every row, from its scores, without abstention.
    pub fn decide_all(&self, scores: &[f64]) -> Vec<u32> {
        let rows = scores.chunks_exact(self.width());
        rows.map(|row| self.cut.class(self.decide, row)).collect()
    }

    fn with_function<T>(self, function: T) -> Classifier<T> {
        let Self { classes, decide, link, cut, .. } = self;
        Classifier { classes, decide, link, cut, function }
    }
}

impl Model {
    /// Builds a model from at least two different classes and a function with as many scores per
    /// row as the rule requires.
    pub fn new(
        classes: Vec<Label>,
        function: Arc<dyn ScoreFunction>,
        decide: DecisionRule,
    ) -> Result<Self, Error> {
        let width = function.width();
        Self::of(classes, function, width, decide)
    }

    /// The map from rows to scores.
    pub fn function(&self) -> &dyn ScoreFunction {
        &*self.function
    }

    /// Number of features.
    pub fn d(&self) -> usize {
        self.function.d()
    }

    /// Scores of all rows in row-major order.
    pub fn scores(&self, x: &Design) -> Result<Vec<f64>, Error> {
        self.function.scores(x)
    }

    /// Hyperplanes; none if the model is not linear.
    pub fn hyperplanes(&self) -> &[Hyperplane] {
        self.function.linear().map_or(&[], |linear| linear)
    }

    /// The model as a linear model, if it is one.
    pub fn linear(&self) -> Option<LinearModel> {
        self.function.linear().map(|linear| self.clone().with_function(linear.clone()))
    }
}

impl From<LinearModel> for Model {
    fn from(model: LinearModel) -> Self {
        let function: Arc<dyn ScoreFunction> = Arc::new(model.function.clone());
        model.with_function(function)
    }
}
