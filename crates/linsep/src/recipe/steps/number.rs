//! Numeric columns: the number, imputed by the mean if missing, and then a missing indicator.

use crate::error::Error;
use crate::recipe::step::{Affine, Cells, Encoder, Meaning, Sample, Scaling, Step, StepKind, load};
use crate::recipe::{MissingPolicy, ScaleProblem};
use linsep_core::control::{Note, literal};
use linsep_core::float;
use linsep_io::csv::Force;
use linsep_io::table::{Column, Table, Values};
use serde::{Deserialize, Serialize};
use std::slice;

/// The number, optionally with a missing indicator.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Number {
    /// Name of the column.
    pub(crate) name: String,
    /// Mean in training, imputed for missing values.
    #[serde(with = "float")]
    pub(crate) mean: f64,
    /// Standard deviation in training, or 1 if the column is constant.
    #[serde(with = "float")]
    pub(crate) scale: f64,
    /// Whether there is a missing indicator.
    pub(crate) indicator: bool,
}

/// Numeric columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "number",
    adjective: "numeric",
    title: "Numeric columns",
    learn,
    load: load::<Number>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    notes: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Numeric { slot } = column.values else { return None };
    let name = &column.name;
    if is_row_number(sample.table, slot) {
        let text = format!(
            "column {} numbers the rows; if it is an identifier, drop it with `drop`",
            literal(name)
        );
        notes.push(Note::new("row-numbers", text).about(name).setting("drop", name));
    }
    let spread = &sample.statistics[slot];
    let problem = || ScaleProblem::of(sample.table, slot, spread, sample.weights);
    let problem = sample.settings.standardize.then(problem).flatten();
    let indicator = column.missing > 0 && sample.settings.missing == MissingPolicy::Impute;
    if spread.weight == 0.0 {
        return Some(Err("all values missing".to_owned()));
    }
    if spread.is_constant() && !indicator {
        return Some(Err(format!("constant {}", spread.mean + 0.0))); // −0 is 0
    }
    if let Some(problem) = problem {
        let (what, advice) = (problem.what(), problem.advice());
        if matches!(problem, ScaleProblem::TooSmall { .. }) {
            return Some(Err(format!("{what}: {advice}")));
        }
        let text = format!("column {}: {what}: {advice}", literal(name));
        notes.push(Note::new("poor-scale", text).about(name));
    }
    let scale = if spread.deviation > 0.0 { spread.deviation } else { 1.0 };
    Some(Ok(Box::new(Number { name: name.clone(), mean: spread.mean, scale, indicator })))
}

impl Step for Number {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn columns(&self) -> &[String] {
        slice::from_ref(&self.name)
    }

    fn reads(&self) -> Force {
        Force::Numeric
    }

    fn width(&self) -> usize {
        1 + usize::from(self.indicator)
    }

    fn nonzeros(&self) -> usize {
        1
    }

    fn feature(&self, j: usize) -> String {
        if j == 0 { self.name.clone() } else { format!("{}=missing", self.name) }
    }

    fn meaning(&self, j: usize) -> Meaning<'_> {
        if j == 0 { Meaning::Number } else { Meaning::Missing }
    }

    fn units(&self, j: usize) -> Option<(f64, f64)> {
        (j == 0).then_some((self.mean, self.scale))
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error> {
        let (number, by) = (cells.numbers(0)?, Affine::new(self.mean, self.scale, scaling));
        let indicator = self.indicator;
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                let x = number(i);
                out.put(k, 0, by.of(x));
                if indicator && x.is_nan() {
                    out.put(k, 1, 1.0);
                }
            }
        }))
    }

    fn affine(&self, scaling: Scaling) -> Option<Affine> {
        (!self.indicator).then(|| Affine::new(self.mean, self.scale, scaling))
    }
}

/// Whether a column has integers that increase by one from row to row.
pub(crate) fn is_row_number(table: &Table, slot: usize) -> bool {
    const ENOUGH: usize = 20;
    table.rows >= ENOUGH
        && (1..table.rows).all(|i| table.row(i)[slot] - table.row(i - 1)[slot] == 1.0)
}
