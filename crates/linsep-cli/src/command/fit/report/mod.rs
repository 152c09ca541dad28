//! The report of a fit: as text (`text`) and as JSON (`json`).

mod json;
mod text;

use super::existence::Existence;
use super::separation::Separated;
use crate::certificate;
use crate::data::class_columns;
use linsep::learner::{Facts, Fit, Learner, MistakeBound, PathPoint};
use linsep::metric::majority;
use linsep::model_file::ModelFile;
use linsep::options::Setting;
use linsep::recipe::Encoding;
use linsep::solvers::Candidate;
use linsep::{Label, Problem, StopReason};
use linsep::{Recipe, TrainingData};
use linsep_report::flags::spell;
use linsep_report::number::{accuracy, below_majority, count, number, plural, upper_small};
use std::path::Path;

/// A fit and the results that are reported with it.
pub(super) struct Report<'a> {
    pub(super) fit: &'a Fit,
    /// Separable classes, if separation affects the minimizer.
    pub(super) separated: Option<&'a Separated>,
    pub(super) existence: Option<&'a Existence>,
    /// Mistake bounds: one per hyperplane, or one for joint training.
    pub(super) bounds: &'a [Option<MistakeBound>],
    pub(super) model_file: &'a ModelFile,
    pub(super) learner: &'a dyn Learner,
    pub(super) training: &'a TrainingData,
    pub(super) problem: &'a Problem<'a>,
    pub(super) path: &'a Path,
    /// Solvers with their costs, for `--explain-solver`.
    pub(super) candidates: &'a [Candidate],
    /// Whether the choice of the solver is explained.
    pub(super) explain_solver: bool,
    /// Points of the regularization path, with `--path`.
    pub(super) points: &'a [PathPoint],
    /// Whether the choice of the multiclass scheme is explained.
    pub(super) explain_multiclass: bool,
    /// Scheme given by `--multiclass`.
    pub(super) scheme: Option<&'a str>,
    /// Whether details of the certificate are shown.
    pub(super) verbose: bool,
}

