//! The report of a fit as text: summary, tables, formula.

use super::Report;
use crate::command::fit::facts;
use crate::command::hyperplane_names;
use crate::inference;
use crate::layout::{Table, entry, entry_lines, paragraph, whole_entry};
use crate::post_processing;
use linsep::jobs::Evaluated;
use linsep_report::Text;
use linsep_report::evaluate::summary;
use linsep_report::number::{count, number, percent, plural, upper_count, upper_percent};

/// Hyperplanes that are listed.
const SHOWN: usize = 30;

/// Coefficients that are listed.
const COEFFICIENTS: usize = 100;

impl Report<'_> {
    fn candidates(&self) -> String {
        if let Some(why) = self.no_choice() {
            let mut out = String::new();
            paragraph(&mut out, 0, &why);
            return out;
        }
        let mut table = Table::new(&["solver", "estimate", ""], 1).prose(2);
        for candidate in self.candidates {
            let chosen = self.solver() == Some(candidate.name);
            let (cost, why) = match candidate.work {
                Ok(seconds) => (format!("{} s", number(seconds)), String::new()),
                Err(lacks) => ("–".to_owned(), format!("requires {lacks}")),
            };
            let why = if chosen { "selected".to_owned() } else { why };
            table.row(vec![candidate.name.to_owned(), cost, why]);
        }
        table.show(2)
    }

    fn points(&self) -> String {
        let mut table = Table::new(&["λ", "objective", "gap", "nonzeros", "accuracy", "status"], 0);
        for point in self.points {
            let fit = &point.fit;
            let gap = fit.runs.iter().map(|run| run.certificate?.gap.relative_gap());
            let gap = gap.collect::<Option<Vec<f64>>>();
            table.row(vec![
                number(point.lambda),
                fit.objective.map_or("–".to_owned(), number),
                gap.map_or("–".to_owned(), |g| upper_percent(g.into_iter().fold(0.0, f64::max))),
                point.nonzero.to_string(),
                percent(fit.accuracy),
                fit.stop.to_string(),
            ]);
        }
        table.show(2)
    }

    pub(in crate::command::fit) fn text(
        &self,
        name: &str,
        test: Option<&(String, Evaluated)>,
    ) -> String {
        let (fit, x) = (self.fit, &self.training.x);
        let mut out = String::new();
        let mut line = |key: &str, value: String| entry(&mut out, key, &value);
        line(
            "data",
            format!(
                "{name}: {}, {}",
                plural(x.n(), "row", "rows"),
                plural(x.d(), "feature", "features")
            ),
        );
        line("classes", self.classes());
        line("method", self.method());
        line("training", self.accuracy());
        if let Some(warning) = self.below_majority() {
            line("warning", warning);
        }
        line("status", format!("{} ({}){}", self.status(), self.length(), self.kept()));
        let mut certificate = self.certificate();
        let numbers = if certificate.len() > 1 { certificate.pop() } else { None };
        entry_lines(&mut out, "certificate", &certificate);
        let mut line = |key: &str, value: String| entry(&mut out, key, &value);
        if let Some(numbers) = numbers.filter(|_| self.verbose) {
            line("", numbers);
        }
        if let Some(advice) = self.advice() {
            line("advice", advice);
        }
        for (key, value) in facts::lines(&self.facts()) {
            line(key, value);
        }
        let training = &self.model_file.header.training;
        let (tuning, processed) = (training.tuning.as_ref(), training.trust.as_ref());
        for (key, value) in post_processing::lines(tuning, processed, &fit.model) {
            line(key, value);
        }
        let known = self.model_file.header.inference.as_ref();
        if let Some(known) = known {
            inference::lines(known).into_iter().for_each(|(key, value)| line(key, value));
        }
        if let Some(bound) = self.bound() {
            line("bound", bound);
        }
        if let Some(existence) = self.existence {
            line("note", existence.beside_firth());
        }
        for text in self.separated.iter().flat_map(|one| one.text(&hyperplane_names(&fit.model))) {
            line("note", text);
        }
        if fit.on_hyperplane > 0 {
            let rows = plural(fit.on_hyperplane, "row lies", "rows lie");
            line(
                "note",
                format!(
                    "{rows} exactly on the hyperplane; predicted as {}",
                    hyperplane_names(&fit.model)[0]
                ),
            );
        }
        if fit.ambiguous > 0 {
            let rows = plural(fit.ambiguous, "row lies", "rows lie");
            line("ambiguous", format!("{rows} in an ambiguous region, resolved by the scores"));
        }
        whole_entry(&mut out, "model", &self.path.display().to_string());
        if let Some((name, evaluation)) = test {
            out.push('\n');
            entry(&mut out, "test", name);
            let mut lines = Text::new(crate::layout::style());
            summary(&evaluation.evaluation, &mut lines);
            out.push_str(&lines.finish());
        }
        let facts =
            facts::tables(&self.facts(), &self.training.recipe.features(), fit.model.classes());
        let known = known.map_or(Vec::new(), |known| inference::tables(known, COEFFICIENTS));
        for table in facts
            .into_iter()
            .chain(post_processing::tables(tuning, processed))
            .chain(known)
            .map(Some)
            .chain([
                self.explain_multiclass.then(|| self.schemes()),
                self.explain_solver.then(|| self.candidates()),
                (!self.points.is_empty()).then(|| self.points()),
                (fit.runs.len() > 1).then(|| self.hyperplanes()),
            ])
            .flatten()
        {
            out.push('\n');
            out.push_str(&table);
        }
        out.push_str(&self.formula());
        out
    }

    fn hyperplanes(&self) -> String {
        if self.fit.runs[0].certificate.is_some() {
            return self.certified_hyperplanes();
        }
        let bounded = self.bounds.iter().any(Option::is_some);
        let mut heads = vec!["class", "status", "epochs", "updates", "errors"];
        heads.extend(bounded.then_some("bound (R/γ)²"));
        let mut table = Table::new(&heads, 2).drop_first(&[2, 3, 4]);
        let mut bounds = self.bounds.iter();
        for (name, solution) in
            hyperplane_names(&self.fit.model).into_iter().zip(&self.fit.runs).take(SHOWN)
        {
            let mut row = vec![
                name,
                solution.stop.to_string(),
                solution.epochs.to_string(),
                count(solution.updates as f64),
                count(solution.mistakes),
            ];
            let bound = bounds.next().and_then(Option::as_ref);
            let bound = bound.map_or("–".to_owned(), |one| upper_count(one.bound.floor()));
            row.extend(bounded.then_some(bound));
            table.row(row);
        }
        table.show(2) + &self.more_hyperplanes()
    }

    /// The number of hyperplanes that the table omits.
    fn more_hyperplanes(&self) -> String {
        match self.fit.runs.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("  … and {}\n", plural(more, "hyperplane", "hyperplanes")),
        }
    }

    fn certified_hyperplanes(&self) -> String {
        let heads = ["class", "status", self.units().1, "objective", "gap", "errors"];
        let mut table = Table::new(&heads, 2).drop_first(&[2, 5, 3]);
        for (name, solution) in
            hyperplane_names(&self.fit.model).into_iter().zip(&self.fit.runs).take(SHOWN)
        {
            let certificate = solution.certificate.map(|own| own.gap);
            let gap = certificate.and_then(|own| own.relative_gap());
            table.row(vec![
                name,
                solution.stop.to_string(),
                solution.epochs.to_string(),
                certificate.map_or("–".to_owned(), |certificate| number(certificate.primal)),
                gap.map_or("–".to_owned(), upper_percent),
                count(solution.mistakes),
            ]);
        }
        table.show(2) + &self.more_hyperplanes()
    }

    /// The equation of a single hyperplane with few features.
    fn formula(&self) -> String {
        const MOST: usize = 8;
        let [hyperplane] = self.model_file.model.hyperplanes() else { return String::new() };
        if hyperplane.d() > MOST || self.fit.model.k() != 2 || self.fit.inference.is_some() {
            return String::new();
        }
        let terms: Vec<String> = hyperplane
            .w
            .iter()
            .zip(self.training.recipe.features())
            .map(|(w, name)| format!("{} {name}", number(*w)))
            .collect();
        let sum = format!("{} + {}", terms.join(" + "), number(hyperplane.b)).replace("+ -", "− ");
        let [negative, positive] = [0, 1].map(|c| self.fit.model.classes()[c].to_string());
        let threshold = self.fit.model.operating_point().threshold;
        let at = match self.fit.model.probability_at(threshold) {
            Some(p) if threshold != 0.0 => format!(" (probability ≥ {})", number(p)),
            _ => String::new(),
        };
        let decision = format!("{positive} if z ≥ {}{at}, else {negative}", number(threshold));
        let mut out = "\n".to_owned();
        paragraph(&mut out, 2, &format!("z = {sum}"));
        paragraph(&mut out, 2, &decision);
        out
    }
}
