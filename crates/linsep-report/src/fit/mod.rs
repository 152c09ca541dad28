//! A fit as text, as JSON and as an HTML page, from its outcome alone.
//!
//! | file | content |
//! |---|---|
//! | `text`, `json` | the report |
//! | `page` | the HTML page |
//! | `tables` | hyperplanes, points of a path |
//! | `choices` | solvers and multiclass schemes, with their alternatives |
//! | `facts` | further results of the learner |

mod choices;
mod facts;
mod json;
pub mod page;
mod tables;
mod text;

pub use json::json;
pub use text::text;

use crate::flags::spell;
use crate::number::{accuracy, below_majority, count, listed, number, plural, upper_small};
use crate::separation;
use linsep::core::StopReason;
use linsep::core::options::Setting;
use linsep::jobs::FitOutcome;
use linsep::{ModelFile, Recipe};

/// Notes about an outcome: accuracies below those of the majority class.
pub fn notes(outcome: &FitOutcome) -> Vec<String> {
    let training = Report(outcome).below_majority().map(|text| format!("training {text}"));
    let test = outcome.evaluated.as_ref().filter(|own| own.held_out);
    let test = test.and_then(|own| {
        Some(format!("{}: {}", own.on, crate::evaluate::below_majority(&own.evaluation)?))
    });
    training.into_iter().chain(test).collect()
}

/// The column or columns of the target.
pub fn class_columns(recipe: &Recipe) -> String {
    match &recipe.counts[..] {
        [] => format!("column {}", recipe.target),
        counts => format!("the counts of columns {}", counts.join(", ")),
    }
}

/// An outcome, with the phrases that text and page have in common.
#[derive(Clone, Copy)]
struct Report<'a>(&'a FitOutcome);

impl<'a> Report<'a> {
    /// Data: name, rows and features.
    fn data(self) -> String {
        let (rows, d) = (self.0.model_file.header.training.rows, self.0.model_file.model.d());
        format!(
            "{}: {}, {}",
            self.0.data,
            plural(rows, "row", "rows"),
            plural(d, "feature", "features")
        )
    }

    fn recipe(self) -> &'a Recipe {
        &self.0.model_file.header.recipe
    }

    fn method_name(self) -> &'a str {
        &self.0.model_file.header.method
    }

    /// Names of the hyperplanes: the class of each, or the pair of classes.
    fn hyperplane_names(self) -> Vec<String> {
        let model = &self.0.model_file.model;
        model.decision_rule().hyperplane_names(model.classes())
    }

    /// The stop reason with its meaning, or with the relative gap if that is at most the tolerance.
    fn status(self) -> String {
        let gaps = self.0.fit.certificates().into_iter().map(|(own, _)| own.gap.relative_gap());
        let worst =
            gaps.collect::<Option<Vec<f64>>>().and_then(|gaps| gaps.into_iter().reduce(f64::max));
        match worst.filter(|_| self.0.fit.stop == StopReason::Optimal) {
            Some(gap) => format!("{}: relative gap {} ≤ tol", self.0.fit.stop, upper_small(gap)),
            None => format!("{}: {}", self.0.fit.stop, spell(self.0.fit.meaning())),
        }
    }

    /// The unit of the length of a run, singular and plural.
    fn units(self) -> (&'static str, &'static str) {
        if self.0.fit.counts_epochs() { ("epoch", "epochs") } else { ("iteration", "iterations") }
    }

    /// Solver, iterations or epochs, and updates of the run.
    fn length(self) -> String {
        let (one, many) = self.units();
        let length = plural(self.0.fit.epochs as usize, one, many);
        match self.0.fit.solver() {
            Some(solver) => format!("{solver}, {length}"),
            None if self.0.fit.counts_epochs() => {
                format!("{length}, {}", plural(self.0.fit.updates as usize, "update", "updates"))
            }
            None => length,
        }
    }

    /// The result of a run that the time limit or the user ended.
    fn kept(self) -> &'static str {
        match self.0.model_file.model.hyperplanes().len() {
            _ if !matches!(self.0.fit.stop, StopReason::TimeLimit | StopReason::Interrupted) => "",
            _ if self.method_name() == "averaged-perceptron" => "; the average so far is kept",
            1 => "; the best hyperplane so far is kept",
            _ => "; the best hyperplanes so far are kept",
        }
    }

    /// One line per problem with separable classes.
    fn separation(self) -> Vec<String> {
        let ModelFile { model, header, .. } = &self.0.model_file;
        separation::lines(header.training.separation.as_ref(), model)
    }

    /// Training accuracy, weighted by sample weights unless these are counts.
    fn accuracy(self) -> String {
        let FitOutcome { fit, weight, weighted, .. } = self.0;
        accuracy(fit.accuracy, fit.mistakes, Some(*weight), *weighted)
    }

    /// The advice for features of very different scales without standardization.
    fn advice(self) -> Option<String> {
        const WIDE: f64 = 1e6;
        let recipe = self.recipe();
        let reached = matches!(
            self.0.fit.stop,
            StopReason::Optimal | StopReason::Separated | StopReason::ClosedForm
        );
        if recipe.standardized || reached {
            return None;
        }
        let units = recipe.units();
        let scales =
            units.mean.iter().zip(&units.scale).map(|(mean, scale)| mean.abs().max(*scale));
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

    /// The warning about a training accuracy below that of predicting the majority class.
    fn below_majority(self) -> Option<String> {
        let majority = self.0.majority.as_ref()?;
        below_majority(self.0.fit.accuracy, &majority.class.to_string(), majority.share)
    }

    fn classes(self) -> String {
        const SHOWN: usize = 12;
        let classes = &self.0.classes;
        let shown = classes.iter().map(|(class, s)| format!("{class} ({})", count(*s)));
        let target = match self.recipe().pairs {
            None => format!(" in {}", class_columns(self.recipe())),
            Some(_) => String::new(),
        };
        format!("{}{target}: {}", classes.len(), listed(shown, SHOWN))
    }

    fn method(self) -> String {
        let settings = self.0.settings.iter();
        let settings: Vec<String> =
            settings.map(|(name, value)| format!("{} {}", symbol(name), shown(value))).collect();
        let scheme = self.0.fit.multiclass;
        let scheme = scheme.map_or(String::new(), |scheme| format!(", {}", scheme.name()));
        format!("{}{scheme} ({})", self.method_name(), settings.join(", "))
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
