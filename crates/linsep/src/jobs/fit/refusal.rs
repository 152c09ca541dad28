//! Reasons why a fit is refused: settings that contradict each other, data that do not allow the
//! request, and results that are no model.

use super::inference::MissingEstimate;
use linsep_core::control::literal;

/// The reason why a fit is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Inference on another method.
    #[error(
        "`infer` and `firth` require `method=logistic`, not {method}: standard errors, tests and \
         intervals are based on the likelihood"
    )]
    NoLikelihood {
        /// The method.
        method: String,
    },
    /// Inference with a penalty.
    #[error(
        "`infer` cannot be combined with a penalty, which biases the estimates and invalidates \
         standard errors, tests and intervals. Remove `penalty`, `lambda` and `c`, or use `firth`, \
         whose penalty has valid tests and intervals."
    )]
    Penalized,
    /// A setting that inference determines itself.
    #[error(
        "`{setting}` cannot be combined with `infer` or `firth`, which maximize the likelihood of \
         two classes with an intercept by Newton's method to double precision"
    )]
    NoChoice {
        /// Name of the setting.
        setting: &'static str,
    },
    /// Settings that exclude each other.
    #[error("`{setting}` cannot be combined with `{other}`")]
    Conflict {
        /// Name of the setting.
        setting: &'static str,
        /// Name of the other setting.
        other: &'static str,
    },
    /// Folds that nothing uses.
    #[error("`folds`, `groups` and `time` require `tune`, `calibrate`, `threshold` or `abstain`")]
    UnusedFolds,
    /// A rule for the selection of λ that leave-one-out does not have.
    #[error(
        "`choose={rule}` requires cross-validation; {method} tunes by leave-one-out, which has no \
         standard error. Remove `choose`."
    )]
    NoStandardError {
        /// The rule.
        rule: &'static str,
        /// The method.
        method: String,
    },
    /// Tuning of a method without a penalty.
    #[error(
        "`tune` requires a method with a penalty (logistic, svm, convex, least-squares), not {method}"
    )]
    NothingToTune {
        /// The method.
        method: String,
    },
    /// A path of a method without a penalty.
    #[error("`path` requires a method with a penalty (logistic, svm, convex), not {method}")]
    NoPath {
        /// The method.
        method: String,
    },
    /// A multiclass scheme other than one-vs-rest where it is required.
    #[error("{what} requires `multiclass=one-vs-rest`, not {scheme}")]
    OneVsRestOnly {
        /// What requires it.
        what: &'static str,
        /// The scheme.
        scheme: &'static str,
    },
    /// A share that is not between 0 and 1.
    #[error("`holdout`: expected a number between 0 and 1, found {got}")]
    Share {
        /// The share.
        got: f64,
    },
    /// Another number of starting coefficients.
    #[error(
        "`start`: expected {want} numbers, found {got}. Give {d} coefficients and the intercept{}.",
        if *hyperplanes > 1 { format!(" of each of the {hyperplanes} hyperplanes") } else { String::new() }
    )]
    StartLength {
        /// Numbers given.
        got: usize,
        /// Numbers expected.
        want: usize,
        /// Number of features.
        d: usize,
        /// Number of hyperplanes.
        hyperplanes: usize,
    },
    /// A threshold for more than two classes.
    #[error(
        "`threshold` requires two classes, found {k}. Merge classes with `label-map` OLD=NEW, or \
         use `abstain`, which works with any number of classes."
    )]
    ThresholdOfMany {
        /// Number of classes.
        k: usize,
    },
    /// A positive class of more than two.
    #[error("{}: `positive` requires two classes, found {k}", literal(.data))]
    PositiveOfMany {
        /// Name of the data.
        data: String,
        /// Number of classes.
        k: usize,
    },
    /// Inference on more than two classes.
    #[error(
        "{}: inference requires two classes, found {k}. Name one with `positive` to test it \
         against the rest.",
        literal(.data)
    )]
    InferenceOfMany {
        /// Name of the data.
        data: String,
        /// Number of classes.
        k: usize,
    },
    /// Hyperplanes without a first step.
    #[error(
        "{}: {} before {left} of {} {} were started ({}). {}",
        literal(.data),
        if *time { "`timeout` reached" } else { "interrupted" },
        grouped(*all as u64),
        if *all == 1 { "hyperplane" } else { "hyperplanes" },
        literal(.hyperplanes),
        if *time {
            "Increase `timeout`, or save the model as it is with `force`."
        } else {
            "Run it again, or save the model as it is with `force`."
        }
    )]
    NotStarted {
        /// Name of the data.
        data: String,
        /// Whether the time limit was reached.
        time: bool,
        /// Number of hyperplanes that were not started.
        left: usize,
        /// Number of hyperplanes.
        all: usize,
        /// Names of the first of them.
        hyperplanes: String,
    },
    /// A run that overflowed before it improved on its starting point.
    #[error(
        "training diverged in epoch {} without improving on the starting point; no model was \
         saved. Reduce `eta`, remove `eta` and `schedule` to select the step length automatically, \
         or standardize the features.",
        grouped(*epoch)
    )]
    Diverged {
        /// The epoch.
        epoch: u64,
    },
    /// A fit with inference that has no estimate.
    #[error("{}: {why}", literal(.data))]
    NoEstimate {
        /// Name of the data.
        data: String,
        /// The reason.
        why: MissingEstimate,
    },
}

impl Refusal {
    /// Whether the request is at fault, and not the data.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            Self::InferenceOfMany { .. }
                | Self::NotStarted { .. }
                | Self::Diverged { .. }
                | Self::NoEstimate { .. }
        )
    }
}

/// A count with its digits in groups of three, from five digits on.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
