//! Quality of the model: certificate, metrics with confidence intervals, curves, confusion matrix.

use super::{ReportPage, plain};
use crate::command::fit::report::Report;
use crate::failure::Failure;
use linsep::jobs::Evaluated;
use linsep::jobs::plot::{ClassCurves, ConfusionMatrix, Curve, Reliability};
use linsep_report::evaluate::metrics;
use linsep_report::html::{Grid, Page};
use linsep_report::number::{count, lower, percent, plural, upper, upper_percent};
use linsep_report::plot::{confusion, curves, reliability, svg};
use serde_json::Value;

/// Most classes of a confusion matrix beside other plots.
const BESIDE: usize = 8;

/// Status, certificate and separation.
pub(super) fn certificate(page: &mut Page, report: &Report<'_>) {
    let fit = report.fit;
    page.section("Certificate");
    page.paragraph(&format!("Status: {} ({}){}.", report.status(), report.length(), report.kept()));
    match &report.certificate()[..] {
        [] => {
            page.paragraph(
                "This method has no objective with a lower bound, so there is no duality gap.",
            );
        }
        lines => {
            let lines: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(';')).collect();
            page.paragraph(&format!("Certificate: {}.", lines.join("; ")));
        }
    }
    if let Some(advice) = report.advice() {
        page.paragraph(&format!("Advice: {advice}."));
    }
    if let Some(separated) = report.separated {
        let hyperplanes = crate::command::hyperplane_names(&fit.model);
        separated.text(&hyperplanes).iter().for_each(|text| page.paragraph(text));
    }
    let certificates = &report.model_file.header.training.proofs;
    if !certificates.is_empty() {
        let head = ["class", "solver", "objective", "lower bound", "relative gap"];
        let mut grid = Grid::new("Objective and lower bound of each hyperplane", &head, 2);
        let names = crate::command::hyperplane_names(&fit.model);
        let is_joint = certificates.len() != names.len();
        for (j, certificate) in certificates.iter().enumerate().take(30) {
            let all = "all classes jointly".to_owned();
            grid.row(vec![
                if is_joint { all } else { names[j].clone() },
                certificate.solver.clone(),
                upper(certificate.primal),
                certificate.dual.map_or_else(|| "–".to_owned(), lower),
                certificate.relative_gap.map_or_else(|| "–".to_owned(), upper_percent),
            ]);
        }
        page.table(&grid);
    }
}

impl ReportPage<'_> {
    /// Metrics, curves and the confusion matrix.
    pub(super) fn quality(
        &self,
        page: &mut Page,
        evaluated: &Evaluated,
        (json, accuracy): (&Value, f64),
        on: &str,
    ) -> Result<(), Failure> {
        let evaluation = &evaluated.evaluation;
        page.section("Performance");
        let rows = json["n"].as_u64().unwrap_or(0) as usize;
        page.paragraph(&format!("On {on} ({}):", plural(rows, "row", "rows")));
        let mut facts = metrics(evaluation);
        if self.evaluation.is_some() {
            let own = percent(accuracy);
            facts.push(("training accuracy", own, String::new()));
        }
        page.measures(&facts);
        if self.evaluation.is_none() {
            page.remark("These are the training rows; expect lower performance on new rows.");
        }
        let curves = [Curve::Roc, Curve::PrecisionRecall];
        let curves = curves
            .into_iter()
            .map(|kind| ClassCurves::of(evaluated, kind, on))
            .collect::<Result<Vec<_>, _>>()?;
        let curves = curves.iter().flatten().map(curves::chart);
        let reliability = Reliability::of(evaluation, on);
        let reliability = reliability.as_ref().map(reliability::chart);
        let confusion = confusion::chart(&ConfusionMatrix::of(evaluation, on));
        let many = evaluation.classes.len() > BESIDE;
        let beside = curves.chain(reliability).chain((!many).then(|| confusion.clone()));
        page.plots(&beside.map(|chart| svg(&chart)).collect::<Vec<_>>());
        if many {
            page.plot(&svg(&confusion));
        }
        let mut grid =
            Grid::new("Metrics by class", &["class", "precision", "recall", "F1", "rows"], 1);
        for class in json["per_class"].as_array().into_iter().flatten() {
            let share = |key: &str| class[key].as_f64().map_or_else(|| "–".to_owned(), percent);
            grid.row(vec![
                plain(&class["class"]),
                share("precision"),
                share("recall"),
                share("f1"),
                class["support"].as_f64().map_or_else(|| "–".to_owned(), count),
            ]);
        }
        page.table(&grid);
        Ok(())
    }
}
