//! Tuning of λ, and post-processing: calibration, threshold, abstention.

use crate::fit::Report;
use crate::html::Page;
use crate::number::percent;
use crate::plot::{path, reliability, svg};
use crate::post_processing::lines;
use crate::table::Table;
use linsep::jobs::plot::OutOfFoldReliability;
use linsep::validate::{PostProcessingRecord, Rates, ThresholdRecord};

impl Report<'_> {
    /// One section on tuning and one on post-processing, if the fit has them.
    pub(super) fn validation(self, page: &mut Page) {
        let model_file = &self.0.model_file;
        let training = &model_file.header.training;
        if let Some(tuning) = &training.tuning {
            page.section("Tuning of λ");
            list(page, &lines(Some(tuning), None, &model_file.model));
            page.plot(&svg(&path::tuning_chart(tuning)));
        }
        let Some(record) = &training.post_processing else { return };
        page.section("Post-processing");
        page.paragraph(&format!(
            "Fitted on out-of-fold scores ({}-fold CV), and evaluated on out-of-fold scores of other rows.",
            record.folds
        ));
        list(page, &lines(None, Some(record), &model_file.model));
        if let Some(diagram) = OutOfFoldReliability::of_record(record) {
            page.plots(&[svg(&reliability::out_of_fold_chart(&diagram))]);
        }
        tables(page, record);
    }
}

/// Summary lines as a list.
fn list(page: &mut Page, lines: &[(&str, String)]) {
    let items: Vec<String> = lines.iter().map(|(key, text)| format!("{key}: {text}.")).collect();
    page.list(&items);
}

fn tables(page: &mut Page, record: &PostProcessingRecord) {
    let number = |v: f64| format!("{v:.4}");
    if let (Some(before), Some(after)) = (&record.before, &record.after) {
        let mut table = Table::new(&["metric", "before", "after"], 1);
        for (name, before, after) in [
            ("expected calibration error", before.calibration_error, after.calibration_error),
            ("log-loss", before.log_loss, after.log_loss),
            ("Brier score", before.brier, after.brier),
        ] {
            table.row(vec![name.to_owned(), number(before), number(after)]);
        }
        page.table("Probabilities", &table);
    }
    if let Some(ThresholdRecord { rule, before, after, .. }) = &record.threshold {
        let head = ["metric", "default threshold", rule];
        let mut table = Table::new(&head, 1);
        let shares = |r: &Rates| [r.precision, r.recall, r.f1, r.accuracy];
        let cell = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
        let names = ["precision", "recall", "F1", "accuracy"];
        for (name, (before, after)) in
            names.iter().zip(shares(before).into_iter().zip(shares(after)))
        {
            table.row(vec![(*name).to_owned(), cell(before), cell(after)]);
        }
        if let (Some(before), Some(after)) = (before.cost, after.cost) {
            table.row(vec!["cost per row".to_owned(), number(before), number(after)]);
        }
        page.table("Threshold", &table);
    }
}
