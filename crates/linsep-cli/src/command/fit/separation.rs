//! Separation of the classes, and its effect on the minimizer of an unpenalized objective.

use crate::progress::Progress;
use linsep::certify::separation::{Divergence, InfiniteCoefficient, SMALL};
use linsep::certify::{Separation, SeparationKind};
use linsep::learner::{Fit, Learner, SeparationEffect, separation_effect, separation_effects};
use linsep::{Input, TrainingData, TrainingSettings};
use linsep::{Label, Problem, StopReason};
use serde_json::{Value, json};

/// Separable classes, for which the objective has no minimizer, or many.
pub(super) struct Separated {
    effect: SeparationEffect,
    /// Problems with separable classes: one per hyperplane, or one for joint training.
    parts: Vec<SeparablePart>,
    /// Problems that were checked.
    of: usize,
}

struct SeparablePart {
    /// Position of the hyperplane.
    hyperplane: usize,
    verdict: SeparationKind,
    /// Columns with an infinite coefficient; if not `sure`, some of these columns have one.
    infinite: Vec<String>,
    /// Whether every column of the list has an infinite coefficient.
    sure: bool,
}

/// Name of the intercept among the columns, in JSON.
const BIAS: &str = "(bias)";

/// Whether the data are small enough for a separation check during a fit.
pub(super) fn is_small(input: &Input) -> bool {
    let numbers = match input {
        Input::Table(table) => table.rows.saturating_mul(table.columns.len()),
        Input::Sparse(sparse) => sparse.indices.len(),
    };
    numbers <= SMALL
}

/// The unstandardized data: standardization rounds, and the separation check is exact.
pub(super) fn raw_data(
    input: Input,
    settings: &TrainingSettings,
) -> Result<TrainingData, linsep::Error> {
    let mut settings = settings.clone();
    settings.recipe.standardize = false;
    TrainingData::new(input, &settings)
}

/// The name of a column in JSON; `None` is the intercept.
pub(super) fn column_name(features: &[String], column: Option<usize>) -> String {
    column.map_or_else(|| BIAS.to_owned(), |j| features[j].clone())
}

/// The name of a column in text.
pub(super) fn text_name(name: &str) -> &str {
    if name == BIAS { "(intercept)" } else { name }
}

/// A noun phrase for the coefficients of these columns, or for some of them if not `sure`, and its
/// verb.
pub(super) fn named_coefficients(names: &[String], sure: bool) -> (String, &'static str) {
    const SHOWN: usize = 8;
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (noun, verb) = match names.len() {
        _ if !sure => ("some coefficients", "are"),
        1 => ("the coefficient", "is"),
        _ => ("the coefficients", "are"),
    };
    (format!("{noun} of {}{more}", names[..names.len().min(SHOWN)].join(", ")), verb)
}

/// Checks separation if it affects the minimizer and the data are small.
pub(super) fn of(
    learner: &dyn Learner,
    input: &Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
    timeout: Option<f64>,
) -> Result<Option<Separated>, linsep::Error> {
    if !is_small(input) || learner.as_reduced().and_then(separation_effect).is_none() {
        return Ok(None);
    }
    let mut training = raw_data(input.clone(), settings)?;
    let weights = training.weights.take();
    // Errors in the data or in the name of the class are reported by the fit.
    let Ok(problem) = Problem::new(&training.x, &training.labels, weights) else { return Ok(None) };
    let positive = positive.and_then(|class| problem.class(&Label::parse(class)).ok());
    let mut progress = Progress::within("separation", timeout);
    let answer = learner
        .as_reduced()
        .map(|reduced| separation_effects(reduced, &problem, positive, &mut progress));
    let Some(Ok(Some(answer))) = answer else { return Ok(None) };
    let features = training.recipe.features();
    let separable = |(hyperplane, one): (usize, &Option<Separation>)| {
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
            .then_some(SeparablePart { hyperplane, verdict: one.verdict, infinite, sure })
    };
    let parts: Vec<SeparablePart> = answer.list.iter().enumerate().filter_map(separable).collect();
    let (effect, of) = (answer.optimum, answer.list.len());
    Ok((!parts.is_empty()).then_some(Separated { effect, parts, of }))
}

impl Separated {
    /// Sets the status `no-minimum` where the objective has no minimizer: a small gradient or a
    /// stalled run is then no sign of convergence.
    pub(super) fn correct(&self, fit: &mut Fit) {
        if self.effect != SeparationEffect::None {
            return;
        }
        let converged =
            |stop: StopReason| matches!(stop, StopReason::Optimal | StopReason::Stalled);
        for part in &self.parts {
            if let Some(run) = fit.runs.get_mut(part.hyperplane).filter(|run| converged(run.stop)) {
                run.stop = StopReason::NoMinimum;
            }
        }
        if converged(fit.stop) {
            fit.stop = StopReason::NoMinimum;
        }
    }

    /// The kind of separation, or a list by hyperplane.
    pub(super) fn json(&self, hyperplanes: &[String]) -> Value {
        let optimum = match self.effect {
            SeparationEffect::None => "none",
            SeparationEffect::Many => "many",
        };
        let mut json = match &self.parts[..] {
            [part] if self.of == 1 => {
                json!({ "verdict": part.verdict.name(), "infinite": part.infinite })
            }
            parts => {
                let one = |part: &SeparablePart| {
                    let verdict = part.verdict.name();
                    json!({ "plane": hyperplanes[part.hyperplane], "verdict": verdict, "infinite": part.infinite })
                };
                json!({ "planes": parts.iter().map(one).collect::<Vec<_>>() })
            }
        };
        json["optimum"] = json!(optimum);
        json
    }

    /// One line per separable problem.
    pub(super) fn text(&self, hyperplanes: &[String]) -> Vec<String> {
        const SHOWN: usize = 5;
        let line = |part: &SeparablePart| {
            let text = part.text(self.effect);
            if self.of == 1 {
                text
            } else {
                format!("class {}: {text}", hyperplanes[part.hyperplane])
            }
        };
        let mut lines: Vec<String> = self.parts.iter().take(SHOWN).map(line).collect();
        if self.parts.len() > SHOWN {
            lines.push(format!(
                "{} more hyperplanes have separable classes",
                self.parts.len() - SHOWN
            ));
        }
        lines
    }
}

impl SeparablePart {
    fn text(&self, effect: SeparationEffect) -> String {
        if self.verdict == SeparationKind::Complete {
            return match effect {
                SeparationEffect::None => {
                    "complete separation: the objective has no minimizer; the coefficients diverge"
                }
                SeparationEffect::Many => {
                    "complete separation: the minimum is 0, and many hyperplanes attain it"
                }
            }
            .to_owned();
        }
        let names = self.infinite.iter().map(|name| text_name(name).to_owned());
        let (coefficients, verb) = named_coefficients(&names.collect::<Vec<_>>(), self.sure);
        match effect {
            SeparationEffect::None => format!(
                "quasi-complete separation: the objective has no minimizer; {coefficients} {verb} infinite (see linsep separable)"
            ),
            SeparationEffect::Many => format!(
                "quasi-complete separation: the minimizer is not unique; {coefficients} may diverge at no cost"
            ),
        }
    }
}
