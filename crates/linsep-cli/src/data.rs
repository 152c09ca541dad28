//! The options that say how data is read, the same for every command.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep_io::{Force, Format, Input, ReadOptions};
use std::path::Path;

/// How to read the data
#[derive(Args)]
#[command(next_help_heading = "Reading data")]
pub struct DataArgs {
    /// Column with the classes [default: target, label, class or y, else the last]
    #[arg(long, value_name = "COLUMN")]
    pub target: Option<String>,

    /// Format of the data [default: told from the content]
    #[arg(long, value_name = "FORMAT", value_parser = ["csv", "libsvm"])]
    format: Option<String>,

    /// Character between fields, or "tab" [default: told from the content]
    #[arg(long, value_name = "CHAR", value_parser = byte)]
    delimiter: Option<u8>,

    /// Character around fields that contain delimiters, or "none"
    #[arg(long, value_name = "CHAR", default_value = "\"", value_parser = quote)]
    quote: Quote,

    /// Skip lines that begin with this character
    #[arg(long, value_name = "CHAR", value_parser = byte)]
    comment: Option<u8>,

    /// The first line is a header
    #[arg(long, conflicts_with = "no_header")]
    header: bool,

    /// The first line is data
    #[arg(long)]
    no_header: bool,

    /// A word that means "missing", besides the empty cell, NA, N/A, NaN, null and ?
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    na: Vec<String>,

    /// Read this column as numbers
    #[arg(long, value_name = "COLUMN")]
    numeric: Vec<String>,

    /// Read this column as words
    #[arg(long, value_name = "COLUMN")]
    categorical: Vec<String>,

    /// Leave this column out
    #[arg(long, value_name = "COLUMN")]
    drop: Vec<String>,

    /// LIBSVM: indices start at 0 [default: where an index 0 occurs]
    #[arg(long)]
    zero_based: bool,

    /// LIBSVM: accept only what LIBLINEAR accepts
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy)]
struct Quote(Option<u8>);

fn byte(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if matches!(text, "tab" | "\\t") => Ok(b'\t'),
        _ if text == "space" => Ok(b' '),
        [byte] => Ok(*byte),
        _ => Err("give one plain character, or the word tab or space".to_owned()),
    }
}

fn quote(text: &str) -> Result<Quote, String> {
    if text == "none" { Ok(Quote(None)) } else { byte(text).map(|b| Quote(Some(b))) }
}

impl DataArgs {
    /// Reads a file.
    pub fn read(&self, path: &Path, out: &Output) -> Result<Input, Failure> {
        Ok(linsep_io::read(path, &self.options(out.threads))?)
    }

    fn options(&self, threads: usize) -> ReadOptions {
        let named = |format: &Format| self.format.as_deref() == Some(format.name());
        let format = Format::ALL.into_iter().find(named);
        let mut options = ReadOptions { format, ..ReadOptions::default() };
        let csv = &mut options.csv;
        csv.delimiter = self.delimiter;
        csv.quote = self.quote.0;
        csv.comment = self.comment;
        csv.header = match (self.header, self.no_header) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        csv.missing.extend(self.na.iter().cloned());
        for (names, force) in [
            (&self.numeric, Force::Numeric),
            (&self.categorical, Force::Words),
            (&self.drop, Force::Drop),
        ] {
            csv.force.extend(names.iter().map(|name| (name.clone(), force)));
        }
        csv.threads = threads;
        options.libsvm.zero_based = self.zero_based.then_some(true);
        options.libsvm.strict = self.strict;
        options.libsvm.threads = threads;
        options
    }
}
