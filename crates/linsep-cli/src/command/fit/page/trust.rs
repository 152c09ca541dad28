//! What held-out rows chose and taught: the strength of the penalty, probabilities, the threshold,
//! the limit.

use super::svg;
use crate::command::plot::path::tuned;
use crate::command::plot::reliability::held_out;
use crate::page::{Grid, Page};
use crate::text::percent;
use crate::trust::lines;
use linsep_io::ModelFile;
use linsep_io::validate::{PostProcessingRecord, Rates, ThresholdRecord};

/// A section on each of them that there is.
pub(super) fn sections(page: &mut Page, bundle: &ModelFile) {
    let training = &bundle.header.training;
    if let Some(chart) = tuned(bundle) {
        page.section("How the penalty was chosen");
        said(page, &lines(training.tuning.as_ref(), None, &bundle.model));
        page.picture(&svg(&chart));
    }
    let Some(trust) = &training.trust else { return };
    page.section("What held-out rows taught");
    page.paragraph(&format!(
        "Learned from the scores of rows that the planes had not seen ({} folds), and measured on the scores of yet other \
         rows: what it does to rows that it was not learned from.",
        trust.folds
    ));
    said(page, &lines(None, Some(trust), &bundle.model));
    let pictures: Vec<String> = held_out(trust).iter().map(svg).collect();
    if !pictures.is_empty() {
        page.pictures(&pictures);
    }
    tables(page, trust);
}

/// Lines of a summary, as a list.
fn said(page: &mut Page, lines: &[(&str, String)]) {
    let items: Vec<String> = lines.iter().map(|(key, text)| format!("{key}: {text}.")).collect();
    page.list(&items);
}

fn tables(page: &mut Page, trust: &PostProcessingRecord) {
    let number = |v: f64| format!("{v:.4}");
    if let (Some(before), Some(after)) = (&trust.before, &trust.after) {
        let mut grid = Grid::new("Probabilities", &["measure", "before", "after"], 1);
        for (name, before, after) in [
            ("expected calibration error", before.calibration_error, after.calibration_error),
            ("log-loss", before.log_loss, after.log_loss),
            ("Brier score", before.brier, after.brier),
        ] {
            grid.row(vec![name.to_owned(), number(before), number(after)]);
        }
        page.table(&grid);
    }
    if let Some(ThresholdRecord { rule, before, after, .. }) = &trust.threshold {
        let head = ["measure", "where the planes decide", rule];
        let mut grid = Grid::new("Threshold", &head, 1);
        let shares = |r: &Rates| [r.precision, r.recall, r.f1, r.accuracy];
        let cell = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
        let names = ["precision", "recall", "F1", "accuracy"];
        for (name, (before, after)) in
            names.iter().zip(shares(before).into_iter().zip(shares(after)))
        {
            grid.row(vec![(*name).to_owned(), cell(before), cell(after)]);
        }
        if let (Some(before), Some(after)) = (before.cost, after.cost) {
            grid.row(vec!["cost of a row".to_owned(), number(before), number(after)]);
        }
        page.table(&grid);
    }
}
