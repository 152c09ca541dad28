//! Whether a fit without a penalty has anything to end at.

use crate::command::separable::against_rest;
use crate::failure::Failure;
use linsep::Problem;
use linsep::certify::separation::{Limits, quickly, separate};
use linsep::certify::{Separation, Verdict};
use linsep::infer::Settings;
use linsep::learner::Learner;
use linsep_io::{Input, Recipe, Training, TrainingSettings};
use serde_json::{Value, json};

/// That two classes can be separated, so that the likelihood has no maximum.
pub(super) struct Separated {
    verdict: Verdict,
    /// Columns with an infinite coefficient, and its sign.
    infinite: Vec<(String, bool)>,
}

/// Few enough numbers to ask in passing.
fn is_small(input: &Input) -> bool {
    const SMALL: usize = 1_000_000;
    let numbers = match input {
        Input::Table(table) => table.rows.saturating_mul(table.columns.len()),
        Input::Sparse(sparse) => sparse.indices.len(),
    };
    numbers <= SMALL
}

/// Whether it is worth asking: logistic regression without a penalty, few numbers; or inference by likelihood, which has to know.
pub(super) fn wanted(learner: &dyn Learner, asked: Option<&Settings>, input: &Input) -> bool {
    if let Some(asked) = asked {
        return !asked.firth || is_small(input);
    }
    let solver = learner.as_reduced().map(|reduced| reduced.solver.as_ref());
    let convex = solver.and_then(|solver| solver.as_convex());
    let bare = |c: &linsep::solver::Convex| {
        c.penalty == "none" && c.loss.name() == "logistic" && c.intercept
    };
    convex.is_some_and(bare) && is_small(input)
}

/// The numbers as they are: standardising rounds, and a verdict is exact.
fn as_they_are(input: Input, settings: &TrainingSettings) -> Result<Training, linsep_io::Error> {
    let mut settings = settings.clone();
    settings.recipe.standardise = false;
    Training::new(input, &settings)
}

/// Asks in passing: nothing where the classes cannot be separated, or that is not settled at once.
pub(super) fn of(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
) -> Result<Option<Separated>, Failure> {
    let mut training = as_they_are(input, settings)?;
    if let Some(class) = positive {
        against_rest(&mut training, class)?;
    }
    let weights = training.weights.take();
    let Ok(problem) = Problem::new(&training.x, &training.labels, weights) else {
        return Ok(None); // the fit has said so
    };
    if problem.labels().k() > 2 {
        return Ok(None); // one against the rest is another question for each class
    }
    let side = positive_side(&problem, positive);
    let Ok(Some(answer)) = quickly(&problem, side) else { return Ok(None) };
    if !matches!(answer.verdict, Verdict::Complete | Verdict::QuasiComplete) {
        return Ok(None);
    }
    Ok(Some(Separated::new(&answer, &training.recipe)))
}

/// Asks for a verdict, however long it takes.
pub(super) fn judge(
    input: Input,
    settings: &TrainingSettings,
    positive: Option<&str>,
) -> Result<Separated, Failure> {
    let mut training = as_they_are(input, settings)?;
    if let Some(class) = positive {
        against_rest(&mut training, class)?;
    }
    let weights = training.weights.take();
    let problem = Problem::new(&training.x, &training.labels, weights)?;
    let limits = Limits { margin: false, ..Limits::default() };
    let side = positive_side(&problem, positive);
    let answer = separate(&problem, side, &limits, &mut ())?;
    Ok(Separated::new(&answer, &training.recipe))
}

/// The class on the positive side, where one was named.
fn positive_side(problem: &Problem<'_>, positive: Option<&str>) -> Option<usize> {
    positive.and_then(|word| problem.class(&linsep::Label::parse(word)).ok())
}

impl Separated {
    fn new(answer: &Separation, recipe: &Recipe) -> Self {
        let features = recipe.features();
        let name = |column: Option<usize>| {
            column.map_or_else(|| "(bias)".to_owned(), |j| features[j].clone())
        };
        let infinite = answer.infinite.iter().map(|one| (name(one.column), one.positive)).collect();
        Self { verdict: answer.verdict, infinite }
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.verdict
    }

    pub(super) fn json(&self) -> Value {
        let columns: Vec<&str> = self.infinite.iter().map(|(name, _)| name.as_str()).collect();
        json!({ "verdict": self.verdict.name(), "infinite": columns })
    }

    /// Which coefficients are infinite, with their signs.
    pub(super) fn infinite_in_words(&self) -> String {
        self.list(|name, positive| format!("{name} ({}∞)", if positive { "+" } else { "−" }))
    }

    /// In words.
    pub(super) fn text(&self) -> String {
        if self.infinite.is_empty() {
            return "the classes can be separated completely, so there is no optimum: weights grow for ever"
                .to_owned();
        }
        format!(
            "quasi-complete separation, so there is no optimum: {} (see linsep separable)",
            self.list(|name, _| name.to_owned())
        )
    }

    /// In words beside Firth's estimate.
    pub(super) fn beside_firth(&self) -> String {
        let what = match self.verdict {
            Verdict::Complete => {
                "the classes can be separated completely: all estimates are infinite".to_owned()
            }
            _ => format!(
                "the classes are quasi-completely separated: {}",
                self.list(|name, _| name.to_owned())
            ),
        };
        format!("without Firth's penalty the likelihood has no maximum, as {what}")
    }

    fn list(&self, show: impl Fn(&str, bool) -> String) -> String {
        const SHOWN: usize = 8;
        let names = self.infinite.iter().take(SHOWN);
        let names: Vec<String> = names.map(|(name, positive)| show(name, *positive)).collect();
        let more = match self.infinite.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (what, verb) = match self.infinite.len() {
            1 => ("coefficient", "is"),
            _ => ("coefficients", "are"),
        };
        format!("the {what} of {}{more} {verb} infinite", names.join(", "))
    }
}
