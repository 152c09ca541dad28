//! Options for reading data and for the roles of columns, shared by all commands.

use crate::failure::Failure;
use crate::lists::{List, all};
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use linsep::core::text::{TextSettings, Unit};
use linsep::io::{ClassColumn, Force, Format, Input, ReadOptions};
use linsep::jobs::Evaluate;
use linsep::{FeatureMap, MissingPolicy, RecipeSettings, SampleWeights, TrainingSettings};
use std::path::{Path, PathBuf};

/// The group of these options in the help.
const PREPROCESSING: &str = "Preprocessing";

/// Data for training or for a check
#[derive(Args)]
pub struct InputArgs {
    /// Data files, read as one data set; - is stdin
    // Without the heading of options flattened before.
    #[arg(required = true, help_heading = None::<&str>)]
    pub data: Vec<PathBuf>,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    pub reading: ReadArgs,
}

impl InputArgs {
    /// Reads the files as one data set.
    pub fn read(&self, out: &Output) -> Result<Input, Failure> {
        let (columns, mut options) = (&self.columns, self.reading.options(out));
        let counts = &columns.counts.counts;
        for (names, force) in [
            (&columns.numeric, Force::Numeric),
            (counts, Force::Numeric),
            (&columns.categorical, Force::Categorical),
            (&columns.text, Force::Categorical),
            (&columns.drop, Force::Drop),
        ] {
            options.csv.force.extend(all(names).into_iter().map(|name| (name, force)));
        }
        if counts.is_empty() {
            options.csv.classes = ClassColumn::of(columns.target.as_deref());
        }
        let _progress = Progress::new("reading");
        Ok(linsep::io::read_files(&self.data, &options)?)
    }

    /// Roles and preprocessing of the columns.
    pub fn settings(&self, out: &Output) -> TrainingSettings {
        self.columns.settings(out)
    }

    /// The path in `--weights`, which may be a column instead.
    pub fn weights_file(&self) -> Option<&Path> {
        self.columns.weights.as_deref().map(Path::new)
    }
}

/// Columns and preprocessing
#[derive(Args)]
#[command(next_help_heading = "Data")]
struct ColumnArgs {
    /// Target column
    #[arg(
        long_help = "Target column, which contains the classes [default: target, label, class or y, else the last column]",
        long,
        value_name = "COLUMN"
    )]
    target: Option<String>,

    #[command(flatten)]
    counts: CountArgs,

    /// Column or file of sample weights
    #[arg(long, value_name = "COLUMN|FILE", conflicts_with = "counts")]
    weights: Option<String>,

    /// Rename classes
    #[arg(long, value_name = "OLD=NEW,…", allow_hyphen_values = true, hide_short_help = true)]
    label_map: Vec<List>,

    /// Use only these columns
    #[arg(long = "columns", value_name = "COLUMN,…", hide_short_help = true)]
    only: Vec<List>,

    /// Drop columns; quote a name with a comma: "a,b"
    #[arg(long, value_name = "COLUMN,…")]
    drop: Vec<List>,

    /// Read columns as categorical (one-hot encoded)
    #[arg(long, value_name = "COLUMN,…", help_heading = PREPROCESSING)]
    categorical: Vec<List>,

    /// Read columns as numeric
    #[arg(long, value_name = "COLUMN,…", help_heading = PREPROCESSING, hide_short_help = true)]
    numeric: Vec<List>,

    /// Encode columns of free text by the words that they contain (n-grams, tf-idf)
    #[arg(long, value_name = "COLUMN,…", help_heading = PREPROCESSING, hide_short_help = true)]
    text: Vec<List>,

    /// Lengths of the n-grams of text [default: 1-2]
    #[arg(long, value_name = "N|FROM-TO", help_heading = PREPROCESSING, hide_short_help = true, value_parser = lengths)]
    ngrams: Option<(usize, usize)>,

    /// Form n-grams of characters instead of words
    #[arg(long, help_heading = PREPROCESSING, hide_short_help = true)]
    characters: bool,

    /// Drop n-grams that fewer texts contain [default: 2]
    #[arg(long, value_name = "N", help_heading = PREPROCESSING, hide_short_help = true)]
    min_df: Option<f64>,

    /// Hash n-grams to 2^BITS features [default: keep a vocabulary]
    #[arg(long, value_name = "BITS", help_heading = PREPROCESSING, hide_short_help = true)]
    text_bits: Option<u32>,

    /// Add nonlinear features, such as poly(2) or spline(x, 5); repeat, or separate by ;
    #[arg(
        long_help = "Add nonlinear features; repeat the option, or separate by ;\n\
            poly(2)         products of numeric columns, of degree up to 2\n\
            poly(2, x, y)   products of these columns\n\
            interactions    products of each pair of columns\n\
            log(x)          log(1 + x) instead of x; log(*) for all x ≥ 0\n\
            bins(x, 10)     ten quantile bins instead of x; bins(*, 10) for all\n\
            spline(x, 5)    cubic splines with 5 knots instead of x; spline(*, 5)",
        long, value_name = "SPEC", help_heading = PREPROCESSING, hide_short_help = true,
        value_parser = FeatureMap::parse_all
    )]
    features: Vec<Vec<FeatureMap>>,

    /// Treatment of missing values [default: impute]
    #[arg(long, value_name = "POLICY", help_heading = PREPROCESSING, hide_short_help = true, value_parser = MissingPolicy::ALL.map(MissingPolicy::name))]
    missing: Option<String>,

    /// Keep raw features [default: standardize to mean 0, standard deviation 1]
    #[arg(long, help_heading = PREPROCESSING, hide_short_help = true)]
    no_standardize: bool,

    /// Hash categorical columns with more than N levels [default: 1000]
    #[arg(long, value_name = "N", help_heading = PREPROCESSING, hide_short_help = true)]
    max_levels: Option<usize>,
}

