//! Whether a fit without a penalty has anything to end at.

use crate::progress::Progress;
use linsep::certify::separation::{Divergence, InfiniteCoefficient};
use linsep::certify::{Separation, SeparationKind};
use linsep::learner::{Fit, Learner, SeparationEffect, separation_effect, separation_effects};
use linsep::{Label, Problem, StopReason};
use linsep_io::{Input, TrainingData, TrainingSettings};
use serde_json::{Value, json};

/// That classes can be separated, so that the criterion has no optimum, or many.
pub(super) struct Separated {
    optimum: SeparationEffect,
    /// Of each hyperplane's problem that can be separated, or of all hyperplanes together.
    parts: Vec<Part>,
    /// How many hyperplanes were asked about.
    of: usize,
}

struct Part {
    /// Which hyperplane it is, of several.
    hyperplane: usize,
    verdict: SeparationKind,
    /// Columns with an infinite coefficient, or some of which have one.
    infinite: Vec<String>,
    /// Whether all of them do.
    sure: bool,
}

/// Few enough numbers to ask in passing.
pub(super) fn is_small(input: &Input) -> bool {
    const SMALL: usize = 1_000_000;
    let numbers = match input {
        Input::Table(table) => table.rows.saturating_mul(table.columns.len()),
        Input::Sparse(sparse) => sparse.indices.len(),
    };
    numbers <= SMALL
}

/// The numbers as they are: standardizing rounds, and a verdict is exact.
pub(super) fn as_they_are(
    input: Input,
    settings: &TrainingSettings,
) -> Result<TrainingData, linsep_io::Error> {
    let mut settings = settings.clone();
    settings.recipe.standardize = false;
    TrainingData::new(input, &settings)
}

/// Names of columns, the bias among them.
pub(super) fn column_name(features: &[String], column: Option<usize>) -> String {
    column.map_or_else(|| "(bias)".to_owned(), |j| features[j].clone())
}

/// Coefficients by name, and the verb that goes with them; if it is not sure that all are meant,
/// some of them.
pub(super) fn coefficients(names: &[String], sure: bool) -> (String, &'static str) {
    const SHOWN: usize = 8;
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (what, verb) = match names.len() {
        _ if !sure => ("some coefficients", "are"),
        1 => ("the coefficient", "is"),
        _ => ("the coefficients", "are"),
    };
    (format!("{what} of {}{more}", names[..names.len().min(SHOWN)].join(", ")), verb)
}

/// Asks where that is worth it: a criterion that separation matters for, few numbers.
pub(super) fn of(
    learner: &dyn Learner,
    input: &Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
    timeout: Option<f64>,
) -> Result<Option<Separated>, linsep_io::Error> {
    if !is_small(input) || learner.as_reduced().and_then(separation_effect).is_none() {
        return Ok(None);
    }
    let mut training = as_they_are(input.clone(), settings)?;
    let weights = training.weights.take();
    // What is wrong with the data or with the class asked for is for the fit to say.
    let Ok(problem) = Problem::new(&training.x, &training.labels, weights) else { return Ok(None) };
    let positive = positive.and_then(|class| problem.class(&Label::parse(class)).ok());
    let mut watch = Progress::new("separation", timeout);
    let answer = learner
        .as_reduced()
        .map(|reduced| separation_effects(reduced, &problem, positive, &mut watch));
    let Some(Ok(Some(answer))) = answer else { return Ok(None) };
    let features = training.recipe.features();
    let part = |(hyperplane, one): (usize, &Option<Separation>)| {
        let one = one.as_ref()?;
        let fixed = |one: &&InfiniteCoefficient| {
            matches!(one.divergence, Divergence::Plus | Divergence::Minus)
        };
        let sure = one.infinite.iter().any(|one| fixed(&one));
        let mut infinite: Vec<String> = Vec::new();
        for one in one.infinite.iter().filter(|one| !sure || fixed(one)) {
            let name = column_name(&features, one.column);
            if !infinite.contains(&name) {
                infinite.push(name);
            }
        }
        matches!(one.verdict, SeparationKind::Complete | SeparationKind::QuasiComplete)
            .then_some(Part { hyperplane, verdict: one.verdict, infinite, sure })
    };
    let parts: Vec<Part> = answer.list.iter().enumerate().filter_map(part).collect();
    let (optimum, of) = (answer.optimum, answer.list.len());
    Ok((!parts.is_empty()).then_some(Separated { optimum, parts, of }))
}

impl Separated {
    /// Where there is no optimum, a run that ended because its gradient was small enough, or no
    /// step was good, did not come near to it.
    pub(super) fn correct(&self, fit: &mut Fit) {
        if self.optimum != SeparationEffect::None {
            return;
        }
        let there = |stop: StopReason| matches!(stop, StopReason::Optimal | StopReason::Stalled);
        for part in &self.parts {
            if let Some(run) = fit.runs.get_mut(part.hyperplane).filter(|run| there(run.stop)) {
                run.stop = StopReason::NoMinimum;
            }
        }
        if there(fit.stop) {
            fit.stop = StopReason::NoMinimum;
        }
    }

    /// The verdict, or those of the hyperplanes that have one.
    pub(super) fn json(&self, hyperplanes: &[String]) -> Value {
        let optimum = match self.optimum {
            SeparationEffect::None => "none",
            SeparationEffect::Many => "many",
        };
        let mut json = match &self.parts[..] {
            [part] if self.of == 1 => {
                json!({ "verdict": part.verdict.name(), "infinite": part.infinite })
            }
            parts => {
                let one = |part: &Part| {
                    let verdict = part.verdict.name();
                    json!({ "plane": hyperplanes[part.hyperplane], "verdict": verdict, "infinite": part.infinite })
                };
                json!({ "planes": parts.iter().map(one).collect::<Vec<_>>() })
            }
        };
        json["optimum"] = json!(optimum);
        json
    }

    /// In words, a line each.
    pub(super) fn text(&self, hyperplanes: &[String]) -> Vec<String> {
        const SHOWN: usize = 5;
        let line = |part: &Part| {
            let text = part.text(self.optimum);
            if self.of == 1 {
                text
            } else {
                format!("plane of {}: {text}", hyperplanes[part.hyperplane])
            }
        };
        let mut lines: Vec<String> = self.parts.iter().take(SHOWN).map(line).collect();
        if self.parts.len() > SHOWN {
            lines.push(format!("the same goes for {} more planes", self.parts.len() - SHOWN));
        }
        lines
    }
}

impl Part {
    fn text(&self, optimum: SeparationEffect) -> String {
        if self.verdict == SeparationKind::Complete {
            return match optimum {
                SeparationEffect::None => "the classes can be separated completely, so there is no optimum: weights grow for ever",
                SeparationEffect::Many => "the classes can be separated completely, so the least value is 0 and many planes have it",
            }
            .to_owned();
        }
        let (what, verb) = coefficients(&self.infinite, self.sure);
        match optimum {
            SeparationEffect::None => format!(
                "quasi-complete separation, so there is no optimum: {what} {verb} infinite (see linsep separable)"
            ),
            SeparationEffect::Many => format!(
                "quasi-complete separation, so the optimum is not the only one: {what} can grow for ever at no cost"
            ),
        }
    }
}
