//! Argument for a Boolean function: an expression, a truth table in bits or hexadecimal, or a table
//! in a file.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::io::{ReadOptions, Source};
use linsep::jobs::logic::Function;
use linsep::read_truth;
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

impl FunctionArgs {
    /// Returns the argument as a path, which need not exist.
    pub fn file(&self) -> &Path {
        Path::new(&self.function)
    }

    /// Parses the argument. An existing file takes precedence over an expression.
    pub fn read(&self, out: &Output) -> Result<Function, Failure> {
        let text = self.function.clone();
        if let Some(function) = Function::of_bits(&text) {
            return Ok(function?);
        }
        if text == "-" || Path::new(&text).is_file() || looks_like_a_file(&text) {
            let mut options = ReadOptions::default();
            options.csv.threads = out.threads;
            let source = Source::open(&text)?;
            let (inputs, truth) = read_truth(source, self.target.as_deref(), &options)?;
            return Ok(Function { text, inputs, truth });
        }
        Ok(Function::of_expression(&text)?)
    }
}

/// Returns whether a text is a file name with an extension, which no expression has, so that the
/// error is about a missing file.
fn looks_like_a_file(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let plain = |ending: &str| ending.chars().all(char::is_alphanumeric);
    ending.is_some_and(plain) && !text.contains(char::is_whitespace)
}
