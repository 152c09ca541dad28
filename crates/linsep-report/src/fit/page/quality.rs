//! Quality of the model: certificate, metrics with confidence intervals, curves, confusion matrix.

use crate::evaluate::{by_class, metrics};
use crate::fit::Report;
use crate::html::Page;
use crate::number::{lower, percent, plural, upper, upper_percent};
use crate::plot::{confusion, curves, reliability, svg};
use crate::table::Table;
use linsep::jobs::fit::{FitEvaluation, ShownEvaluation};
use linsep::optimality::Certificate;

/// Most classes of a confusion matrix beside other plots.
const BESIDE: usize = 8;

impl Report<'_> {
    /// Status, certificate and separation.
    pub(super) fn certificate_section(self, page: &mut Page) {
        page.section("Certificate");
        page.paragraph(&format!("Status: {} ({}){}.", self.status(), self.length(), self.kept()));
        let Certificate { claims, numbers } = self.0.certificate();
        if claims.is_empty() {
            page.paragraph(
                "This method has no objective with a lower bound, so there is no duality gap.",
            );
        } else {
            let lines = claims.iter().map(|claim| claim.trim_end_matches(';'));
            let lines: Vec<&str> = lines.chain(numbers.as_deref()).collect();
            page.paragraph(&format!("Certificate: {}.", lines.join("; ")));
        }
        if let Some(advice) = self.advice() {
            page.paragraph(&format!("Advice: {advice}."));
        }
        self.separation().iter().for_each(|text| page.paragraph(text));
        let certificates = &self.0.model_file.header.training.certificates;
        if certificates.is_empty() {
            return;
        }
        let head = ["class", "solver", "objective", "lower bound", "relative gap"];
        let mut table = Table::new(&head, 2);
        let names = self.hyperplane_names();
        let is_joint = certificates.len() != names.len();
        for (j, certificate) in certificates.iter().enumerate().take(30) {
            let all = "all classes jointly".to_owned();
            table.row(vec![
                if is_joint { all } else { names[j].clone() },
                certificate.solver.clone(),
                upper(certificate.primal),
                certificate.dual.map_or_else(|| "–".to_owned(), lower),
                certificate.relative_gap.map_or_else(|| "–".to_owned(), upper_percent),
            ]);
        }
        page.table("Objective and lower bound of each hyperplane", &table);
    }

    /// Metrics, curves and the confusion matrix.
    pub(super) fn performance(
        self,
        page: &mut Page,
        evaluated: &FitEvaluation,
        shown: &ShownEvaluation,
    ) {
        page.section("Performance");
        let rows = plural(evaluated.evaluation.rows, "row", "rows");
        page.paragraph(&format!("On {} ({rows}):", evaluated.on));
        let mut facts = metrics(&evaluated.evaluation);
        if evaluated.held_out {
            facts.push(("training accuracy", percent(self.0.fit.accuracy), String::new()));
        }
        page.measures(&facts);
        if !evaluated.held_out {
            page.remark("These are the training rows; expect lower performance on new rows.");
        }
        let confusion = confusion::chart(&shown.confusion);
        let many = shown.confusion.classes.len() > BESIDE;
        let beside = shown.curves.iter().map(curves::chart);
        let beside = beside.chain(shown.reliability.as_ref().map(reliability::chart));
        let beside = beside.chain((!many).then(|| confusion.clone()));
        page.plots(&beside.map(|chart| svg(&chart)).collect::<Vec<_>>());
        if many {
            page.plot(&svg(&confusion));
        }
        page.table("Metrics by class", &by_class(&evaluated.evaluation));
    }
}
