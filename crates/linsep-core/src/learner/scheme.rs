//! Multiclass schemes, and the methods that support them.
//!
//! | scheme | hyperplanes | how they are fitted | methods |
//! |---|---|---|---|
//! | `one-vs-rest` | k | each class against all others; the largest score wins | all |
//! | `one-vs-rest-but-last` | k − 1 | the same; if all scores are negative, the last class | all |
//! | `one-vs-one` | k(k−1)/2 | each pair of classes; votes | all |
//! | `winner-take-all` | k | jointly, by the winner-take-all perceptron rule | perceptrons¹ |
//! | `kesler` | k | jointly, as one hyperplane in k(d+1) dimensions | perceptrons¹ |
//! | `crammer-singer` | k | jointly, by the margin of the true class over the best other | `svm` |
//! | `softmax` | k | jointly, by maximum likelihood | `logistic` |
//!
//! ¹ with row-by-row updates: `perceptron`, `averaged-perceptron`, `pocket`.
//!
//! Two classes need one hyperplane, which is the same in every scheme.
//!
//! The default of a method is the scheme with the same decision rule in training and prediction:
//! the largest score. Logistic regression defaults to `softmax`, row-by-row perceptrons to
//! `winner-take-all`. Support vector machines default to `one-vs-rest`, as `crammer-singer` is
//! slower and rarely more accurate. So does every setting that the joint schemes do not support:
//! another penalty, loss or tie rule. With very many classes or coefficients softmax takes too
//! long. A solver never changes the scheme: a solver that softmax does not have is rejected, unless
//! another scheme is requested.

use crate::binary::{BinaryLearner, RegularizedErm, Tie};
use crate::error::{Error, named};
use crate::loss::MulticlassLoss;
use crate::model::DecisionRule;
use crate::multiclass::{crammer_singer_solvers, softmax_solvers};
use crate::names::names;
use crate::options::Solver;
use serde::{Deserialize, Serialize};

/// Largest number of classes for softmax as the default: its time grows faster than their number.
pub(super) const CLASSES: usize = 100;

/// Largest number of unknowns, k (d + 1), for softmax as the default.
pub(super) const NUMBERS: usize = 2_000_000;

/// Multiclass scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Scheme {
    /// One hyperplane per class, against all others; the largest score wins.
    #[default]
    OneVsRest,
    /// The same without a hyperplane for the last class, the class of rows with negative scores
    /// only.
    OneVsRestButLast,
    /// One hyperplane per pair of classes; votes.
    OneVsOne,
    /// One hyperplane per class, updated jointly: the winner's score is lowered, the true class's
    /// raised.
    WinnerTakeAll,
    /// One hyperplane per class, fitted as a single one in a larger space.
    Kesler,
    /// One hyperplane per class, of largest margin over the best other class.
    CrammerSinger,
    /// One hyperplane per class, of maximum likelihood.
    Softmax,
}

names!(Scheme {
    OneVsRest => "one-vs-rest",
    OneVsRestButLast => "one-vs-rest-but-last",
    OneVsOne => "one-vs-one",
    WinnerTakeAll => "winner-take-all",
    Kesler => "kesler",
    CrammerSinger => "crammer-singer",
    Softmax => "softmax",
});

