//! Cubic B-splines of numeric columns, and then a missing indicator. A missing number is imputed
//! by the mean.

use super::derived::{Factor, Sound, Units, load_sound};
use crate::error::Error;
use crate::recipe::features::FeatureMap;
use crate::recipe::step::{Affine, Cells, Encoder, Meaning, Sample, Scaling, Step, StepKind};
use linsep_core::control::Note;
use linsep_core::features::Splines;
use linsep_io::csv::Force;
use linsep_io::table::{Column, Values};
use serde::{Deserialize, Serialize};
use std::slice;

/// The functions of a spline basis.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spline {
    name: String,
    knots: Splines,
    factor: Factor,
    /// The functions that vary in training.
    functions: Vec<Function>,
    indicator: bool,
}

/// A function of the basis.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    index: usize,
    units: Units,
}

/// Splines of numeric columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "spline",
    adjective: "spline",
    title: "Cubic splines of numeric columns",
    learn,
    load: load_sound::<Spline>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    _: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Numeric { slot } = column.values else { return None };
    let map = sample.settings.replacement(&column.name)?;
    let &FeatureMap::Spline { knots, .. } = map else { return None };
    let values: Vec<f64> = (0..sample.table.rows).map(|i| sample.table.row(i)[slot]).collect();
    let knots = Splines::new(&values, sample.weights, knots)?;
    let factor = Factor::new(sample, slot, false);
    let imputed = factor.column(sample, slot);
    let function = |index: usize| {
        let value = |x: &f64| if x.is_nan() { *x } else { at(&knots, *x, index) };
        let values: Vec<f64> = imputed.iter().map(value).collect();
        Units::learn(sample, &values).map(|units| Function { index, units }).ok()
    };
    let functions: Vec<Function> = (0..knots.count()).filter_map(function).collect();
    let (name, indicator) = (column.name.clone(), sample.has_indicator(column));
    let step = Spline { name, knots, factor, functions, indicator };
    step.is_sound().then(|| Ok(Box::new(step) as _))
}

/// Returns the value of a function at x.
fn at(knots: &Splines, x: f64, index: usize) -> f64 {
    let (first, values) = knots.at(x);
    index.checked_sub(first).and_then(|j| values.get(j)).copied().unwrap_or(0.0)
}

impl Sound for Spline {
    fn is_sound(&self) -> bool {
        let known = |own: &Function| own.index < self.knots.count() && own.units.is_sound();
        self.knots.is_sound()
            && self.factor.imputed.is_finite()
            && !self.functions.is_empty()
            && self.functions.iter().all(known)
    }
}

impl Step for Spline {
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
        self.functions.len() + usize::from(self.indicator)
    }

    fn feature(&self, j: usize) -> String {
        let name = &self.name;
        match self.functions.get(j) {
            Some(function) => format!("spline({name})#{}", function.index),
            None => format!("{name}=missing"),
        }
    }

    fn meaning(&self, j: usize) -> Meaning<'_> {
        if j < self.functions.len() { Meaning::Derived } else { Meaning::Missing }
    }

    fn units(&self, j: usize) -> Option<(f64, f64)> {
        self.functions.get(j).map(|function| function.units.pair())
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error> {
        let number = cells.numbers(0)?;
        let affine = |own: &Function| (own.index, own.units.affine(scaling));
        let functions: Vec<(usize, Affine)> = self.functions.iter().map(affine).collect();
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                let x = number(i);
                let (first, values) = self.knots.at(self.factor.of(x));
                for (j, (index, by)) in functions.iter().enumerate() {
                    let value = index.checked_sub(first).and_then(|at| values.get(at));
                    out.put(k, j, by.of(value.copied().unwrap_or(0.0)));
                }
                if self.indicator && x.is_nan() {
                    out.put(k, functions.len(), 1.0);
                }
            }
        }))
    }
}
