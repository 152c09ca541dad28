//! Truth tables from files: a row for each combination of inputs, and a column with the output.
//!
//! ```text
//!   a,b,output
//!   0,0,0
//!   0,1,1
//!   1,0,1
//!   1,1,0
//! ```
//!
//! The output is the target column of the options. Without one it is the first column called
//! `target`, `label`, `class`, `output`, `f` or `y`, else the last. Every other column is an input.
//! A cell is 0 or 1, −1 or 1, false or true, no or yes, off or on. Rows may come in any order, and
//! repeatedly if they agree. None may be missing.

use crate::error::Error;
use linsep_io::input::{Input, ReadOptions, read_source};
use linsep_io::location::{Location, few, quoted_excerpt};
use linsep_io::source::Source;
use linsep_io::table::{Column, MISSING, Table, Values};
use linsep_logic::{MOST_INPUTS, TruthTable};

/// Usual names of the output.
const USUAL: [&str; 6] = ["target", "label", "class", "output", "f", "y"];

/// Spellings of false and true.
const MEANINGS: [(&str, &str); 7] = [
    ("0", "1"),
    ("-1", "1"),
    ("false", "true"),
    ("no", "yes"),
    ("f", "t"),
    ("n", "y"),
    ("off", "on"),
];

/// Reads a truth table; returns the names of its inputs, and the function.
pub fn read_truth(
    source: Source,
    target: Option<&str>,
    options: &ReadOptions,
) -> Result<(Vec<String>, TruthTable), Error> {
    let table = match read_source(source, options)? {
        Input::Table(table) => table,
        Input::Sparse(sparse) => {
            let problem = "expected a truth table, found LIBSVM data";
            return Err(wrong(&sparse.name, problem, "Write it as CSV."));
        }
    };

    // 1. Find the output column.
    let place = |name: &str| table.columns.iter().position(|c| c.name == name);
    let at = match target {
        Some(target) => place(target).ok_or_else(|| Error::no_column(&table, target))?,
        None => USUAL.into_iter().find_map(place).unwrap_or(table.columns.len() - 1),
    };
    let inputs = table.columns.iter().enumerate().filter(|(c, _)| *c != at).map(|(_, c)| c);
    let inputs: Vec<&Column> = inputs.collect();
    let n = inputs.len();
    let core = |source| Error::Logic { place: Box::new(Location::file(&table.name)), source };
    if n > MOST_INPUTS {
        let error = linsep_core::Error::TooLarge { what: "inputs", got: n, most: MOST_INPUTS };
        return Err(core(error.into()));
    }

    // 2. Read the output of each row.
    let mut outputs: Vec<Option<bool>> = vec![None; 1 << n];
    for i in 0..table.rows {
        let mut row = 0;
        for column in &inputs {
            row = 2 * row + usize::from(meaning(&table, column, i)?);
        }
        let output = meaning(&table, &table.columns[at], i)?;
        if outputs[row].is_some_and(|before| before != output) {
            let problem =
                format!("row {} has the inputs of an earlier row but another output", i + 1);
            return Err(wrong(&table.name, &problem, "Remove one of the two rows."));
        }
        outputs[row] = Some(output);
    }

    // 3. Check that every row is present.
    if let Some(row) = outputs.iter().position(Option::is_none) {
        let cell =
            |(j, c): (usize, &&Column)| format!("{} = {}", few(&[&c.name]), row >> (n - 1 - j) & 1);
        let cells: Vec<String> = inputs.iter().enumerate().map(cell).collect();
        let found = outputs.iter().flatten().count();
        let problem = format!(
            "expected {} rows for {n} inputs, found {found}; the first missing row has {}",
            1_usize << n,
            cells.join(", ")
        );
        let hint = "For a partial table use `linsep separable`.";
        return Err(wrong(&table.name, &problem, hint));
    }
    let truth = TruthTable::from_fn(n, |row| outputs[row] == Some(true)).map_err(core)?;
    Ok((inputs.into_iter().map(|c| c.name.clone()).collect(), truth))
}

fn wrong(name: &str, problem: &str, hint: &str) -> Error {
    Error::data(Location::file(name), format!("{problem}. {hint}"))
}

/// Returns the truth value of a cell.
fn meaning(table: &Table, column: &Column, row: usize) -> Result<bool, Error> {
    let text = match &column.values {
        Values::Numeric { slot } => {
            let v = table.row(row)[*slot];
            if v.is_nan() { String::new() } else { v.to_string() }
        }
        Values::Categorical { codes, .. } if codes[row] == MISSING => String::new(),
        Values::Categorical { codes, levels } => levels[codes[row] as usize].trim().to_lowercase(),
    };
    let known = |(no, yes): &(&str, &str)| match &text {
        t if t == no => Some(false),
        t if t == yes => Some(true),
        _ => None,
    };
    MEANINGS.iter().find_map(known).ok_or_else(|| {
        let found = if text.is_empty() { "nothing".to_owned() } else { quoted_excerpt(&text) };
        let place = Location::row(&table.name, row, column.number, &column.name);
        let hint = "Use 0 and 1, -1 and 1, false and true, or no and yes.";
        Error::data(place, format!("expected 0 or 1, found {found}. {hint}"))
    })
}
