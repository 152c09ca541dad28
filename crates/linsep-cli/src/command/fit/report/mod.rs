//! A fit, shown: as text for people (`text`), as JSON for programs (`json`).

mod json;
mod text;

use super::existence::Existence;
use super::separation::Separated;
use crate::data::class_columns;
use crate::text::{count, number, percent, small, small_percent};
use linsep::Problem;
use linsep::learner::{Convergence, Facts, Fit, Learner, PathPoint};
use linsep::minimise::Candidate;
use linsep::options::Setting;
use linsep_io::bundle::{Bundle, Proof};
use linsep_io::{Recipe, Training};
use std::path::Path;

/// A fit, shown.
pub(super) struct Report<'a> {
    pub(super) fit: &'a Fit,
    /// That the classes can be separated, where it was asked and is so.
    pub(super) separated: Option<&'a Separated>,
    pub(super) existence: Option<&'a Existence>,
    /// Corrections against the most there can be, of each plane or of all together.
    pub(super) bounds: &'a [Option<Convergence>],
    pub(super) bundle: &'a Bundle,
    pub(super) learner: &'a dyn Learner,
    pub(super) training: &'a Training,
    pub(super) problem: &'a Problem<'a>,
    pub(super) path: &'a Path,
    /// Ways of minimising, if they are to be explained.
    pub(super) candidates: &'a [Candidate],
    /// Points of a path, if there is one.
    pub(super) points: &'a [PathPoint],
    /// Whether the scheme is to be explained, and the one that was asked for.
    pub(super) explain: bool,
    pub(super) asked: Option<&'a str>,
}

impl Report<'_> {
    /// What else there is to say, in the units of the data.
    fn facts(&self) -> Facts {
        match self.training.recipe.standardise() {
            Some(by) => self.fit.facts.unscaled(&by),
            None => self.fit.facts.clone(),
        }
    }

    /// The way of minimising, where there was a choice.
    pub(super) fn way(&self) -> Option<&'static str> {
        let together = self.fit.together.and_then(|all| all.way);
        self.fit.runs.first().and_then(|run| run.way).or(together)
    }

    /// What is proved, in words.
    pub(super) fn proof(&self) -> Option<String> {
        let proofs = &self.bundle.header.training.proofs;
        let worst = |of: fn(&Proof) -> Option<f64>| {
            proofs.iter().map(of).collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty())
        };
        if let Some(gradients) = worst(|p| p.gradient) {
            let most = gradients.into_iter().fold(0.0, f64::max);
            return Some(format!(
                "without a penalty no bound exists; the gradient is {} of what it is at zero weights",
                small(most)
            ));
        }
        let gap = worst(|p| p.relative_gap)?.into_iter().fold(0.0, f64::max);
        let mut text = format!("the optimum is at most {} below this", small_percent(gap));
        if let Some(proved) = worst(|p| p.proved) {
            let least = proved.into_iter().fold(1.0, f64::min);
            text += &format!(
                "; {} of the training predictions provably equal those of the exact optimum",
                percent(least)
            );
        }
        Some(text)
    }

    pub(super) fn classes(&self) -> String {
        const SHOWN: usize = 12;
        let weights = self.problem.class_weights();
        let classes = self.training.labels.classes();
        let shown: Vec<String> = classes
            .iter()
            .zip(&weights)
            .take(SHOWN)
            .map(|(class, s)| format!("{class} ({})", count(*s)))
            .collect();
        let more = match classes.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let target = match &self.training.recipe {
            Recipe::Table(table) => format!(", in {}", class_columns(table)),
            Recipe::Sparse { .. } => String::new(),
        };
        format!("{}: {}{more}{target}", classes.len(), shown.join(", "))
    }

    pub(super) fn method(&self) -> String {
        let settings = self.learner.settings().into_iter().chain(self.fit.chosen.iter().cloned());
        let settings: Vec<String> =
            settings.map(|(name, value)| format!("{name} {}", shown(&value))).collect();
        let scheme = self.fit.multiclass.map_or(String::new(), |scheme| format!(", {scheme}"));
        format!("{}{scheme} ({})", self.learner.name(), settings.join(", "))
    }
}

/// A setting; one that was chosen from the data has more digits than tell anything.
fn shown(value: &Setting) -> String {
    match value {
        Setting::Number(v) if format!("{v}").len() > 8 => number(*v),
        other => other.to_string(),
    }
}