impl Scheme {
    /// One line for help texts.
    pub fn about(self) -> &'static str {
        match self {
            Self::OneVsRest => {
                "one hyperplane per class against the rest; the largest score \
                decides"
            }
            Self::OneVsRestButLast => {
                "one-vs-rest without a hyperplane for the last class; has ambiguous regions"
            }
            Self::OneVsOne => {
                "one hyperplane per pair of classes; the majority of votes decides; \
                ties are ambiguous"
            }
            Self::WinnerTakeAll => "multiclass perceptron, trained jointly",
            Self::Kesler => {
                "Kesler's construction: multiclass perceptron as one hyperplane in a \
                larger space"
            }
            Self::CrammerSinger => "Crammer–Singer SVM, trained jointly",
            Self::Softmax => {
                "softmax (multinomial logistic) regression, trained jointly; \
                provides probabilities"
            }
        }
    }

    /// The scheme of that name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        named("`multiclass`", name, &Self::ALL, Self::name)
    }

    /// Decision rule of the scheme.
    pub fn decide(self) -> DecisionRule {
        match self {
            Self::OneVsRestButLast => DecisionRule::OneOrLast,
            Self::OneVsOne => DecisionRule::Vote,
            Self::OneVsRest
            | Self::WinnerTakeAll
            | Self::Kesler
            | Self::CrammerSinger
            | Self::Softmax => DecisionRule::ArgMax,
        }
    }

    /// Number of hyperplanes for k classes.
    pub fn hyperplanes(self, k: usize) -> usize {
        if k == 2 { 1 } else { self.decide().hyperplanes(k) }
    }

    /// Requirement on a method, as in "winner-take-all needs …"; `None` if all methods do.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Self::OneVsRest | Self::OneVsRestButLast | Self::OneVsOne => None,
            Self::WinnerTakeAll | Self::Kesler => {
                Some("a row-by-row perceptron (perceptron, averaged-perceptron, pocket)")
            }
            Self::CrammerSinger => {
                Some("the hinge loss with a pure l2 penalty (svm) and solver dual-cd")
            }
            Self::Softmax => Some(
                "the logistic loss with a pure l2 penalty (solver newton-cg or dual-cd) or none \
                 (newton-cg)",
            ),
        }
    }

    /// Solvers of a joint scheme that minimizes an objective.
    pub fn ways(self) -> Option<&'static str> {
        match self {
            Self::CrammerSinger => {
                Some("proximal-newton (batch) with few features, dual-cd (row by row) otherwise")
            }
            Self::Softmax => Some(
                "dual-cd with an l2 penalty and many coefficients, until its progress slows; \
                 newton-cg otherwise and afterwards",
            ),
            Self::OneVsRest
            | Self::OneVsRestButLast
            | Self::OneVsOne
            | Self::WinnerTakeAll
            | Self::Kesler => None,
        }
    }

    /// Whether the scheme supports a learner.
    pub fn suits(self, solver: &dyn BinaryLearner) -> bool {
        match self {
            Self::OneVsRest | Self::OneVsRestButLast | Self::OneVsOne => true,
            Self::WinnerTakeAll | Self::Kesler => solver.as_perceptron().is_some(),
            Self::CrammerSinger | Self::Softmax => solver.as_convex().is_some_and(|convex| {
                let solvers = self.solvers(convex);
                solvers.is_some_and(|own| {
                    convex.solver == Solver::Auto || own.contains(&convex.solver.name())
                })
            }),
        }
    }

    /// Solvers of the scheme for a loss and a penalty, if it minimizes over all hyperplanes
    /// jointly; `None` if it does not support them.
    fn solvers(self, convex: &RegularizedErm) -> Option<&'static [&'static str]> {
        let penalty = convex.penalty.unit();
        let solvers = match (self, convex.loss.multiclass()?) {
            (Self::CrammerSinger, MulticlassLoss::CrammerSinger) => crammer_singer_solvers(penalty),
            (Self::Softmax, MulticlassLoss::Softmax) => softmax_solvers(penalty),
            _ => return None,
        };
        Some(solvers).filter(|solvers| !solvers.is_empty())
    }

    /// Default scheme of a learner.
    pub(super) fn usual(solver: &dyn BinaryLearner) -> Self {
        let corrects = solver.as_perceptron().is_some_and(|rule| rule.tie == Tie::Mistake);
        let joint = solver.as_convex().and_then(|convex| Self::Softmax.solvers(convex));
        if joint.is_some() {
            Self::Softmax
        } else if corrects {
            Self::WinnerTakeAll
        } else {
            Self::OneVsRest
        }
    }

    /// Rejects a learner that the scheme does not support, and lists the alternatives.
    pub(super) fn check(self, solver: &dyn BinaryLearner) -> Result<(), Error> {
        let joint = solver.as_convex().and_then(|convex| Some((convex, self.solvers(convex)?)));
        if let Some((convex, solvers)) = joint {
            let options = &convex.options;
            // A step length applies only to solvers of a single hyperplane.
            let setting = match (options.eta, options.schedule) {
                _ if !self.suits(solver) => Some(("solver", convex.solver.name().to_owned())),
                (Some(eta), _) => Some(("eta", eta.to_string())),
                (None, Some(schedule)) => Some(("schedule", schedule.name().to_owned())),
                (None, None) => None,
            };
            return setting.map_or(Ok(()), |(name, got)| {
                Err(Error::JointSolver { scheme: self.name(), name, got, solvers })
            });
        }
        if self.suits(solver) {
            return Ok(());
        }
        let able = Self::ALL.into_iter().filter(|scheme| scheme.suits(solver));
        Err(Error::Scheme {
            scheme: self.name(),
            needs: self.needs().unwrap_or_default(),
            method: solver.name(),
            able: able.map(Self::name).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner;
    use crate::options::{Loss, Options, Penalty};

    #[test]
    fn every_scheme_is_found_by_its_name() {
        assert!(Scheme::ALL.iter().all(|s| Scheme::by_name(s.name()) == Ok(*s)));
        assert!(Scheme::by_name("one-vs-all").unwrap_err().to_string().contains("one-vs-rest"));
    }

    #[test]
    fn unsupported_schemes_are_rejected_with_the_alternatives() {
        let of = |method: &str, multiclass| {
            let options = Options { multiclass: Some(multiclass), ..Options::default() };
            learner::by_name(method, &options).map(|_| ()).map_err(|error| error.to_string())
        };
        for method in ["perceptron", "averaged-perceptron", "pocket"] {
            assert_eq!(of(method, Scheme::WinnerTakeAll), Ok(()));
            assert_eq!(of(method, Scheme::Kesler), Ok(()));
        }
        assert_eq!(of("svm", Scheme::CrammerSinger), Ok(()));
        assert_eq!(of("logistic", Scheme::Softmax), Ok(()));
        let usual = |method: &str, options: Options| {
            learner::by_name(method, &options).unwrap().as_reduced().unwrap().scheme
        };
        let (none, l1) = (Some(Penalty::None), Some(Penalty::L1));
        for (method, options, scheme) in [
            ("logistic", Options::default(), Scheme::Softmax),
            ("logistic", Options { penalty: none, ..Options::default() }, Scheme::Softmax),
            ("logistic", Options { penalty: l1, ..Options::default() }, Scheme::OneVsRest),
            (
                "logistic",
                Options { solver: Some(Solver::Newton), ..Options::default() },
                Scheme::Softmax,
            ),
            ("svm", Options::default(), Scheme::OneVsRest),
            ("perceptron", Options::default(), Scheme::WinnerTakeAll),
            (
                "perceptron",
                Options { tie: Some(Tie::Negative), ..Options::default() },
                Scheme::OneVsRest,
            ),
            ("batch-perceptron", Options::default(), Scheme::OneVsRest),
        ] {
            assert_eq!(usual(method, options), scheme, "{method}");
        }
        assert_eq!(
            of("logistic", Scheme::WinnerTakeAll).unwrap_err(),
            "`multiclass=winner-take-all` requires a row-by-row perceptron (perceptron, \
             averaged-perceptron, pocket); logistic with these settings supports one-vs-rest, \
             one-vs-rest-but-last, one-vs-one, softmax"
        );
        assert!(of("perceptron", Scheme::CrammerSinger).unwrap_err().contains("hinge loss"));
        let squared = Options {
            multiclass: Some(Scheme::CrammerSinger),
            loss: Some(Loss::SquaredHinge),
            ..Options::default()
        };
        assert!(learner::by_name("svm", &squared).is_err());
    }
}
