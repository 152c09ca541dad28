//! The recipe's way back: which cell of a row became which columns of the design.

use crate::error::Error;
use crate::input::Input;
use crate::recipe::{Encoding, Recipe, Scaling};
use crate::table::{MISSING, Table, Values};
use linsep::Design;
use std::ops::Range;

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// A word that training did not have: it counts as none.
    Unknown(String),
    /// Nothing.
    Missing,
}

/// A cell and the columns of the design it became.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Feature {
    pub(super) name: String,
    pub(super) cell: Cell,
    pub(super) columns: Range<usize>,
    pub(super) kind: Kind,
}

/// What can be changed about a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number, with the mean and the deviation it had in training, and whether a column tells where it is missing.
    Number { mean: f64, scale: f64, indicator: bool },
    /// One of these words.
    Word { levels: Vec<String> },
    /// A word among too many.
    Hashed,
}

/// A row as the model takes it, and where it comes from.
pub(super) struct Row {
    pub(super) x: Vec<f64>,
    pub(super) features: Vec<Feature>,
}

/// The one row of an input; none where it misses a value and the model takes none such.
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
        // Rows are read with the model at hand, which refuses the other kind.
        _ => Ok(None),
    }
}

/// A numbered pair: a number whose spread in training is not known.
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
        Values::Number { slot } => match table.row(0)[*slot] {
            v if v.is_nan() => Cell::Missing,
            v => Cell::Number(v),
        },
        Values::Words { codes, .. } if codes[0] == MISSING => Cell::Missing,
        Values::Words { codes, levels } => {
            let word = levels[codes[0] as usize].clone();
            match kind {
                Kind::Word { levels } if !levels.contains(&word) => Cell::Unknown(word),
                _ => Cell::Word(word),
            }
        }
    }
}
