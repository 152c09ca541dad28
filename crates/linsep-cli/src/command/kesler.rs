//! `linsep kesler`: Kesler's construction as a CSV file. A multiclass problem becomes a problem of
//! one hyperplane in more dimensions (Duda, Hart and Stork, 5.12).

use super::files::Files;
use crate::data::{ReadArgs, problem};
use crate::failure::Failure;
use crate::layout::{entry, whole_entry};
use crate::output::{Output, print};
use clap::Args;
use linsep::multiclass::{Expanded, expand};
use linsep::{AtomicFile, ClassColumn, Kind, RecipeSettings, TrainingData, TrainingSettings};
use linsep_report::flags::field;
use linsep_report::number::{count, plural};
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct KeslerArgs {
    /// Data file; - is stdin
    data: PathBuf,

    /// Write the rows as CSV to this file [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Negate the rows against an earlier class and label them −1, to train on two classes
    #[arg(long, help_heading = "Method")]
    mirror: bool,

    /// Omit the intercept column of each class
    #[arg(long, help_heading = "Method")]
    no_intercept: bool,

    /// Target column [default: target, label, class or y, else the last]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    target: Option<String>,

    #[command(flatten)]
    reading: ReadArgs,
}

impl KeslerArgs {
    /// Returns the files read and written.
    pub fn files(&self) -> Files<'_> {
        Files::default().reads([&self.data]).writes("output", self.output.clone(), KIND)
    }

    /// Returns the command with default settings.
    pub(super) fn plain(data: PathBuf, output: Option<PathBuf>, reading: ReadArgs) -> Self {
        Self { data, output, mirror: false, no_intercept: false, target: None, reading }
    }
}

/// Recognition of a file of Kesler's construction before it is overwritten, by its columns.
pub(super) const KIND: Kind = Kind {
    name: "Kesler's construction",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        let (header, whole) =
            text.split_once('\n').map_or((text.as_ref(), false), |(header, _)| (header, true));
        header.contains(':') && (!whole || header.ends_with(",side"))
    },
};

/// Limit of cells of the written file.
const MOST: usize = 20_000_000;

pub fn run(args: &KeslerArgs, out: &Output) -> Result<(), Failure> {
    // 1. The data, not standardized.
    let name = args.data.display().to_string();
    let mut read = args.reading.options(out);
    read.csv.classes = ClassColumn::of(args.target.as_deref());
    let input = linsep::read(&args.data, &read)?;
    let recipe = RecipeSettings { standardize: false, ..RecipeSettings::default() };
    let settings = TrainingSettings {
        target: args.target.clone(),
        recipe,
        any_target: out.force,
        ..TrainingSettings::default()
    };
    let training = TrainingData::new(input, &settings)?;
    let problem = problem(&training, None, &name)?;
    let (n, d, k) = (training.x.n(), training.x.d(), training.labels.k());
    let block = d + usize::from(!args.no_intercept);
    let (rows, columns) = (n * (k - 1), k * block);
    if rows.saturating_mul(columns) > MOST {
        return Err(Failure::Refused(format!(
            "{name}: expected at most {} cells, but Kesler's construction has {} rows of {} columns. Train on the data \
             directly with fit --multiclass kesler.",
            count(MOST as f64),
            count(rows as f64),
            count(columns as f64)
        )));
    }

    // 2. The construction as a table.
    let expanded = expand(&problem, !args.no_intercept, args.mirror)?;
    let text = table(&expanded, &training, !args.no_intercept);
    let Some(path) = &args.output else { return print(text.as_bytes()) };
    AtomicFile::write_whole(path, text.as_bytes())?;
    out.result(
        || json!({ "rows": rows, "columns": columns, "classes": k, "path": path.display().to_string() }),
        || {
            let (rows, columns) = (plural(rows, "row", "rows"), plural(columns, "column", "columns"));
            let from = plural(n, "row", "rows");
            let mut text = String::new();
            entry(&mut text, "kesler", &format!("{from} of {k} classes expanded to {rows} of {columns}"));
            whole_entry(&mut text, "output", &path.display().to_string());
            text
        },
    )
}

/// Returns the CSV text: one block of columns per class, then the side.
fn table(expanded: &Expanded, training: &TrainingData, intercept: bool) -> String {
    let constant = if intercept { vec!["1".to_owned()] } else { Vec::new() };
    let columns: Vec<String> = training.recipe.features().into_iter().chain(constant).collect();
    let mut text = String::new();
    for class in training.labels.classes() {
        for column in &columns {
            let _ = write!(text, "{},", field(&format!("{class}:{column}")));
        }
    }
    text.push_str("side\n");
    let binary = expanded.part.binary();
    for (i, y) in binary.y().iter().enumerate() {
        for v in binary.x().row(i) {
            let _ = write!(text, "{},", v + 0.0); // no −0
        }
        let _ = writeln!(text, "{y}");
    }
    text
}
