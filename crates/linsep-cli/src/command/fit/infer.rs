//! `linsep fit --infer`: how sure are the coefficients?

use super::existence::{self, Existence};
use crate::command::separable::against_rest;
use crate::failure::Failure;
use crate::lists::{List, all};
use crate::method::MethodArgs;
use clap::Args;
use linsep::StopReason;
use linsep::certify::SeparationKind;
use linsep::infer::{Intervals, Settings, StandardErrors};
use linsep::learner::{Fit, LogisticInference};
use linsep_io::model_file::Inference;
use linsep_io::recipe::Reference;
use linsep_io::{Input, Recipe, TrainingData, TrainingSettings};

/// What would make the numbers mean something else, or has nothing to say here.
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

/// How sure the coefficients are
#[derive(Args)]
#[command(next_help_heading = "Inference")]
pub struct InferArgs {
    /// Unpenalized logistic regression with standard errors and tests
    #[arg(long, conflicts_with_all = NOT_WITH)]
    infer: bool,

    /// The same by Firth's penalized likelihood, which exists for separated classes and is less
    /// biased for few rows
    #[arg(long, conflicts_with_all = NOT_WITH, hide_short_help = true)]
    firth: bool,

    /// Level of the intervals [default: 0.95]
    #[arg(long, value_name = "LEVEL", hide_short_help = true, allow_negative_numbers = true)]
    level: Option<f64>,

    /// Where intervals come from: standard errors or the likelihood
    /// [default: auto, the likelihood where that is quick]
    #[arg(long, value_name = "KIND", hide_short_help = true, value_parser = Intervals::ALL.map(Intervals::name))]
    intervals: Option<String>,

    /// Standard errors that hold if the model does, or robust ones [default: model]
    #[arg(long = "standard-errors", value_name = "KIND", hide_short_help = true, value_parser = StandardErrors::ALL.map(StandardErrors::name))]
    errors: Option<String>,

    /// Compare the words of a column with this one [default: the first]
    #[arg(long, value_name = "COLUMN=LEVEL,…", hide_short_help = true)]
    reference: Vec<List>,
}

impl InferArgs {
    /// What is asked about coefficients, if anything is.
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
                    Err(Failure::Usage(format!("{flag} goes with --infer or --firth")))
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

    /// Makes ready for what is asked: two classes, words that others are compared with, units.
    pub(super) fn prepare<'a>(
        &self,
        asked: Settings,
        training: &mut TrainingData,
        positive: Option<&'a str>,
        name: &'a str,
    ) -> Result<Inferring<'a>, Failure> {
        if let Some(class) = positive {
            against_rest(training, class)?;
        }
        let k = training.labels.k();
        if k > 2 {
            return Err(Failure::Refused(format!(
                "{name} has {k} classes, and inference is about two: name one of them with --positive, and it is told from all others"
            )));
        }
        let references = training.recipe.references(&all(&self.reference))?;
        let groups = references.iter().filter(|own| own.features.len() > 2);
        let mut settings = asked;
        settings.excluded_columns = references.iter().map(|own| own.feature).collect();
        settings.joint_groups = groups.map(|own| own.features.clone().collect()).collect();
        settings.units = training.recipe.standardize();
        Ok(Inferring { learner: LogisticInference { settings }, references, positive, name })
    }
}

/// A fit that says how sure its coefficients are.
pub(super) struct Inferring<'a> {
    pub(super) learner: LogisticInference,
    references: Vec<Reference>,
    /// The class that is told from all others, if one was named.
    pub(super) positive: Option<&'a str>,
    name: &'a str,
}

impl Inferring<'_> {
    /// What is known of the coefficients, for the model file.
    pub(super) fn known(&self, fit: &Fit, recipe: &Recipe) -> Option<Inference> {
        let positive = &fit.model.classes()[1];
        let known = fit.inference.as_ref()?;
        Some(Inference::new(known, recipe, &self.references, positive))
    }

    /// Refuses where nothing can be said about coefficients: the classes can be separated, or the
    /// search did not end. The data as they were read are used up where there is nothing else to
    /// ask them.
    pub(super) fn judge(
        &self,
        fit: &Fit,
        raw: &mut Option<Input>,
        settings: &TrainingSettings,
        timeout: Option<f64>,
    ) -> Result<(), Failure> {
        if fit.inference.is_some() {
            // By maximum likelihood, that says that the classes are not separated.
            raw.take_if(|_| !self.learner.settings.firth);
            return Ok(());
        }
        let refused = |text: &str| Err(Failure::Refused(format!("{}: {text}", self.name)));
        match (fit.stop, raw.take()) {
            (StopReason::Interrupted | StopReason::TimeLimit, _) => refused(
                "the time ended before the maximum of the likelihood was found: give --timeout more, or leave columns out",
            ),
            (StopReason::NoMinimum | StopReason::Diverged, Some(raw))
                if !self.learner.settings.firth =>
            {
                refused(&why(&existence::judge(raw, settings, self.positive, timeout)?))
            }
            _ => refused(
                "the search for the maximum of the likelihood came to no end: leave columns out that depend on others",
            ),
        }
    }
}

/// What a verdict means for the likelihood.
fn why(found: &Existence) -> String {
    let firth = "Firth's penalized likelihood has one: --firth";
    match found.verdict() {
        SeparationKind::Complete => format!(
            "a plane separates the classes completely, so the likelihood has no maximum: the estimates are infinite, and there are \
             no standard errors, tests or intervals of them. {firth}. (See linsep separable.)"
        ),
        SeparationKind::QuasiComplete => format!(
            "the classes are quasi-completely separated, so the likelihood has no maximum: {}, and there are no standard errors, \
             tests or intervals. {firth}; or leave such columns out with --drop. (See linsep separable.)",
            found.infinite_in_words()
        ),
        SeparationKind::Overlap => format!(
            "no plane separates the classes, so the likelihood has a maximum, but it is further away than doubles reach. {firth}"
        ),
        SeparationKind::Undecided => format!(
            "no maximum of the likelihood was found, and it could not be settled whether the classes can be separated. {firth}"
        ),
    }
}
