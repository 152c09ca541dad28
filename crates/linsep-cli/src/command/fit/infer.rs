//! `linsep fit --infer`: options of standard errors, tests and confidence intervals.

use crate::failure::Failure;
use crate::lists::{List, all};
use clap::Args;
use linsep::core::infer::{Intervals, StandardErrors};
use linsep::jobs::fit::InferenceSettings;

/// Options that invalidate inference, or do not apply to it.
const NOT_WITH: [&str; 8] = [
    "path",
    "explain_solver",
    "explain_multiclass",
    "no_standardize",
    "tune",
    "calibrate",
    "threshold",
    "abstain",
];

/// Standard errors and tests
#[derive(Args)]
#[command(next_help_heading = "Inference")]
pub struct InferArgs {
    /// Unpenalized logistic regression with standard errors and tests
    #[arg(long, conflicts_with_all = NOT_WITH)]
    infer: bool,

    /// As --infer, by Firth's penalized likelihood: finite for separated classes, less biased for
    /// few rows
    #[arg(long, conflicts_with_all = NOT_WITH, hide_short_help = true)]
    firth: bool,

    /// Confidence level of the intervals [default: 0.95]
    #[arg(long, value_name = "LEVEL", hide_short_help = true, allow_negative_numbers = true)]
    level: Option<f64>,

    /// Confidence intervals: Wald or profile likelihood [default: auto, profile if it is fast]
    #[arg(long, value_name = "KIND", hide_short_help = true, value_parser = Intervals::ALL.map(Intervals::name))]
    intervals: Option<String>,

    /// Standard errors: model-based or robust (sandwich) [default: model]
    #[arg(long = "standard-errors", value_name = "KIND", hide_short_help = true, value_parser = StandardErrors::ALL.map(StandardErrors::name))]
    errors: Option<String>,

    /// Reference level of a categorical column [default: the first]
    #[arg(long, value_name = "COLUMN=LEVEL,…", hide_short_help = true)]
    reference: Vec<List>,
}

impl InferArgs {
    /// The settings of inference, with `--infer` or `--firth`.
    pub(super) fn settings(&self) -> Result<Option<InferenceSettings>, Failure> {
        if !(self.infer || self.firth) {
            let given = [
                ("--level", self.level.is_some()),
                ("--intervals", self.intervals.is_some()),
                ("--standard-errors", self.errors.is_some()),
                ("--reference", !self.reference.is_empty()),
            ];
            return match given.iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((flag, _)) => {
                    Err(Failure::Usage(format!("{flag} requires --infer or --firth")))
                }
            };
        }
        let own = InferenceSettings::default();
        Ok(Some(InferenceSettings {
            firth: self.firth,
            level: self.level.unwrap_or(own.level),
            intervals: self.intervals.as_deref().map_or(Ok(own.intervals), str::parse)?,
            standard_errors: self.errors.as_deref().map_or(Ok(own.standard_errors), str::parse)?,
            references: all(&self.reference),
        }))
    }
}