impl ColumnArgs {
    /// Settings of the n-grams of text.
    fn ngrams(&self) -> TextSettings {
        let own = TextSettings::default();
        let (from, to) = self.ngrams.unwrap_or((own.from, own.to));
        let unit = if self.characters { Unit::Characters } else { own.unit };
        let min_df = self.min_df.unwrap_or(own.min_df);
        TextSettings { unit, from, to, min_df, bits: self.text_bits, ..own }
    }

    /// Settings of training data.
    fn settings(&self, out: &Output) -> TrainingSettings {
        let own = RecipeSettings::default();
        let named = |policy: &MissingPolicy| self.missing.as_deref() == Some(policy.name());
        TrainingSettings {
            target: self.target.clone(),
            counts: self.counts.names(),
            weights: self.weights.clone().map(SampleWeights::Named),
            label_map: all(&self.label_map),
            recipe: RecipeSettings {
                missing: MissingPolicy::ALL.into_iter().find(named).unwrap_or(own.missing),
                standardize: own.standardize && !self.no_standardize,
                max_levels: self.max_levels.unwrap_or(own.max_levels),
                only: all(&self.only),
                keep: all(&self.categorical),
                text: all(&self.text),
                ngrams: self.ngrams(),
                features: self.features.concat(),
                ..own
            },
            memory: out.memory,
            any_target: out.force,
        }
    }
}

/// Tables of counts
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub struct CountArgs {
    /// Columns of counts, one per class and named after it, instead of target and weights
    #[arg(long, value_name = "COLUMN,…", conflicts_with = "target", hide_short_help = true)]
    counts: Vec<List>,
}

impl CountArgs {
    /// Names of the columns of counts.
    pub fn names(&self) -> Vec<String> {
        all(&self.counts)
    }
}

/// Roles of columns for a model
#[derive(Args)]
#[command(next_help_heading = "Data")]
pub struct ScoreArgs {
    /// Target column [default: as in training]
    #[arg(long, value_name = "COLUMN")]
    pub target: Option<String>,

    #[command(flatten)]
    pub counts: CountArgs,

