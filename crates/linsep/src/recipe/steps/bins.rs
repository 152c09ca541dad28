//! Quantile bins of numeric columns: one-hot encoding of intervals. Missing is a level; without
//! missing cells in training a missing number is imputed by the mean.

use super::derived::{Factor, Sound, load_sound};
use crate::error::Error;
use crate::recipe::features::FeatureMap;
use crate::recipe::step::{Cells, Encoder, Meaning, Sample, Scaling, Step, StepKind};
use linsep_core::control::Note;
use linsep_core::features::Bins;
use linsep_io::csv::Force;
use linsep_io::table::{Column, Values};
use serde::{Deserialize, Serialize};
use std::slice;

/// Indicators of intervals.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Binned {
    name: String,
    /// The inner edges.
    edges: Bins,
    factor: Factor,
    /// Whether missing is a level, too.
    missing: bool,
}

/// Quantile bins of numeric columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "bins",
    adjective: "binned",
    title: "Numeric columns in quantile bins",
    learn,
    load: load_sound::<Binned>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    _: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Numeric { slot } = column.values else { return None };
    let map = sample.settings.replacement(&column.name)?;
    let &FeatureMap::Bins { count, .. } = map else { return None };
    let values: Vec<f64> = (0..sample.table.rows).map(|i| sample.table.row(i)[slot]).collect();
    let edges = Bins::new(&values, sample.weights, count)?;
    let (factor, missing) = (Factor::new(sample, slot, false), sample.has_indicator(column));
    Some(Ok(Box::new(Binned { name: column.name.clone(), edges, factor, missing })))
}

impl Sound for Binned {
    fn is_sound(&self) -> bool {
        self.edges.is_sound() && self.factor.imputed.is_finite()
    }
}

impl Step for Binned {
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
        self.edges.count() + usize::from(self.missing)
    }

    fn nonzeros(&self) -> usize {
        1
    }

    fn feature(&self, j: usize) -> String {
        let name = &self.name;
        if j == self.edges.count() {
            return format!("{name}=missing");
        }
        match self.edges.edges(j) {
            (Some(below), Some(above)) => format!("{below}≤{name}<{above}"),
            (Some(below), None) => format!("{name}≥{below}"),
            (None, Some(above)) => format!("{name}<{above}"),
            (None, None) => name.clone(),
        }
    }

    fn meaning(&self, j: usize) -> Meaning<'_> {
        if j == self.edges.count() { Meaning::Missing } else { Meaning::SharedLevels }
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, _: Scaling) -> Result<Encoder<'a>, Error> {
        let number = cells.numbers(0)?;
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                let x = number(i);
                let j = if x.is_nan() && self.missing {
                    self.edges.count()
                } else {
                    self.edges.of(self.factor.of(x))
                };
                out.put(k, j, 1.0);
            }
        }))
    }
}
