//! Products of a categorical and a numeric column: the number in rows with a level, else 0. Each
//! level has a slope of its own.

use super::derived::{Factor, Levels, Number, Sound, Units, load_sound};
use crate::error::Error;
use crate::recipe::step::{Affine, Cells, Encoder, Sample, Scaling, Step, StepKind};
use linsep_io::csv::Force;
use linsep_io::table::Column;
use serde::{Deserialize, Serialize};

/// The number by level.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelSlope {
    /// Names of the categorical and of the numeric column.
    columns: Vec<String>,
    levels: Levels,
    factor: Factor,
    /// The levels with a feature.
    slopes: Vec<Slope>,
}

/// The feature of a level.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slope {
    level: u32,
    units: Units,
}

/// Products of a categorical and a numeric column.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "level-slope",
    adjective: "derived",
    title: "Products of categorical and numeric columns",
    learn: |_, _, _| None,
    load: load_sound::<LevelSlope>,
};

/// Fits the step to a categorical and a numeric column, or returns the reason to drop it.
pub(in crate::recipe) fn learn(
    sample: &Sample<'_>,
    (category, places, levels): (&Column, &[Option<u32>], &Levels),
    (column, number): (&Column, &Number),
) -> Result<Box<dyn Step>, String> {
    let mut why = "no level".to_owned();
    let mut slopes = Vec::new();
    for level in 0..levels.count() as u32 {
        let cell = |(x, place): (&f64, &Option<u32>)| if *place == Some(level) { *x } else { 0.0 };
        let values: Vec<f64> = number.values.iter().zip(places).map(cell).collect();
        match Units::learn(sample, &values) {
            Ok(units) => slopes.push(Slope { level, units }),
            Err(own) => why = own,
        }
    }
    if slopes.is_empty() {
        return Err(why);
    }
    let columns = vec![category.name.clone(), column.name.clone()];
    Ok(Box::new(LevelSlope { columns, levels: levels.clone(), factor: number.factor, slopes }))
}

impl Sound for LevelSlope {
    fn is_sound(&self) -> bool {
        let known =
            |slope: &Slope| (slope.level as usize) < self.levels.count() && slope.units.is_sound();
        self.columns.len() == 2
            && self.factor.imputed.is_finite()
            && !self.slopes.is_empty()
            && self.slopes.iter().all(known)
    }
}

impl Step for LevelSlope {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The steps of the columns come first, and determine both types.
    fn reads(&self) -> Force {
        Force::Numeric
    }

    fn width(&self) -> usize {
        self.slopes.len()
    }

    fn feature(&self, j: usize) -> String {
        let level = self.levels.name(&self.columns[0], self.slopes[j].level);
        format!("{level}:{}", self.factor.name(&self.columns[1]))
    }

    fn units(&self, j: usize) -> Option<(f64, f64)> {
        Some(self.slopes[j].units.pair())
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error> {
        let ((codes, levels), number) = (cells.levels(0)?, cells.numbers(1)?);
        let places = self.levels.places(codes, levels);
        let own = |slope: &Slope| (Some(slope.level), slope.units.affine(scaling));
        let slopes: Vec<(Option<u32>, Affine)> = self.slopes.iter().map(own).collect();
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                let x = self.factor.of(number(i));
                for (j, (level, by)) in slopes.iter().enumerate() {
                    out.put(k, j, by.of(if places[i] == *level { x } else { 0.0 }));
                }
            }
        }))
    }
}