    /// Column of sample weights, or file with one weight per row
    #[arg(long, value_name = "COLUMN|FILE", conflicts_with = "counts")]
    pub weights: Option<String>,

    /// Rename classes of the data to those of the model
    #[arg(long, value_name = "OLD=NEW,…", allow_hyphen_values = true)]
    label_map: Vec<List>,
}

impl ScoreArgs {
    /// The path in `--weights`, which may be a column instead.
    pub fn weights_file(&self) -> Option<&Path> {
        self.weights.as_deref().map(Path::new)
    }

    /// The request for an evaluation.
    pub fn job(&self, out: &Output) -> Evaluate {
        Evaluate {
            target: self.target.clone(),
            counts: self.counts.names(),
            weights: self.weights.clone().map(SampleWeights::Named),
            label_map: all(&self.label_map),
            spill: out.spill(),
            ..Evaluate::default()
        }
    }
}

/// How to read the data
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub struct ReadArgs {
    /// Format of the data [default: detected]
    #[arg(long, hide_short_help = true, value_name = "FORMAT", value_parser = Format::ALL.map(Format::name))]
    format: Option<String>,

    /// Field delimiter: a character, or "tab" [default: detected]
    #[arg(long, hide_short_help = true, value_name = "CHAR", value_parser = byte)]
    delimiter: Option<u8>,

    /// Quote character, or "none"
    #[arg(long, hide_short_help = true, value_name = "CHAR", default_value = "\"", value_parser = quote)]
    quote: Quote,

    /// Skip lines that start with this character
    #[arg(long, hide_short_help = true, value_name = "CHAR", value_parser = byte)]
    comment: Option<u8>,

    /// The first line is a header
    #[arg(long, hide_short_help = true, conflicts_with = "no_header")]
    header: bool,

    /// The first line is a row
    #[arg(long, hide_short_help = true)]
    no_header: bool,

    /// Additional markers of missing values, besides empty, NA, N/A, NaN, null and ?
    #[arg(long, hide_short_help = true, value_name = "MARK,…", allow_hyphen_values = true)]
    na: Vec<List>,

    /// LIBSVM: indices start at 0 [default: only if index 0 occurs]
    #[arg(long, hide_short_help = true)]
    zero_based: bool,

    /// LIBSVM: accept only files that LIBLINEAR accepts
    #[arg(long, hide_short_help = true)]
    strict: bool,
}

#[derive(Clone, Copy)]
struct Quote(Option<u8>);

/// Parses lengths of n-grams: a number, or two with a hyphen.
fn lengths(text: &str) -> Result<(usize, usize), String> {
    let (from, to) = text.split_once('-').unwrap_or(("1", text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) => Ok((from, to)),
        _ => Err(format!("expected a length such as 2, or two such as 1-2, found {text:?}")),
    }
}

fn byte(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if matches!(text, "tab" | "\\t") => Ok(b'\t'),
        _ if text == "space" => Ok(b' '),
        [byte] => Ok(*byte),
        _ => Err("expected one ASCII character, tab or space".to_owned()),
    }
}

fn quote(text: &str) -> Result<Quote, String> {
    if text == "none" { Ok(Quote(None)) } else { byte(text).map(|b| Quote(Some(b))) }
}

impl ReadArgs {
    /// Whether LIBSVM files must be valid for LIBLINEAR.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// The options of the readers.
    pub fn options(&self, out: &Output) -> ReadOptions {
        let threads = out.threads;
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
        csv.missing.extend(all(&self.na));
        csv.threads = threads;
        options.libsvm.zero_based = self.zero_based.then_some(true);
        options.libsvm.strict = self.strict;
        options.libsvm.threads = threads;
        options.csv.limits.memory = out.memory;
        options.libsvm.limits.memory = out.memory;
        options
    }
}

/// The name of the data: the file, or the first file and the number of others.
pub fn name_of(paths: &[PathBuf]) -> String {
    let first = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    match paths.len() {
        0 | 1 => first,
        2 => format!("{first} and 1 more file"),
        n => format!("{first} and {} more files", n - 1),
    }
}
