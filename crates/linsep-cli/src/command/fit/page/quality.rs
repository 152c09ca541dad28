//! How good the model is: what is certified of it, numbers with their intervals, curves, and the
//! confusion matrix.

use super::{ReportPage, svg, word};
use crate::command::fit::report::Report;
use crate::command::plot::curves::{Curve, draw};
use crate::command::plot::{confusion, reliability};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::page::{Grid, Page};
use crate::text::{count, lower, percent, plural, upper, upper_percent};
use serde_json::Value;

/// A confusion matrix of more classes than this needs the whole width of the page.
const BESIDE: usize = 8;

/// What is certified of the answer.
pub(super) fn certificate(page: &mut Page, report: &Report<'_>) {
    let fit = report.fit;
    page.section("Certificate");
    page.paragraph(&format!("The run ended as {}: {}.", fit.stop, fit.meaning()));
    match report.certificate().join(". In numbers: ") {
        text if text.is_empty() => page.paragraph(
            "This method minimizes no criterion with a lower bound, so there is no gap to report.",
        ),
        text => page.paragraph(&format!("Certified: {text}.")),
    }
    if let Some(advice) = report.advice() {
        page.paragraph(&format!("Advice: {advice}."));
    }
    if let Some(separated) = report.separated {
        let hyperplanes = crate::command::hyperplane_names(&fit.model);
        separated.text(&hyperplanes).iter().for_each(|text| page.paragraph(text));
    }
    let proofs = &report.bundle.header.training.proofs;
    if !proofs.is_empty() {
        let head = ["plane of", "way of minimizing", "criterion", "lower bound", "relative gap"];
        let mut grid = Grid::new("Each plane, and what none can be better than", &head, 2);
        let names = crate::command::hyperplane_names(&fit.model);
        let together = proofs.len() != names.len();
        for (j, proof) in proofs.iter().enumerate().take(30) {
            let all = "all classes together".to_owned();
            grid.row(vec![
                if together { all } else { names[j].clone() },
                proof.solver.clone(),
                upper(proof.primal),
                proof.dual.map_or_else(|| "–".to_owned(), lower),
                proof.relative_gap.map_or_else(|| "–".to_owned(), upper_percent),
            ]);
        }
        page.table(&grid);
    }
}

impl ReportPage<'_> {
    /// Numbers, curves and the confusion matrix.
    pub(super) fn quality(
        &self,
        page: &mut Page,
        evaluation: &Evaluation<'_>,
        (json, accuracy): (&Value, f64),
        on: &str,
    ) -> Result<(), Failure> {
        page.section("How good it is");
        let rows = json["n"].as_u64().unwrap_or(0) as usize;
        page.paragraph(&format!("On {on}, {}:", plural(rows, "row", "rows")));
        let mut facts = measures(json);
        if self.evaluation.is_some() {
            let own = percent(accuracy);
            facts.push(("accuracy on the rows it learned from", own, String::new()));
        }
        page.measures(&facts);
        if self.evaluation.is_none() {
            page.remark("These rows were learned from: on new ones expect less.");
        }
        let curves = [Curve::Roc, Curve::PrecisionRecall];
        let curves = curves
            .into_iter()
            .map(|curve| draw(evaluation, curve, on))
            .collect::<Result<Vec<_>, _>>()?;
        let curves = curves.into_iter().flatten().map(|drawn| drawn.chart);
        let reliability = reliability::diagram(evaluation, on).map(|(chart, _)| chart);
        let confusion = confusion::chart(evaluation, on);
        let many = evaluation.classes().len() > BESIDE;
        let beside = curves.chain(reliability).chain((!many).then(|| confusion.clone()));
        page.pictures(&beside.map(|chart| svg(&chart)).collect::<Vec<_>>());
        if many {
            page.picture(&svg(&confusion));
        }
        let mut grid =
            Grid::new("Class by class", &["class", "precision", "recall", "F1", "rows"], 1);
        for class in json["per_class"].as_array().into_iter().flatten() {
            let share = |key: &str| class[key].as_f64().map_or_else(|| "–".to_owned(), percent);
            grid.row(vec![
                word(&class["class"]),
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

/// The measures there are, with their intervals: a name, a number, and how sure it is.
fn measures(json: &Value) -> Vec<(&'static str, String, String)> {
    let measure = |(name, key, show): Measure| {
        let ends = &json[format!("{key}_interval").as_str()];
        let range = ends[0].as_f64().zip(ends[1].as_f64());
        let range = range.map(|(a, b)| format!("95 %: {} to {}", show(a), show(b)));
        Some((name, show(json[key].as_f64()?), range.unwrap_or_default()))
    };
    let number: fn(f64) -> String = |v| format!("{v:.4}");
    type Measure = (&'static str, &'static str, fn(f64) -> String);
    let all: [Measure; 9] = [
        ("accuracy", "accuracy", percent),
        ("balanced accuracy", "balanced_accuracy", percent),
        ("area under the ROC curve", "auc", number),
        ("correlation (Matthews)", "correlation", number),
        ("log-loss", "log_loss", number),
        ("Brier score", "brier", number),
        ("expected calibration error", "calibration_error", number),
        ("rows that get a class", "coverage", percent),
        ("mistakes among those", "error_of_named", percent),
    ];
    all.into_iter().filter_map(measure).collect()
}
