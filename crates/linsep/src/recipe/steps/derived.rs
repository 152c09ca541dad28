//! Common parts of steps with nonlinear features.

use crate::recipe::MissingPolicy;
use crate::recipe::step::{Affine, Meaning, Sample, Scaling, Step};
use linsep_core::features::{MIN_DEVIATION, column_statistics, log1p};
use linsep_core::float;
use linsep_io::table::{Column, MISSING};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

impl Sample<'_> {
    /// Whether a column has missing cells that are imputed.
    pub(super) fn has_indicator(&self, column: &Column) -> bool {
        column.missing > 0 && self.settings.missing == MissingPolicy::Impute
    }
}

/// μ and σ of a derived feature in training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Units {
    #[serde(with = "float")]
    mean: f64,
    #[serde(with = "float")]
    scale: f64,
}

impl Units {
    /// Computes the units of a feature from its values, where NaN is a missing value; returns the
    /// reason to drop a constant feature or one beyond the range of numbers.
    pub(super) fn learn(sample: &Sample<'_>, values: &[f64]) -> Result<Self, String> {
        let spread = column_statistics(values, 1, sample.weights)[0];
        if spread.weight == 0.0 {
            return Err("all values missing".to_owned());
        }
        if spread.is_constant() {
            return Err(format!("constant {}", spread.mean + 0.0)); // −0 is 0
        }
        if spread.max.max(-spread.min) == f64::MAX {
            return Err("its values overflow".to_owned());
        }
        if spread.deviation < MIN_DEVIATION {
            return Err("its values differ too little to standardize".to_owned());
        }
        Ok(Self { mean: spread.mean, scale: spread.deviation })
    }

    pub(super) fn pair(self) -> (f64, f64) {
        (self.mean, self.scale)
    }

    pub(super) fn affine(self, scaling: Scaling) -> Affine {
        Affine::new(self.mean, self.scale, scaling)
    }

    pub(super) fn is_sound(self) -> bool {
        self.mean.is_finite() && self.scale.is_finite() && self.scale > 0.0
    }
}

/// A number or its logarithm, imputed where it is missing or has no logarithm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Factor {
    /// Whether the factor is log(1 + x).
    pub(super) log: bool,
    /// The value for missing cells: the mean in training, or log(1 + mean).
    #[serde(with = "float")]
    pub(super) imputed: f64,
}

impl Factor {
    /// Returns the factor of the column in a slot.
    pub(super) fn new(sample: &Sample<'_>, slot: usize, log: bool) -> Self {
        let mean = sample.statistics[slot].mean;
        Self { log, imputed: if log { log1p(mean) } else { mean } }
    }

    /// Returns the factor for a cell; NaN is a missing value.
    #[inline]
    pub(super) fn of(self, x: f64) -> f64 {
        let value = if self.log { log1p(x) } else { x };
        if value.is_nan() { self.imputed } else { value }
    }

    /// Returns the factor in every row of the sample; NaN where rows with a missing value are not
    /// imputed.
    pub(super) fn column(self, sample: &Sample<'_>, slot: usize) -> Vec<f64> {
        let impute = sample.settings.missing == MissingPolicy::Impute;
        let cell = |i| match sample.table.row(i)[slot] {
            x if x.is_nan() && !impute => x,
            x => self.of(x),
        };
        (0..sample.table.rows).map(cell).collect()
    }

    /// Returns the name of the factor.
    pub(super) fn name(self, column: &str) -> String {
        if self.log { format!("log1p({column})") } else { column.to_owned() }
    }
}

/// A numeric column as a factor of products.
#[derive(Debug)]
pub(in crate::recipe) struct Number {
    pub(super) factor: Factor,
    /// The factor in every row.
    pub(super) values: Vec<f64>,
}

impl Number {
    pub(in crate::recipe) fn new(sample: &Sample<'_>, slot: usize, log: bool) -> Self {
        let factor = Factor::new(sample, slot, log);
        Self { factor, values: factor.column(sample, slot) }
    }
}

/// The levels of a one-hot encoded column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Levels {
    names: Vec<String>,
    /// Whether missing is a level, too.
    missing: bool,
}

impl Levels {
    /// Returns the levels of a step; `None` if it has none.
    pub(in crate::recipe) fn of(step: &dyn Step) -> Option<Self> {
        let names: Vec<String> = step.levels().map(str::to_owned).collect();
        let missing = (0..step.width()).any(|j| step.meaning(j) == Meaning::Missing);
        (!names.is_empty()).then_some(Self { names, missing })
    }

    pub(super) fn count(&self) -> usize {
        self.names.len() + usize::from(self.missing)
    }

    /// Returns the index of the level of each row; `None` for unseen levels.
    pub(in crate::recipe) fn places(&self, codes: &[u32], levels: &[String]) -> Vec<Option<u32>> {
        let known: HashMap<&str, u32> = self.names.iter().map(String::as_str).zip(0..).collect();
        let own: Vec<_> = levels.iter().map(|level| known.get(level.as_str()).copied()).collect();
        let missing = self.missing.then_some(self.names.len() as u32);
        let place = |&code: &u32| if code == MISSING { missing } else { own[code as usize] };
        codes.iter().map(place).collect()
    }

    /// Returns the name of level j of a column.
    pub(super) fn name(&self, column: &str, j: u32) -> String {
        format!("{column}={}", self.names.get(j as usize).map_or("missing", String::as_str))
    }
}

/// A column as a factor of products.
#[derive(Debug)]
pub(in crate::recipe) enum Input<'a> {
    Number(&'a Column, Number),
    /// The index of the level of each row, and the levels.
    Levels(&'a Column, Vec<Option<u32>>, Levels),
}

impl Input<'_> {
    pub(in crate::recipe) fn column(&self) -> &str {
        let (Self::Number(column, _) | Self::Levels(column, ..)) = self;
        &column.name
    }

    pub(in crate::recipe) fn number(&self) -> Option<(&Column, &Number)> {
        match self {
            Self::Number(column, number) => Some((column, number)),
            Self::Levels(..) => None,
        }
    }

    /// Returns the number of features.
    pub(in crate::recipe) fn width(&self) -> usize {
        match self {
            Self::Number(..) => 1,
            Self::Levels(_, _, levels) => levels.count(),
        }
    }
}

/// A stored step whose fields can contradict each other.
pub(super) trait Sound {
    /// Whether the fields agree.
    fn is_sound(&self) -> bool;
}

/// Parses and checks the fields of a step.
pub(super) fn load_sound<T: Step + Sound + DeserializeOwned + 'static>(
    fields: Value,
) -> serde_json::Result<Box<dyn Step>> {
    let step: T = serde_json::from_value(fields)?;
    if step.is_sound() {
        Ok(Box::new(step))
    } else {
        let problem = format!("fields of a {} step that contradict each other", step.kind().name);
        Err(serde_json::Error::custom(problem))
    }
}
