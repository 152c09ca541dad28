//! Map from the cells of a row to the features of the design matrix.

use crate::error::Error;
use crate::recipe::{Encoding, Recipe, Scaling};
use linsep_core::Design;
use linsep_io::input::Input;
use linsep_io::table::{MISSING, Table, Values};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Content of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A level.
    Word(String),
    /// A level not seen in training, encoded as zeros.
    Unknown(String),
    /// No value.
    Missing,
}

/// A cell and its features of the design matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Feature {
    pub(super) name: String,
    pub(super) cell: Cell,
    pub(super) columns: Range<usize>,
    pub(super) kind: Kind,
}

/// Possible changes of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number, with mean and standard deviation in training, and whether it has a missing
    /// indicator.
    Number { mean: f64, scale: f64, indicator: bool },
    /// One of these levels.
    Word { levels: Vec<String> },
    /// A hashed level.
    Hashed,
}

/// An encoded row with its cells.
pub(super) struct Row {
    pub(super) x: Vec<f64>,
    pub(super) features: Vec<Feature>,
}

/// Encodes the only row of an input; `None` if a value is missing that the model cannot encode.
pub(super) fn row(recipe: &Recipe, input: &Input) -> Result<Option<Row>, Error> {
    match (recipe, input) {
        (Recipe::Table(recipe), Input::Table(table)) => {
            let columns = recipe.columns(table)?;
            let mut at = 0;
            let mut features = Vec::with_capacity(recipe.steps.len());
            for (step, column) in recipe.steps.iter().zip(columns) {
                let width = step.encoding.width();
                let kind = kind(&step.encoding);
                let cell = cell(table, &column.values, &kind);
                let (name, columns) = (step.name.clone(), at..at + width);
                features.push(Feature { name, cell, columns, kind });
                at += width;
            }
            let x = recipe.encode(table.clone(), Scaling::Raw)?.x;
            Ok(x.map(|x: Design| Row { x: x.row(0), features }))
        }
        (Recipe::Sparse { columns, base }, Input::Sparse(sparse)) => {
            let mut x = vec![0.0; columns.count()];
            let mut features = Vec::new();
            for (place, &j) in sparse.indices.iter().enumerate() {
                let j = j as usize;
                x[j] = sparse.values.get(place);
                features.push(pair(j, columns.number(j) + usize::from(*base), x[j]));
            }
            Ok(Some(Row { x, features }))
        }
        // Rows are read with the options of the model, which refuse the other kind of input.
        _ => Ok(None),
    }
}

/// Returns an index:value pair: a number with unknown mean and standard deviation in training.
pub(super) fn pair(j: usize, number: usize, value: f64) -> Feature {
    Feature {
        name: number.to_string(),
        cell: Cell::Number(value),
        columns: j..j + 1,
        kind: Kind::Number { mean: 0.0, scale: 1.0, indicator: false },
    }
}

fn kind(encoding: &Encoding) -> Kind {
    match encoding {
        Encoding::Number { mean, scale, indicator } => {
            Kind::Number { mean: *mean, scale: *scale, indicator: *indicator }
        }
        Encoding::Category { levels, .. } => Kind::Word { levels: levels.clone() },
        Encoding::Hashed { .. } => Kind::Hashed,
    }
}

fn cell(table: &Table, values: &Values, kind: &Kind) -> Cell {
    match values {
        Values::Numeric { slot } => match table.row(0)[*slot] {
            v if v.is_nan() => Cell::Missing,
            v => Cell::Number(v),
        },
        Values::Categorical { codes, .. } if codes[0] == MISSING => Cell::Missing,
        Values::Categorical { codes, levels } => {
            let word = levels[codes[0] as usize].clone();
            match kind {
                Kind::Word { levels } if !levels.contains(&word) => Cell::Unknown(word),
                _ => Cell::Word(word),
            }
        }
    }
}
