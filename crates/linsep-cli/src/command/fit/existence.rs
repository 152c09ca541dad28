//! Whether the likelihood has a maximum: what inference has to know.

use super::separation::{as_they_are, coefficients, column_name, is_small};
use crate::command::separable::against_rest;
use crate::failure::Failure;
use crate::progress::Progress;
use linsep::certify::separation::{Divergence, Limits, separate, separate_if_small};
use linsep::certify::{Separation, SeparationKind};
use linsep::infer::Settings;
use linsep::{Label, Problem};
use linsep_io::{Input, Recipe, TrainingData, TrainingSettings};
use serde_json::{Value, json};

/// A verdict, and the columns with an infinite coefficient.
pub(super) struct Existence {
    verdict: SeparationKind,
    infinite: Vec<(String, Divergence)>,
}

/// Whether the data as they were read are needed: by maximum likelihood always, beside Firth's
/// where there are few numbers.
pub(super) fn wanted(asked: &Settings, input: &Input) -> bool {
    !asked.firth || is_small(input)
}

/// Asks in passing: nothing where the classes cannot be separated, or that is not settled at once.
pub(super) fn of(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
    timeout: Option<f64>,
) -> Result<Option<Existence>, Failure> {
    let (mut training, side) = against(input, settings, positive)?;
    let weights = training.weights.take();
    let Ok(problem) = Problem::new(&training.x, &training.labels, weights) else {
        return Ok(None); // the fit has said so
    };
    let Ok(Some(answer)) =
        separate_if_small(&problem, side, &mut Progress::new("separation", timeout))
    else {
        return Ok(None);
    };
    let separated =
        matches!(answer.verdict, SeparationKind::Complete | SeparationKind::QuasiComplete);
    Ok(separated.then(|| Existence::new(&answer, &training.recipe)))
}

/// Asks for a verdict, which says why there is no maximum.
pub(super) fn judge(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
    timeout: Option<f64>,
) -> Result<Existence, Failure> {
    let (mut training, side) = against(input, settings, positive)?;
    let weights = training.weights.take();
    let problem = Problem::new(&training.x, &training.labels, weights)?;
    let limits = Limits { margin: false, ..Limits::default() };
    let answer = separate(&problem, side, &limits, &mut Progress::new("separation", timeout))?;
    Ok(Existence::new(&answer, &training.recipe))
}

/// The numbers as they are, one class against all others where it was named, and where that stands.
fn against(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
) -> Result<(TrainingData, Option<usize>), Failure> {
    let mut training = as_they_are(input, settings)?;
    if let Some(class) = positive {
        against_rest(&mut training, class)?;
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

    /// Which coefficients are infinite, with their signs where they have one.
    pub(super) fn infinite_in_words(&self) -> String {
        self.list(|name, toward| match toward {
            Divergence::Plus => format!("{name} (+∞)"),
            Divergence::Minus => format!("{name} (−∞)"),
            Divergence::Undetermined => format!("{name} (either way)"),
            Divergence::Undecided => name.to_owned(),
        })
    }

    /// In words beside Firth's estimate.
    pub(super) fn beside_firth(&self) -> String {
        let what = match self.verdict {
            SeparationKind::Complete => {
                "the classes can be separated completely: all estimates are infinite".to_owned()
            }
            _ => format!(
                "the classes are quasi-completely separated: {}",
                self.list(|name, _| name.to_owned())
            ),
        };
        format!("without Firth's penalty the likelihood has no maximum, as {what}")
    }

    /// Those that are infinite on every way to the supremum; where there is none, those that are on
    /// some.
    fn list(&self, show: impl Fn(&str, Divergence) -> String) -> String {
        let fixed = |toward: &Divergence| matches!(toward, Divergence::Plus | Divergence::Minus);
        let sure = self.infinite.iter().any(|(_, toward)| fixed(toward));
        let named = self.infinite.iter().filter(|(_, toward)| !sure || fixed(toward));
        let names: Vec<String> = named.map(|(name, toward)| show(name, *toward)).collect();
        let (what, verb) = coefficients(&names, sure);
        format!("{what} {verb} infinite")
    }
}
