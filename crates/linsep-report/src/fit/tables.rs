//! Tables of the hyperplanes, and of the points of a path.

use super::Report;
use crate::layout::Text;
use crate::number::{count, number, percent, plural, upper_count, upper_percent};
use crate::table::Table;

/// Hyperplanes that are listed.
const SHOWN: usize = 30;

impl Report<'_> {
    /// The points of a path, if there is one.
    pub(super) fn path(self, out: &mut Text) {
        if self.0.path.is_empty() {
            return;
        }
        let mut table = Table::new(&["λ", "objective", "gap", "nonzeros", "accuracy", "status"], 0);
        for point in &self.0.path {
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
        out.gap();
        out.table(&table, 2);
    }

    /// The run of each hyperplane, if there are several.
    pub(super) fn hyperplanes(self, out: &mut Text) {
        let runs = &self.0.fit.runs;
        if runs.len() < 2 {
            return;
        }
        let certified = runs[0].certificate.is_some();
        out.gap();
        out.table(&if certified { self.certified_runs() } else { self.runs() }, 2);
        let more = runs.len().saturating_sub(SHOWN);
        if more > 0 {
            out.push_str(&format!("  … and {}\n", plural(more, "hyperplane", "hyperplanes")));
        }
    }

    fn runs(self) -> Table {
        let bounds = &self.0.model_file.header.training.mistake_bounds;
        let bounded = bounds.iter().any(Option::is_some);
        let mut heads = vec!["class", "status", "epochs", "updates", "errors"];
        heads.extend(bounded.then_some("bound (R/γ)²"));
        let mut table = Table::new(&heads, 2).drop_first(&[2, 3, 4]);
        let mut bounds = bounds.iter();
        for (name, run) in self.hyperplane_names().into_iter().zip(&self.0.fit.runs).take(SHOWN) {
            let mut row = vec![
                name,
                run.stop.to_string(),
                run.epochs.to_string(),
                count(run.updates as f64),
                count(run.mistakes),
            ];
            let bound = bounds.next().and_then(Option::as_ref);
            let bound = bound.map_or("–".to_owned(), |one| upper_count(one.bound.floor()));
            row.extend(bounded.then_some(bound));
            table.row(row);
        }
        table
    }

    fn certified_runs(self) -> Table {
        let heads = ["class", "status", self.units().1, "objective", "gap", "errors"];
        let mut table = Table::new(&heads, 2).drop_first(&[2, 5, 3]);
        for (name, run) in self.hyperplane_names().into_iter().zip(&self.0.fit.runs).take(SHOWN) {
            let certificate = run.certificate.map(|own| own.gap);
            let gap = certificate.and_then(|own| own.relative_gap());
            table.row(vec![
                name,
                run.stop.to_string(),
                run.epochs.to_string(),
                certificate.map_or("–".to_owned(), |certificate| number(certificate.primal)),
                gap.map_or("–".to_owned(), upper_percent),
                count(run.mistakes),
            ]);
        }
        table
    }
}