impl Report<'_> {
    /// Further results of the learner, in raw units.
    fn facts(&self) -> Facts {
        match self.training.recipe.standardize() {
            Some(by) => self.fit.facts.in_raw_units(&by),
            None => self.fit.facts.clone(),
        }
    }

    /// The solver, if the method has a choice of solvers.
    pub(super) fn solver(&self) -> Option<&'static str> {
        let joint = self.fit.joint.and_then(|all| all.solver);
        self.fit.runs.first().and_then(|run| run.solver).or(joint)
    }

    /// The stop reason with its meaning, or with the relative gap if that is at most the tolerance.
    pub(super) fn status(&self) -> String {
        let gaps = self.fit.certificates().into_iter().map(|(own, _)| own.gap.relative_gap());
        let worst =
            gaps.collect::<Option<Vec<f64>>>().and_then(|gaps| gaps.into_iter().reduce(f64::max));
        match worst.filter(|_| self.fit.stop == StopReason::Optimal) {
            Some(gap) => format!("{}: relative gap {} ≤ tol", self.fit.stop, upper_small(gap)),
            None => format!("{}: {}", self.fit.stop, spell(self.fit.meaning())),
        }
    }

    /// The unit of the length of a run, singular and plural: a row-by-row solver and a perceptron
    /// count epochs, a batch solver counts iterations.
    fn units(&self) -> (&'static str, &'static str) {
        match self.solver() {
            Some("dual-cd" | "sgd") => ("epoch", "epochs"),
            None if self.is_perceptron() => ("epoch", "epochs"),
            _ => ("iteration", "iterations"),
        }
    }

    /// Whether the learner counts updates instead of minimizing by a solver.
    fn is_perceptron(&self) -> bool {
        self.solver().is_none() && !(self.fit.runs.is_empty() && self.fit.joint.is_none())
    }

    /// Solver, iterations or epochs, and updates of the run.
    pub(super) fn length(&self) -> String {
        let (one, many) = self.units();
        let length = plural(self.fit.epochs as usize, one, many);
        match self.solver() {
            Some(solver) => format!("{solver}, {length}"),
            None if self.is_perceptron() => {
                format!("{length}, {}", plural(self.fit.updates as usize, "update", "updates"))
            }
            None => length,
        }
    }

    /// The result of a run that the time limit or the user ended.
    pub(super) fn kept(&self) -> &'static str {
        match self.fit.model.hyperplanes().len() {
            _ if !matches!(self.fit.stop, StopReason::TimeLimit | StopReason::Interrupted) => "",
            _ if self.learner.name() == "averaged-perceptron" => "; the average so far is kept",
            1 => "; the best hyperplane so far is kept",
            _ => "; the best hyperplanes so far are kept",
        }
    }

    /// The certificate: its meaning, then its numbers; or the reason for its absence.
    pub(super) fn certificate(&self) -> Vec<String> {
        let (left, all) = (self.fit.not_started().len(), self.fit.model.hyperplanes().len());
        if left > 0 {
            return vec![format!(
                "no certificate: {left} of {all} hyperplanes were not started; their coefficients are the starting point"
            )];
        }
        if self.solver().is_some() && self.fit.certificates().is_empty() {
            return vec![
                "no certificate: training ended before the duality gap was computed".to_owned(),
            ];
        }
        certificate::lines(&self.model_file.header.training, &self.training.recipe)
    }

    /// Training accuracy, weighted by sample weights unless these are counts.
    pub(super) fn accuracy(&self) -> String {
        let weighted = self.problem.weights().iter().any(|s| *s != 1.0);
        let counts =
            matches!(&self.training.recipe, Recipe::Table(table) if !table.counts.is_empty());
        let rows = self.problem.weights().iter().sum();
        accuracy(self.fit.accuracy, self.fit.mistakes, Some(rows), weighted && !counts)
    }

    /// The advice for features of very different scales without standardization.
    pub(super) fn advice(&self) -> Option<String> {
        const WIDE: f64 = 1e6;
        let Recipe::Table(table) = &self.training.recipe else { return None };
        let reached = matches!(
            self.fit.stop,
            StopReason::Optimal | StopReason::Separated | StopReason::ClosedForm
        );
        if table.standardized || reached {
            return None;
        }
        let scales = table.steps.iter().filter_map(|step| match step.encoding {
            Encoding::Number { mean, scale, .. } => Some(mean.abs().max(scale)),
            Encoding::Category { .. } | Encoding::Hashed { .. } => None,
        });
        let (least, most) =
            scales.fold((1.0_f64, 1.0_f64), |(least, most), s| (least.min(s), most.max(s)));
        (most / least >= WIDE).then(|| {
            format!(
                "features and intercept range in scale from {} to {}; remove --no-standardize",
                power(least),
                power(most)
            )
        })
    }

    /// The largest class of the training rows, and its share.
    pub(super) fn majority(&self) -> Option<(&Label, f64)> {
        let (labels, weights) = (self.problem.labels(), self.problem.weights());
        let (class, share) = majority(labels.codes(), labels.k(), weights)?;
        Some((&labels.classes()[class], share))
    }

    /// The warning about a training accuracy below that of predicting the majority class.
    pub(super) fn below_majority(&self) -> Option<String> {
        let (class, share) = self.majority()?;
        below_majority(self.fit.accuracy, &class.to_string(), share)
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
            Recipe::Table(table) => format!(" in {}", class_columns(table)),
            Recipe::Sparse { .. } => String::new(),
        };
        format!("{}{target}: {}{more}", classes.len(), shown.join(", "))
    }

    pub(super) fn method(&self) -> String {
        let settings = self.learner.settings().into_iter().chain(self.fit.chosen.iter().cloned());
        let settings: Vec<String> =
            settings.map(|(name, value)| format!("{} {}", symbol(name), shown(&value))).collect();
        let scheme = self.fit.multiclass.map_or(String::new(), |scheme| format!(", {scheme}"));
        format!("{}{scheme} ({})", self.learner.name(), settings.join(", "))
    }
}

/// The symbol of a setting in formulas.
fn symbol(name: &str) -> &str {
    match name {
        "c" => "C",
        "lambda" => "λ",
        name => name,
    }
}

/// The order of magnitude of a number.
fn power(v: f64) -> String {
    if (1e-3..1e4).contains(&v) { number(v) } else { format!("{v:.0e}") }
}

/// A setting; a value selected from the data is rounded.
fn shown(value: &Setting) -> String {
    match value {
        Setting::Number(v) if *v > 0.0 && *v < 1e-3 && format!("{v:e}").len() <= 8 => {
            format!("{v:e}")
        }
        Setting::Number(v) if format!("{v}").len() > 8 => number(*v),
        other => other.to_string(),
    }
}
