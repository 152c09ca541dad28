//! Argument for a Boolean function: an expression, a truth table in bits or hexadecimal, or a table
//! in a file.

use crate::failure::Failure;
use crate::layout::entry;
use crate::output::Output;
use clap::Args;
use linsep::logic::{Expression, TruthTable};
use linsep::{ReadOptions, Source, read_truth};
use serde_json::{Value, json};
use std::path::Path;

#[derive(Args)]
pub struct FunctionArgs {
    /// Boolean function: an expression like 'x1 & !(x2 | x3)', 'a ^ b', 'maj(a, b, c)' or 'a -> b';
    /// a truth table in bits (0110, inputs from 00 to 11, the last input fastest) or hexadecimal
    /// (0xe8); or a file with one row per input vector
    #[arg(value_name = "EXPR|TABLE|FILE", allow_hyphen_values = true)]
    function: String,

    /// Column of the output in a file
    /// [default: target, label, class, output, f or y, else the last]
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
}

/// A function with names for its inputs.
pub struct Function {
    /// Function as given by the user.
    pub text: String,
    pub inputs: Vec<String>,
    pub truth: TruthTable,
}

impl FunctionArgs {
    /// Returns the argument as a path, which need not exist.
    pub fn file(&self) -> &Path {
        Path::new(&self.function)
    }

    /// Parses the argument. An existing file takes precedence over an expression.
    pub fn read(&self, out: &Output) -> Result<Function, Failure> {
        let text = self.function.clone();
        if let Some(truth) = TruthTable::parse(&text) {
            let truth = truth?;
            let inputs = (1..=truth.inputs()).map(|j| format!("x{j}")).collect();
            return Ok(Function { text, inputs, truth });
        }
        if text == "-" || Path::new(&text).is_file() || looks_like_a_file(&text) {
            let mut options = ReadOptions::default();
            options.csv.threads = out.threads;
            let source = Source::open(&text)?;
            let (inputs, truth) = read_truth(source, self.target.as_deref(), &options)?;
            return Ok(Function { text, inputs, truth });
        }
        let Expression { inputs, truth } = Expression::parse(&text)?;
        Ok(Function { text, inputs, truth })
    }
}

impl Function {
    /// Returns the inputs of a row as text: `011`.
    pub fn row(&self, row: usize) -> String {
        self.truth.row(row).iter().map(ToString::to_string).collect()
    }

    /// Returns the description of the function as text.
    pub fn text(&self) -> String {
        let (n, rows) = (self.truth.inputs(), self.truth.rows());
        let names = if n == 0 { String::new() } else { format!(" ({})", self.inputs.join(", ")) };
        let mut shown: String = self.text.chars().take(80).collect();
        if self.text.chars().count() > 80 {
            shown.push('…');
        }
        let inputs = linsep_report::number::plural(n, "input", "inputs");
        let ones = self.truth.ones();
        let mut text = String::new();
        let value = format!("{shown}: {inputs}{names}, true in {ones} of {rows} rows");
        entry(&mut text, "function", &value);
        if n <= 6 {
            let (bits, hex) = (self.truth.bits(), self.truth.hex());
            entry(&mut text, "truth table", &format!("{bits} (from the first row down), {hex}"));
        }
        text
    }

    /// Returns the description of the function as JSON.
    pub fn json(&self) -> Value {
        json!({ "inputs": self.inputs, "hex": self.truth.hex(), "ones": self.truth.ones(), "rows": self.truth.rows() })
    }
}

/// Returns whether a text is a file name with an extension, which no expression has, so that the
/// error is about a missing file.
fn looks_like_a_file(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let plain = |ending: &str| ending.chars().all(char::is_alphanumeric);
    ending.is_some_and(plain) && !text.contains(char::is_whitespace)
}
