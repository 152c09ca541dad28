//! Logarithms of numeric columns: log(1 + x), and then a missing indicator. A missing number is
//! imputed by the mean of x, and so is a negative number at prediction.

use super::derived::{Factor, Sound, Units, load_sound};
use crate::error::Error;
use crate::recipe::features::FeatureMap;
use crate::recipe::step::{Cells, Encoder, Meaning, Sample, Scaling, Step, StepKind};
use linsep_core::control::Note;
use linsep_io::csv::Force;
use linsep_io::table::{Column, Values};
use serde::{Deserialize, Serialize};
use std::slice;

/// The logarithm, optionally with a missing indicator.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Logarithm {
    name: String,
    factor: Factor,
    units: Units,
    indicator: bool,
}

/// Logarithms of numeric columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "logarithm",
    adjective: "logarithmic",
    title: "Logarithms of numeric columns",
    learn,
    load: load_sound::<Logarithm>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    _: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Numeric { slot } = column.values else { return None };
    let FeatureMap::Log { .. } = sample.settings.replacement(&column.name)? else { return None };
    let spread = &sample.statistics[slot];
    if spread.is_constant() || spread.min < 0.0 {
        return None;
    }
    let factor = Factor::new(sample, slot, true);
    let indicator = sample.has_indicator(column);
    let step = |units| Box::new(Logarithm { name: column.name.clone(), factor, units, indicator });
    Some(Units::learn(sample, &factor.column(sample, slot)).map(|units| step(units) as _))
}

impl Sound for Logarithm {
    fn is_sound(&self) -> bool {
        self.factor.log && self.factor.imputed.is_finite() && self.units.is_sound()
    }
}

impl Step for Logarithm {
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
        if j == 0 { self.factor.name(&self.name) } else { format!("{}=missing", self.name) }
    }

    fn meaning(&self, j: usize) -> Meaning<'_> {
        if j == 0 { Meaning::Derived } else { Meaning::Missing }
    }

    fn units(&self, j: usize) -> Option<(f64, f64)> {
        (j == 0).then_some(self.units.pair())
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error> {
        let (number, by) = (cells.numbers(0)?, self.units.affine(scaling));
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                let x = number(i);
                out.put(k, 0, by.of(self.factor.of(x)));
                // Without a logarithm: missing or negative.
                if self.indicator && (x.is_nan() || x < 0.0) {
                    out.put(k, 1, 1.0);
                }
            }
        }))
    }
}
