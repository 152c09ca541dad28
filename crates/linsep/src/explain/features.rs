//! Map from the cells of a row to the features of the design matrix.

use crate::error::Error;
use crate::recipe::step::Cells;
use crate::recipe::{Meaning, Recipe, Scaling, Step};
use linsep_io::input::Input;
use linsep_io::table::{Column, MISSING, Values};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
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
pub(super) struct Feature<'a> {
    pub(super) name: String,
    pub(super) cell: Cell,
    pub(super) columns: Range<usize>,
    pub(super) change: Change<'a>,
}

/// Possible changes of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change<'a> {
    /// Any number, and whether there is a missing indicator.
    Number { indicator: bool },
    /// One of these levels.
    Level(Vec<&'a str>),
    /// None.
    Fixed,
}

/// An encoded row with its cells.
pub(super) struct Row<'a> {
    pub(super) x: Vec<f64>,
    pub(super) features: Vec<Feature<'a>>,
}

/// The features of a step other than 0, such as the n-grams of a text: each has its own name.
fn derived<'a>(step: &dyn Step, columns: &Range<usize>, x: &[f64]) -> Vec<Feature<'a>> {
    let nonzero = columns.clone().filter(|&j| x[j] != 0.0);
    let feature = |j: usize| Feature {
        name: step.feature(j - columns.start),
        cell: Cell::Number(x[j]),
        columns: j..j + 1,
        change: Change::Fixed,
    };
    nonzero.map(feature).collect()
}

/// Encodes the only row of an input; `None` if a value is missing that the model cannot encode.
pub(super) fn row<'a>(recipe: &'a Recipe, input: &Input) -> Result<Option<Row<'a>>, Error> {
    let Some(x) = recipe.encode(input.clone(), Scaling::Raw)?.x else { return Ok(None) };
    let x = x.row(0);
    let features = match (input, &recipe.pairs) {
        (Input::Table(table), _) => {
            let mut readers: HashMap<&str, usize> = HashMap::new();
            let names = recipe.steps.iter().flat_map(|step| step.columns());
            names.for_each(|name| *readers.entry(name).or_default() += 1);
            let feature = |((step, columns), cells): ((&'a dyn Step, Range<usize>), Cells<'_>)| {
                if step.width() > 1 && step.meaning(0) == Meaning::Derived {
                    return derived(step, &columns, &x);
                }
                // A change of a cell that several steps read changes the features of each.
                let alone = matches!(step.columns(), [name] if readers[name.as_str()] == 1);
                let change = if alone { change(step) } else { Change::Fixed };
                vec![Feature { name: step.name(), cell: cell(step, &cells), columns, change }]
            };
            recipe.spans().zip(recipe.cells_of(table)?).flat_map(feature).collect()
        }
        // Zeros can change as well.
        (_, Some(pairs)) => x
            .iter()
            .enumerate()
            .map(|(j, &value)| Feature {
                name: pairs.index(j).to_string(),
                cell: Cell::Number(value),
                columns: j..j + 1,
                change: Change::Number { indicator: false },
            })
            .collect(),
        (Input::Sparse(_), None) => return Err(recipe.other_kind(input)),
    };
    Ok(Some(Row { x, features }))
}

fn change(step: &dyn Step) -> Change<'_> {
    match step.meaning(0) {
        Meaning::Number => Change::Number { indicator: step.has_indicator() },
        Meaning::Level(_) => Change::Level(step.levels().collect()),
        Meaning::SharedLevels | Meaning::Missing | Meaning::Derived => Change::Fixed,
    }
}

/// Returns the content of the cell that a step reads, or the contents of several cells as a text.
fn cell(step: &dyn Step, cells: &Cells<'_>) -> Cell {
    let of = |column: &Column| match &column.values {
        Values::Numeric { slot } => match cells.table.row(0)[*slot] {
            v if v.is_nan() => Cell::Missing,
            v => Cell::Number(v),
        },
        Values::Categorical { codes, .. } if codes[0] == MISSING => Cell::Missing,
        Values::Categorical { codes, levels } => {
            let level = levels[codes[0] as usize].clone();
            let mut known = step.levels().peekable();
            let is_known = known.peek().is_none() || known.any(|own| own == level);
            if is_known { Cell::Word(level) } else { Cell::Unknown(level) }
        }
    };
    let text = |column: &&Column| match of(column) {
        Cell::Number(v) => v.to_string(),
        Cell::Word(level) | Cell::Unknown(level) => level,
        Cell::Missing => "missing".to_owned(),
    };
    match &cells.columns[..] {
        [column] => of(column),
        columns => Cell::Word(columns.iter().map(text).collect::<Vec<_>>().join(" × ")),
    }
}
