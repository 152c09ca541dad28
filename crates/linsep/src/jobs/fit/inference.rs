//! Standard errors, tests and confidence intervals: the settings, the preparation of the data, and
//! the existence of the estimate.

use super::separation::separable_problem;
use super::{Fit, InfiniteEstimates, Setup};
use crate::dataset::TrainingData;
use crate::error::Error;
use crate::model_file::{self, SeparationRecord};
use crate::recipe::Reference;
use linsep_core::certify::SeparationKind;
use linsep_core::certify::separation::{Limits, separate, separate_if_small};
use linsep_core::control::{Phase, literal};
use linsep_core::infer::{Intervals, Settings, StandardErrors};
use linsep_core::learner::{FitResult, LogisticInference};
use linsep_core::{Observer, Problem, StopReason};
use serde::{Deserialize, Serialize};

/// Settings of the inference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InferenceSettings {
    /// Whether the likelihood has Firth's penalty.
    pub firth: bool,
    /// Confidence level of the intervals.
    pub level: f64,
    /// Method of the intervals.
    pub intervals: Intervals,
    /// Estimator of the standard errors.
    pub standard_errors: StandardErrors,
    /// Reference levels of categorical columns, as `COLUMN=LEVEL`; by default the first.
    pub references: Vec<String>,
}

impl Default for InferenceSettings {
    fn default() -> Self {
        let Settings { firth, level, intervals, standard_errors, .. } = Settings::default();
        Self { firth, level, intervals, standard_errors, references: Vec::new() }
    }
}

impl InferenceSettings {
    /// The settings that do not depend on the data.
    pub(super) fn settings(&self) -> Settings {
        let Self { firth, level, intervals, standard_errors, .. } = *self;
        Settings { firth, level, intervals, standard_errors, ..Settings::default() }
    }
}

/// The learner of a fit with inference, and the coding of its columns.
pub(super) struct Inferred {
    pub(super) learner: LogisticInference,
    references: Vec<Reference>,
    /// The position of the class that is tested against the rest, if one is named.
    positive: Option<usize>,
}

impl Fit {
    /// Prepares the data for inference: two classes, reference levels, raw units.
    pub(super) fn inferred(
        &self,
        name: &str,
        training: &mut TrainingData,
    ) -> Result<Option<Inferred>, Error> {
        let Some(own) = &self.inference else { return Ok(None) };
        let positive = self.positive.as_ref();
        let positive = positive.map(|class| training.against_rest(class)).transpose()?;
        let k = training.labels.k();
        if k > 2 {
            return Err(Error::Refused(format!(
                "{}: inference requires two classes, found {k}. Name one with `positive` to test \
                 it against the rest.",
                literal(name)
            )));
        }
        let references = training.recipe.references(&own.references)?;
        let groups = references.iter().filter(|own| own.features.len() > 2);
        let settings = Settings {
            excluded_columns: references.iter().map(|own| own.feature).collect(),
            joint_groups: groups.map(|own| own.features.clone().collect()).collect(),
            units: training.recipe.standardize(),
            ..own.settings()
        };
        Ok(Some(Inferred { learner: LogisticInference { settings }, references, positive }))
    }
}

impl Inferred {
    /// The estimates and tests for the model file.
    pub(super) fn record(
        &self,
        fit: &FitResult,
        training: &TrainingData,
    ) -> Option<model_file::Inference> {
        let positive = &fit.model.classes()[1];
        let estimates = fit.inference.as_ref()?;
        Some(model_file::Inference::new(estimates, &training.recipe, &self.references, positive))
    }
}

/// The reason why there is no maximum-likelihood estimate: the likelihood has no maximum, or none
/// that is small enough.
fn no_estimate(found: &InfiniteEstimates) -> String {
    const FIRTH: &str = "Use `firth`, whose estimates are finite";
    match found.verdict {
        SeparationKind::Complete => format!(
            "complete separation: no finite maximum-likelihood estimate, so no standard errors, \
             tests or intervals. {FIRTH}. (See linsep separable.)"
        ),
        SeparationKind::QuasiComplete => format!(
            "quasi-complete separation: no finite maximum-likelihood estimate ({}), so no standard \
             errors, tests or intervals. {FIRTH}, or drop these columns with `drop`. (See linsep \
             separable.)",
            literal(&found.clause())
        ),
        SeparationKind::Overlap => format!(
            "overlap: the maximum-likelihood estimate exists, but is too large for double \
             precision. {FIRTH}."
        ),
        SeparationKind::Undecided => format!(
            "no maximum-likelihood estimate was found, and separation is undecided. {FIRTH}."
        ),
    }
}

impl Setup<'_> {
    /// Refuses a fit without estimates: the classes are separable, or the solver did not converge.
    pub(super) fn require_estimates(
        &self,
        fit: &FitResult,
        inferred: &Inferred,
        raw: Option<&Problem<'_>>,
        watch: &mut dyn Observer,
    ) -> Result<(), Error> {
        if fit.inference.is_some() {
            return Ok(());
        }
        let firth = inferred.learner.settings.firth;
        let why = match (fit.stop, raw) {
            (StopReason::Interrupted | StopReason::TimeLimit, _) => {
                "training ended before the maximum-likelihood estimate was found. Increase \
                 `timeout`, or drop columns."
                    .to_owned()
            }
            (StopReason::NoMinimum | StopReason::Diverged, Some(raw)) if !firth => {
                watch.phase(Phase::Partial(self.request.timeout));
                watch.stage("separation", None);
                let limits = Limits { margin: false, ..Limits::default() };
                let found = separate(raw, inferred.positive, &limits, watch)?;
                no_estimate(&InfiniteEstimates::new(&found, &self.training.recipe))
            }
            _ => "the solver did not converge to the maximum-likelihood estimate. Drop columns \
                  that are nearly linear combinations of others."
                .to_owned(),
        };
        Err(Error::Refused(format!("{}: {why}", literal(self.name))))
    }

    /// Separable classes beside Firth's estimates, which they leave finite; `None` for overlap, or
    /// if undecided within a small time.
    pub(super) fn separated_beside_firth(
        &self,
        inferred: Option<&Inferred>,
        raw: Option<&Problem<'_>>,
        watch: &mut dyn Observer,
    ) -> Option<SeparationRecord> {
        // A maximum-likelihood estimate exists only for classes that overlap.
        let inferred = inferred.filter(|own| own.learner.settings.firth)?;
        watch.phase(Phase::Partial(self.request.side_limit()));
        watch.stage("separation", None);
        // A separation test that fails leaves separation undecided.
        let found = separate_if_small(raw?, inferred.positive, watch).ok()??;
        let problem = separable_problem(0, &found, &self.training.recipe.features())?;
        Some(SeparationRecord { effect: None, problems: vec![problem], of: 1 })
    }
}
