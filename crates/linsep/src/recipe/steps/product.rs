//! Products of powers of numeric columns, xᵃyᵇ…, with missing factors imputed.

use super::derived::{Factor, Number, Sound, Units, load_sound};
use crate::error::Error;
use crate::recipe::step::{Cells, Encoder, Sample, Scaling, Step, StepKind};
use linsep_io::csv::Force;
use linsep_io::table::Column;
use serde::{Deserialize, Serialize};

/// A product of powers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    /// Names of the columns, each once.
    columns: Vec<String>,
    factors: Vec<Factor>,
    /// The power of each factor.
    powers: Vec<u8>,
    units: Units,
}

/// Products of numeric columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "product",
    adjective: "derived",
    title: "Products of numeric columns",
    learn: |_, _, _| None,
    load: load_sound::<Product>,
};

/// Fits a product to ascending factors with repetition, or returns the reason to drop it.
pub(in crate::recipe) fn learn(
    sample: &Sample<'_>,
    numbers: &[(&Column, &Number)],
) -> Result<Box<dyn Step>, String> {
    let (mut columns, mut factors, mut powers) = (Vec::new(), Vec::new(), Vec::<u8>::new());
    for (column, number) in numbers {
        if columns.last() == Some(&column.name) {
            *powers.last_mut().expect("as many as columns") += 1;
        } else {
            columns.push(column.name.clone());
            factors.push(number.factor);
            powers.push(1);
        }
    }
    let factor = |i: usize| numbers.iter().map(move |(_, number)| number.values[i]);
    let values: Vec<f64> = (0..sample.table.rows).map(|i| multiply(factor(i))).collect();
    let units = Units::learn(sample, &values)?;
    Ok(Box::new(Product { columns, factors, powers, units }))
}

/// Returns the product of factors in their order, at most the largest number.
fn multiply(factors: impl Iterator<Item = f64>) -> f64 {
    // After each factor: zero times an overflow stays zero.
    factors.fold(1.0, |product, factor| (product * factor).clamp(-f64::MAX, f64::MAX))
}

impl Sound for Product {
    fn is_sound(&self) -> bool {
        let n = self.columns.len();
        n > 0
            && (self.factors.len(), self.powers.len()) == (n, n)
            && self.factors.iter().all(|factor| factor.imputed.is_finite())
            && self.units.is_sound()
    }
}

impl Step for Product {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn name(&self) -> String {
        self.feature(0)
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn reads(&self) -> Force {
        Force::Numeric
    }

    fn width(&self) -> usize {
        1
    }

    fn feature(&self, _: usize) -> String {
        let powers = ["", "", "²", "³", "⁴", "⁵"];
        let power = |p: u8| {
            powers.get(usize::from(p)).map_or_else(|| format!("^{p}"), |&own| own.to_owned())
        };
        let factors = self.columns.iter().zip(&self.factors).zip(&self.powers);
        let names = factors.map(|((column, factor), &p)| factor.name(column) + &power(p));
        names.collect::<Vec<_>>().join(":")
    }

    fn units(&self, _: usize) -> Option<(f64, f64)> {
        Some(self.units.pair())
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error> {
        let number = |c| Ok((cells.numbers(c)?, self.factors[c], self.powers[c]));
        let numbers = (0..self.columns.len()).map(number).collect::<Result<Vec<_>, Error>>()?;
        let by = self.units.affine(scaling);
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                let factors = numbers.iter().flat_map(|(number, factor, power)| {
                    std::iter::repeat_n(factor.of(number(i)), usize::from(*power))
                });
                out.put(k, 0, by.of(multiply(factors)));
            }
        }))
    }
}
