//! Whether a fit without a penalty has anything to end at.

use linsep::Problem;
use linsep::certify::Verdict;
use linsep::certify::separation::quickly;
use linsep::learner::Learner;
use linsep_io::{Input, Training, TrainingSettings};
use serde_json::{Value, json};

/// That two classes can be separated, so that the likelihood has no maximum.
pub(super) struct Separated {
    verdict: Verdict,
    /// Columns with an infinite coefficient, and its sign.
    infinite: Vec<(String, bool)>,
}

/// Whether it is worth asking: logistic regression without a penalty, few numbers.
pub(super) fn wanted(learner: &dyn Learner, input: &Input) -> bool {
    const SMALL: usize = 1_000_000;
    let numbers = match input {
        Input::Table(table) => table.rows.saturating_mul(table.columns.len()),
        Input::Sparse(sparse) => sparse.indices.len(),
    };
    let solver = learner.as_reduced().map(|reduced| reduced.solver.as_ref());
    let convex = solver.and_then(|solver| solver.as_convex());
    let bare = |c: &linsep::solver::Convex| {
        c.penalty == "none" && c.loss.name() == "logistic" && c.intercept
    };
    numbers <= SMALL && convex.is_some_and(bare)
}

/// Asks, of the numbers as they are: standardising rounds, and a verdict is exact.
pub(super) fn of(
    input: Input,
    settings: &TrainingSettings,
) -> Result<Option<Separated>, linsep_io::Error> {
    let mut settings = settings.clone();
    settings.recipe.standardise = false;
    let mut training = Training::new(input, &settings)?;
    let weights = training.weights.take();
    let Ok(problem) = Problem::new(&training.x, &training.labels, weights) else {
        return Ok(None); // the fit has said so
    };
    if problem.labels().k() > 2 {
        return Ok(None); // one against the rest is another question for each class
    }
    let Ok(Some(answer)) = quickly(&problem, None) else { return Ok(None) };
    if !matches!(answer.verdict, Verdict::Complete | Verdict::QuasiComplete) {
        return Ok(None);
    }
    let features = training.recipe.features();
    let name =
        |column: Option<usize>| column.map_or_else(|| "(bias)".to_owned(), |j| features[j].clone());
    let infinite = answer.infinite.iter().map(|one| (name(one.column), one.positive)).collect();
    Ok(Some(Separated { verdict: answer.verdict, infinite }))
}

impl Separated {
    pub(super) fn json(&self) -> Value {
        let columns: Vec<&str> = self.infinite.iter().map(|(name, _)| name.as_str()).collect();
        json!({ "verdict": self.verdict.name(), "infinite": columns })
    }

    /// In words.
    pub(super) fn text(&self) -> String {
        const SHOWN: usize = 8;
        if self.infinite.is_empty() {
            return "the classes can be separated completely, so there is no optimum: weights grow for ever"
                .to_owned();
        }
        let names = self.infinite.iter().take(SHOWN);
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        let more = match self.infinite.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (what, verb) = match self.infinite.len() {
            1 => ("coefficient", "is"),
            _ => ("coefficients", "are"),
        };
        format!(
            "quasi-complete separation, so there is no optimum: the {what} of {}{more} {verb} infinite (see linsep separable)",
            names.join(", ")
        )
    }
}
