//! `linsep transform`: every row projected onto the discriminant directions of a model, or
//! rewritten by Kesler's construction.

use super::files::Files;
use super::kesler::{self, KeslerArgs};
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::{Output, print, print_notes};
use clap::Args;
use linsep::{AtomicFile, Kind, LabelMap, ModelFile, Scoring, Source};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct TransformArgs {
    /// Model file with discriminant directions (--method fisher); with --kesler the data file
    model: PathBuf,

    /// Data files, projected one after another; - is stdin
    #[arg(required_unless_present = "kesler", conflicts_with = "kesler")]
    data: Vec<PathBuf>,

    /// Write Kesler's construction of the data without a model, as `linsep kesler` does
    #[arg(long, conflicts_with = "dims", help_heading = "Method")]
    kesler: bool,

    /// Number of directions, those of the largest between-class variance first [default: all]
    #[arg(long, value_name = "N", help_heading = "Method")]
    dims: Option<usize>,

    /// Write the coordinates to this file [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadArgs,
}

/// Recognition of a file of coordinates before it is overwritten.
const KIND: Kind = Kind {
    name: "a file of coordinates",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        if text.starts_with('{') {
            return text.starts_with("{\"n\":") && text.contains(",\"names\":[\"direction_1\"");
        }
        text.lines()
            .next()
            .unwrap_or_default()
            .split(',')
            .zip(1..)
            .all(|(column, j)| column == direction(j))
    },
};

/// Returns the name of a coordinate, counted from 1.
fn direction(j: usize) -> String {
    format!("direction_{j}")
}

impl TransformArgs {
    /// Returns the files read and written.
    pub fn files(&self) -> Files<'_> {
        let kind = if self.kesler { kesler::KIND } else { KIND };
        Files::default().reads([&self.model]).reads(&self.data).writes(
            "output",
            self.output.clone(),
            kind,
        )
    }
}

pub fn run(args: &TransformArgs, out: &Output) -> Result<(), Failure> {
    if args.kesler {
        let (data, output) = (args.model.clone(), args.output.clone());
        return kesler::run(&KeslerArgs::plain(data, output, args.reading.clone()), out);
    }

    // 1. The directions.
    let model_file = ModelFile::load(&args.model)?;
    let (has, name) = (model_file.directions.len(), args.model.display());
    if has == 0 {
        return Err(Failure::Refused(format!(
            "{name}: expected a model with discriminant directions, found {}. Fit a model with --method fisher.",
            model_file.header.method
        )));
    }
    let dims = args.dims.unwrap_or(has);
    if dims == 0 || dims > has {
        return Err(Failure::Usage(format!(
            "--dims: expected 1 to {has}, the number of directions of {name}, found {dims}"
        )));
    }

    // 2. Project block by block; a row that cannot be projected becomes an empty row.
    let (read, map) = (args.reading.options(out), LabelMap::default());
    let scoring = Scoring {
        model_file: &model_file,
        hyperplanes: &model_file.directions[..dims],
        read: &read,
        labels: false,
        target: None,
        counts: &[],
        weights: None,
        map: &map,
    };
    let sources = args.data.iter().map(Source::open).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = (1..=dims).map(direction).collect();
    let mut rows: Vec<Option<Vec<f64>>> = Vec::new();
    let mut notes = Vec::new();
    for source in sources {
        notes.extend(scoring.run(source, |batch| {
            let mut scores = batch.scores.chunks_exact(dims);
            let row = |kept: &bool| if *kept { scores.next().map(<[f64]>::to_vec) } else { None };
            rows.extend(batch.kept.iter().map(row));
            Ok(())
        })?);
    }

    // 3. Write.
    let text = if out.json { as_json(&names, &rows) } else { as_csv(&names, &rows) };
    match &args.output {
        None => print(text.as_bytes())?,
        Some(path) => AtomicFile::write_whole(path, text.as_bytes())?,
    }
    print_notes(&notes);
    Ok(())
}

fn as_csv(names: &[String], rows: &[Option<Vec<f64>>]) -> String {
    let mut text = names.join(",");
    text.push('\n');
    for row in rows {
        match row {
            Some(row) => {
                let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
                let _ = writeln!(text, "{}", cells.join(","));
            }
            None => text.extend([&",".repeat(names.len() - 1), "\n"]),
        }
    }
    text
}

fn as_json(names: &[String], rows: &[Option<Vec<f64>>]) -> String {
    let rows: Vec<Value> = rows.iter().map(|row| json!(row)).collect();
    format!("{}\n", json!({ "n": rows.len(), "names": names, "rows": rows }))
}
