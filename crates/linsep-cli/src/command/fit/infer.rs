//! `linsep fit --infer`: standard errors, tests and confidence intervals of the coefficients.

use super::existence::{self, Existence};
use crate::failure::Failure;
use crate::lists::{List, all};
use crate::method::MethodArgs;
use clap::Args;
use linsep::StopReason;
use linsep::certify::SeparationKind;
use linsep::infer::{Intervals, Settings, StandardErrors};
use linsep::learner::{Fit, LogisticInference};
use linsep::model_file::Inference;
use linsep::recipe::Reference;
use linsep::{Input, Recipe, TrainingData, TrainingSettings};

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
    pub(super) fn settings(&self, method: &MethodArgs) -> Result<Option<Settings>, Failure> {
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
        method.for_inference()?;
        let own = Settings::default();
        let settings = Settings {
            firth: self.firth,
            level: self.level.unwrap_or(own.level),
            intervals: self.intervals.as_deref().map_or(Ok(own.intervals), str::parse)?,
            standard_errors: self.errors.as_deref().map_or(Ok(own.standard_errors), str::parse)?,
            ..own
        };
        settings.check()?;
        Ok(Some(settings))
    }

    /// Prepares the data: two classes, reference levels, raw units.
    pub(super) fn prepare<'a>(
        &self,
        settings: Settings,
        training: &mut TrainingData,
        positive: Option<&'a str>,
        name: &'a str,
    ) -> Result<InferenceSetup<'a>, Failure> {
        if let Some(class) = positive {
            training.against_rest(&linsep::Label::parse(class))?;
        }
        let k = training.labels.k();
        if k > 2 {
            return Err(Failure::Refused(format!(
                "{name}: inference requires two classes, found {k}. Name one with --positive to test it against the rest."
            )));
        }
        let references = training.recipe.references(&all(&self.reference))?;
        let groups = references.iter().filter(|own| own.features.len() > 2);
        let mut settings = settings;
        settings.excluded_columns = references.iter().map(|own| own.feature).collect();
        settings.joint_groups = groups.map(|own| own.features.clone().collect()).collect();
        settings.units = training.recipe.standardize();
        Ok(InferenceSetup { learner: LogisticInference { settings }, references, positive, name })
    }
}

/// The learner and the coding of a fit with inference.
pub(super) struct InferenceSetup<'a> {
    pub(super) learner: LogisticInference,
    references: Vec<Reference>,
    /// The class tested against the rest, with `--positive`.
    pub(super) positive: Option<&'a str>,
    name: &'a str,
}

impl InferenceSetup<'_> {
    /// The estimates and tests for the model file.
    pub(super) fn record(&self, fit: &Fit, recipe: &Recipe) -> Option<Inference> {
        let positive = &fit.model.classes()[1];
        let estimates = fit.inference.as_ref()?;
        Some(Inference::new(estimates, recipe, &self.references, positive))
    }

    /// Refuses a fit without estimates: the classes are separable, or the solver did not converge.
    /// Consumes the raw data if no existence check is needed later.
    pub(super) fn require_estimates(
        &self,
        fit: &Fit,
        raw: &mut Option<Input>,
        settings: &TrainingSettings,
        timeout: Option<f64>,
    ) -> Result<(), Failure> {
        if fit.inference.is_some() {
            // A maximum-likelihood estimate exists only for classes that overlap.
            raw.take_if(|_| !self.learner.settings.firth);
            return Ok(());
        }
        let refused = |text: &str| Err(Failure::Refused(format!("{}: {text}", self.name)));
        match (fit.stop, raw.take()) {
            (StopReason::Interrupted | StopReason::TimeLimit, _) => refused(
                "training ended before the maximum-likelihood estimate was found. Increase --timeout, or drop columns.",
            ),
            (StopReason::NoMinimum | StopReason::Diverged, Some(raw))
                if !self.learner.settings.firth =>
            {
                refused(&why(&existence::separation(raw, settings, self.positive, timeout)?))
            }
            _ => refused(
                "the solver did not converge to the maximum-likelihood estimate. Drop columns that are nearly linear combinations of others.",
            ),
        }
    }
}

/// The message about the likelihood for a kind of separation.
fn why(found: &Existence) -> String {
    let firth = "Use --firth, whose estimates are finite";
    match found.verdict() {
        SeparationKind::Complete => format!(
            "complete separation: no finite maximum-likelihood estimate, so no standard errors, tests or intervals. \
             {firth}. (See linsep separable.)"
        ),
        SeparationKind::QuasiComplete => format!(
            "quasi-complete separation: no finite maximum-likelihood estimate ({}), so no standard errors, tests or \
             intervals. {firth}, or drop these columns with --drop. (See linsep separable.)",
            found.infinite_estimates()
        ),
        SeparationKind::Overlap => format!(
            "overlap: the maximum-likelihood estimate exists, but is too large for double precision. {firth}."
        ),
        SeparationKind::Undecided => format!(
            "no maximum-likelihood estimate was found, and separation is undecided. {firth}."
        ),
    }
}
