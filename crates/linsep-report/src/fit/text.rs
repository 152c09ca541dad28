//! A fit as text: summary, tables, formula.

use super::{Report, facts};
use crate::layout::{Style, Text};
use crate::number::{number, plural};
use crate::{evaluate, inference, mistake_bound, post_processing};
use linsep::jobs::FitOutcome;

/// Coefficients that are listed.
const COEFFICIENTS: usize = 100;

/// The outcome as text.
pub fn text(outcome: &FitOutcome, style: Style) -> String {
    let mut out = Text::new(style);
    let report = Report(outcome);
    report.summary(&mut out);
    if let Some(own) = outcome.evaluated.as_ref().filter(|own| own.held_out) {
        out.gap();
        out.entry("test", &own.on);
        evaluate::summary(&own.evaluation, &mut out);
    }
    report.tables(&mut out);
    report.formula(&mut out);
    out.finish()
}

impl Report<'_> {
    fn summary(self, out: &mut Text) {
        let FitOutcome { fit, model_file, .. } = self.0;
        out.entry("data", &self.data());
        out.entry("classes", &self.classes());
        out.entry("method", &self.method());
        out.entry("training", &self.accuracy());
        if let Some(warning) = self.below_majority() {
            out.entry("warning", &warning);
        }
        out.entry("status", &format!("{} ({}){}", self.status(), self.length(), self.kept()));
        let certificate = self.0.certificate();
        out.entry_lines("certificate", &certificate.claims);
        if let Some(numbers) = certificate.numbers.filter(|_| out.style().verbose) {
            out.entry("", &numbers);
        }
        if let Some(advice) = self.advice() {
            out.entry("advice", &advice);
        }
        let training = &model_file.header.training;
        let (tuning, processed) = (training.tuning.as_ref(), training.post_processing.as_ref());
        let known = model_file.header.inference.as_ref();
        facts::lines(&fit.facts)
            .into_iter()
            .chain(post_processing::lines(tuning, processed, &model_file.model))
            .chain(known.map_or_else(Vec::new, inference::lines))
            .for_each(|(key, value)| out.entry(key, &value));
        if let Some(bound) = mistake_bound::single(&training.mistake_bounds) {
            out.entry("bound", &bound);
        }
        self.separation().iter().for_each(|text| out.entry("note", text));
        if fit.on_hyperplane > 0 {
            let rows = plural(fit.on_hyperplane, "row lies", "rows lie");
            let class = &self.hyperplane_names()[0];
            out.entry("note", &format!("{rows} exactly on the hyperplane; predicted as {class}"));
        }
        if fit.ambiguous > 0 {
            let rows = plural(fit.ambiguous, "row lies", "rows lie");
            out.entry(
                "ambiguous",
                &format!("{rows} in an ambiguous region, resolved by the scores"),
            );
        }
        if let Some(path) = &self.0.saved {
            out.whole_entry("model", path);
        }
    }

    /// Tables, each after an empty line.
    fn tables(self, out: &mut Text) {
        let FitOutcome { fit, model_file, .. } = self.0;
        let training = &model_file.header.training;
        let features = self.recipe().features();
        facts::tables(out, &fit.facts, &features, model_file.model.classes());
        post_processing::tables(out, training.tuning.as_ref(), training.post_processing.as_ref());
        if let Some(known) = &model_file.header.inference {
            inference::tables(out, known, COEFFICIENTS);
        }
        self.schemes(out);
        self.candidates(out);
        self.path(out);
        self.hyperplanes(out);
    }

    /// The equation of a single hyperplane with few features.
    fn formula(self, out: &mut Text) {
        const MOST: usize = 8;
        let (model, inferred) = (&self.0.model_file.model, self.0.fit.inference.is_some());
        let [hyperplane] = model.hyperplanes() else { return };
        if hyperplane.d() > MOST || model.k() != 2 || inferred {
            return;
        }
        let terms = hyperplane.w.iter().zip(self.recipe().features());
        let terms: Vec<String> = terms.map(|(w, name)| format!("{} {name}", number(*w))).collect();
        let sum = format!("{} + {}", terms.join(" + "), number(hyperplane.b)).replace("+ -", "− ");
        let [negative, positive] = [0, 1].map(|c| model.classes()[c].to_string());
        let threshold = model.operating_point().threshold;
        let at = match model.probability_at(threshold) {
            Some(p) if threshold != 0.0 => format!(" (probability ≥ {})", number(p)),
            _ => String::new(),
        };
        let decision = format!("{positive} if z ≥ {}{at}, else {negative}", number(threshold));
        out.gap();
        out.paragraph(2, &format!("z = {sum}"));
        out.paragraph(2, &decision);
    }
}
