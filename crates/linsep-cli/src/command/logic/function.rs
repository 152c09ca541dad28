//! A Boolean function as a user gives it: an expression, a truth table in bits or hexadecimal, or a table in a file.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::logic::{Expression, MOST_INPUTS, Truth};
use linsep_io::table::{Column, MISSING, Table, Values};
use linsep_io::{Input, ReadOptions};
use serde_json::{Value, json};
use std::path::Path;

#[derive(Args)]
pub struct FunctionArgs {
    /// The function: an expression such as 'x1 & !(x2 | x3)', 'a ^ b', 'maj(a, b, c)' or 'a -> b'; a truth table
    /// as bits (0110, from all inputs 0 to all inputs 1, the first input slowest) or as a number (0xe8); or a
    /// file with a row for each
    #[arg(value_name = "EXPR|TABLE|FILE", allow_hyphen_values = true)]
    function: String,

    /// In a file, the column with the output [default: target, label, class, output, f or y, else the last]
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
}

/// A function with names for its inputs.
pub struct Function {
    /// As it was given.
    pub text: String,
    pub inputs: Vec<String>,
    pub truth: Truth,
}

impl FunctionArgs {
    /// The file with the function, if what is given is one.
    pub fn file(&self) -> &Path {
        Path::new(&self.function)
    }

    /// Understands it. A file is taken for one, if there is one of that name.
    pub fn read(&self, out: &Output) -> Result<Function, Failure> {
        let text = self.function.clone();
        if let Some(truth) = Truth::parse(&text) {
            let truth = truth?;
            let inputs = (1..=truth.inputs()).map(|j| format!("x{j}")).collect();
            return Ok(Function { text, inputs, truth });
        }
        if text == "-" || Path::new(&text).is_file() || looks_like_a_file(&text) {
            let mut options = ReadOptions::default();
            options.csv.threads = out.threads;
            let Input::Table(table) = linsep_io::read(Path::new(&text), &options)? else {
                return Err(Failure::Refused(format!(
                    "{text}: found numbered pairs (LIBSVM) where a truth table belongs; write it as CSV"
                )));
            };
            return from_table(text, &table, self.target.as_deref());
        }
        let Expression { inputs, truth } = Expression::parse(&text)?;
        Ok(Function { text, inputs, truth })
    }
}

impl Function {
    /// The inputs of a row as text: `011`.
    pub fn row(&self, row: usize) -> String {
        self.truth.row(row).iter().map(ToString::to_string).collect()
    }

    /// What it is, in lines for a person.
    pub fn text(&self) -> String {
        let (n, rows) = (self.truth.inputs(), self.truth.rows());
        let names = if n == 0 { String::new() } else { format!(" ({})", self.inputs.join(", ")) };
        let mut shown: String = self.text.chars().take(80).collect();
        if self.text.chars().count() > 80 {
            shown.push('…');
        }
        let inputs = crate::text::plural(n, "input", "inputs");
        let mut text = format!(
            "function  {shown}: {inputs}{names}, true in {} of {rows} rows\n",
            self.truth.ones()
        );
        if n <= 6 {
            text += &format!(
                "table     {} (from the first row down), {}\n",
                self.truth.bits(),
                self.truth.hex()
            );
        }
        text
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        json!({ "inputs": self.inputs, "hex": self.truth.hex(), "ones": self.truth.ones(), "rows": self.truth.rows() })
    }
}

/// A name with an ending, which no expression is: what is wrong with it is said of the file.
fn looks_like_a_file(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let plain = |ending: &str| ending.chars().all(char::is_alphanumeric);
    ending.is_some_and(plain) && !text.contains(char::is_whitespace)
}

/// What words and numbers mean: false, true.
const MEANINGS: [(&str, &str); 7] = [
    ("0", "1"),
    ("-1", "1"),
    ("false", "true"),
    ("no", "yes"),
    ("f", "t"),
    ("n", "y"),
    ("off", "on"),
];

fn from_table(name: String, table: &Table, target: Option<&str>) -> Result<Function, Failure> {
    // 1. Which column is the output?
    let usual = ["target", "label", "class", "output", "f", "y"];
    let place = |name: &str| table.columns.iter().position(|c| c.name == name);
    let at = if let Some(target) = target {
        place(target).ok_or_else(|| {
            let known: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
            let known = known.join(", ");
            Failure::Usage(format!(
                "{name}: there is no column called {target}; the columns are {known}"
            ))
        })?
    } else {
        usual.into_iter().find_map(place).unwrap_or(table.columns.len() - 1)
    };
    let columns: Vec<&Column> =
        table.columns.iter().enumerate().filter(|(c, _)| *c != at).map(|(_, c)| c).collect();
    let n = columns.len();
    if n > MOST_INPUTS {
        return Err(linsep::Error::TooLarge { what: "inputs", got: n, most: MOST_INPUTS }.into());
    }

    // 2. Each row once.
    let mut outputs: Vec<Option<bool>> = vec![None; 1 << n];
    for i in 0..table.rows {
        let mut row = 0;
        for column in &columns {
            row = 2 * row + usize::from(meaning(&name, table, column, i)?);
        }
        let output = meaning(&name, table, &table.columns[at], i)?;
        if outputs[row].is_some_and(|before| before != output) {
            return Err(Failure::Refused(format!(
                "{name}: row {} has the inputs of an earlier row, but another output",
                i + 1
            )));
        }
        outputs[row] = Some(output);
    }

    // 3. And every row.
    let lacks = outputs.iter().position(Option::is_none);
    if let Some(row) = lacks {
        let cell = |(j, c): (usize, &&Column)| format!("{} = {}", c.name, row >> (n - 1 - j) & 1);
        let cells: Vec<String> = columns.iter().enumerate().map(cell).collect();
        let there = outputs.iter().flatten().count();
        return Err(Failure::Refused(format!(
            "{name}: a truth table of {n} inputs has {} rows, and {there} are there; the first that is missing has {}. \
             For a part of a table ask `linsep separable`",
            1_usize << n,
            cells.join(", ")
        )));
    }
    let truth = Truth::from_fn(n, |row| outputs[row] == Some(true))?;
    Ok(Function { text: name, inputs: columns.iter().map(|c| c.name.clone()).collect(), truth })
}

/// Whether a cell is true.
fn meaning(name: &str, table: &Table, column: &Column, row: usize) -> Result<bool, Failure> {
    let text = match &column.values {
        Values::Number { slot } => {
            let v = table.row(row)[*slot];
            if v.is_nan() { String::new() } else { v.to_string() }
        }
        Values::Words { codes, .. } if codes[row] == MISSING => String::new(),
        Values::Words { codes, levels } => levels[codes[row] as usize].trim().to_lowercase(),
    };
    let known = |(no, yes): &(&str, &str)| match &text {
        t if t == no => Some(false),
        t if t == yes => Some(true),
        _ => None,
    };
    MEANINGS.iter().find_map(known).ok_or_else(|| {
        let found = if text.is_empty() { "nothing".to_owned() } else { format!("{text:?}") };
        Failure::Refused(format!(
            "{name}: row {}, column {}: found {found} where 0 or 1 belongs (or −1 and 1, false and true, no and yes)",
            row + 1,
            column.name
        ))
    })
}
