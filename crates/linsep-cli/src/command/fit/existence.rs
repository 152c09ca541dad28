//! Existence of the maximum-likelihood estimate, which inference requires.

use super::separation::{column_name, is_small, named_coefficients, raw_data, text_name};
use crate::failure::Failure;
use crate::progress::Progress;
use linsep::certify::separation::{Divergence, Limits, separate, separate_if_small};
use linsep::certify::{Separation, SeparationKind};
use linsep::infer::Settings;
use linsep::{Input, Recipe, TrainingData, TrainingSettings};
use linsep::{Label, Problem};
use serde_json::{Value, json};

/// The kind of separation, and the columns with infinite estimates.
pub(super) struct Existence {
    verdict: SeparationKind,
    infinite: Vec<(String, Divergence)>,
}

/// Whether the existence check needs the raw data: always for maximum likelihood, for Firth's
/// likelihood only if the data are small.
pub(super) fn needs_raw_data(settings: &Settings, input: &Input) -> bool {
    !settings.firth || is_small(input)
}

/// Checks separation within a small time; `None` for overlap or if undecided.
pub(super) fn of(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
    timeout: Option<f64>,
) -> Result<Option<Existence>, Failure> {
    let (mut training, side) = one_vs_rest(input, settings, positive)?;
    let weights = training.weights.take();
    let Ok(problem) = Problem::new(&training.x, &training.labels, weights) else {
        return Ok(None); // the fit reports the error
    };
    let Ok(Some(answer)) =
        separate_if_small(&problem, side, &mut Progress::within("separation", timeout))
    else {
        return Ok(None);
    };
    let separated =
        matches!(answer.verdict, SeparationKind::Complete | SeparationKind::QuasiComplete);
    Ok(separated.then(|| Existence::new(&answer, &training.recipe)))
}

/// Decides the kind of separation, which explains a missing estimate.
pub(super) fn separation(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
    timeout: Option<f64>,
) -> Result<Existence, Failure> {
    let (mut training, side) = one_vs_rest(input, settings, positive)?;
    let weights = training.weights.take();
    let problem = Problem::new(&training.x, &training.labels, weights)?;
    let limits = Limits { margin: false, ..Limits::default() };
    let answer = separate(&problem, side, &limits, &mut Progress::within("separation", timeout))?;
    Ok(Existence::new(&answer, &training.recipe))
}

/// The unstandardized data, one-vs-rest for `positive`, and the position of that class.
fn one_vs_rest(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
) -> Result<(TrainingData, Option<usize>), Failure> {
    let mut training = raw_data(input, settings)?;
    if let Some(class) = positive {
        training.against_rest(&Label::parse(class))?;
    }
    let classes = training.labels.classes();
    let side = positive.and_then(|word| classes.binary_search(&Label::parse(word)).ok());
    Ok((training, side))
}

impl Existence {
    fn new(answer: &Separation, recipe: &Recipe) -> Self {
        let features = recipe.features();
        let infinite = answer.infinite.iter();
        let infinite = infinite.map(|one| (column_name(&features, one.column), one.divergence));
        Self { verdict: answer.verdict, infinite: infinite.collect() }
    }

    pub(super) fn verdict(&self) -> SeparationKind {
        self.verdict
    }

    pub(super) fn json(&self) -> Value {
        let columns: Vec<&str> = self.infinite.iter().map(|(name, _)| name.as_str()).collect();
        json!({ "verdict": self.verdict.name(), "infinite": columns })
    }

    /// The infinite estimates, with their signs if determined.
    pub(super) fn infinite_estimates(&self) -> String {
        self.list(|name, divergence| match divergence {
            Divergence::Plus => format!("{name} (+∞)"),
            Divergence::Minus => format!("{name} (−∞)"),
            Divergence::Undetermined => format!("{name} (sign undetermined)"),
            Divergence::Undecided => name.to_owned(),
        })
    }

    /// The note beside Firth's estimates.
    pub(super) fn beside_firth(&self) -> String {
        let separation = match self.verdict {
            SeparationKind::Complete => {
                "complete separation: all maximum-likelihood estimates are infinite".to_owned()
            }
            _ => format!(
                "quasi-complete separation: by maximum likelihood {}",
                self.list(|name, _| name.to_owned())
            ),
        };
        format!("{separation}; Firth's estimates are finite")
    }

    /// Columns with an infinite estimate on every sequence that approaches the supremum; if there
    /// is none, on some sequence.
    fn list(&self, show: impl Fn(&str, Divergence) -> String) -> String {
        let fixed =
            |divergence: &Divergence| matches!(divergence, Divergence::Plus | Divergence::Minus);
        let sure = self.infinite.iter().any(|(_, divergence)| fixed(divergence));
        let named = self.infinite.iter().filter(|(_, divergence)| !sure || fixed(divergence));
        let names: Vec<String> =
            named.map(|(name, divergence)| show(text_name(name), *divergence)).collect();
        let (coefficients, verb) = named_coefficients(&names, sure);
        format!("{coefficients} {verb} infinite")
    }
}
