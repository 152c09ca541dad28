//! Scoring of a file with a model, block by block, so that the file may be larger than memory.
//!
//! Columns are matched by name. Columns of a file without header are matched by position, if their
//! number is that of the steps of the recipe. Column types are those of the model, not inferred
//! from the file.

mod pick;

pub use pick::SelectedRow;

use crate::dataset::{count_cells, label_cells, refuse_counts, weight_column};
use crate::error::Error;
use crate::labels::{LabelMap, RowLabels};
use crate::model_file::ModelFile;
use crate::recipe::{Counts, Encoded, MissingPolicy, Recipe, Scaling};
use linsep_core::control::Note;
use linsep_core::model::scores_of;
use linsep_core::{Design, Hyperplane, Label};
use linsep_io::csv::Force;
use linsep_io::input::{Format, Input, ReadOptions, format_of, read_source, stream_table};
use linsep_io::libsvm::stream_libsvm;
use linsep_io::location::{Location, few};
use linsep_io::schema::TypeChooser;
use linsep_io::source::Source;
use linsep_io::table::{Sparse, Table};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Settings of scoring.
#[derive(Clone, Copy)]
pub struct Scoring<'a> {
    /// The model.
    pub model_file: &'a ModelFile,
    /// Read options.
    pub read: &'a ReadOptions,
    /// Hyperplanes that score the rows instead of the model, if any.
    pub projection: Option<&'a [Hyperplane]>,
    /// Whether classes are read in addition to the scores.
    pub labels: bool,
    /// Name of the target column, if not that of the model.
    pub target: Option<&'a str>,
    /// Count columns, one per class: instead of a target and weights.
    pub counts: &'a [String],
    /// Column with the sample weights, if they are read.
    pub weights: Option<&'a str>,
    /// Classes to rename.
    pub map: &'a LabelMap,
}

/// Columns with the classes of the rows.
enum ClassColumns<'a> {
    By(&'a str),
    Counts(&'a [String]),
}

/// Scored rows. A row of counts occurs once per count.
#[derive(Debug, Default)]
pub struct Batch {
    /// Scores of the kept rows, row-major.
    pub scores: Vec<f64>,
    /// Whether each row could be scored; false if a value is missing that the model cannot encode.
    pub kept: Vec<bool>,
    /// The class of each row, if read.
    pub labels: Option<RowLabels>,
    /// The sample weight of each row, if read.
    pub weights: Option<Vec<f64>>,
    /// Counts of missing values and of unseen levels.
    pub counts: Counts,
    /// Number of values in columns that the model does not have.
    pub unknown_values: u64,
}

impl Batch {
    /// Returns the batch with each row repeated for each of its `each` labels; unlabeled rows are
    /// dropped.
    fn repeated(self, each: usize, width: usize) -> Self {
        let Self { scores, kept, labels, weights, counts, unknown_values: beyond } = self;
        let (labels, weights) = (labels.unwrap_or_default(), weights.unwrap_or_default());
        let mut out = Self { counts, unknown_values: beyond, ..Self::default() };
        let (mut rows, mut answers) = (scores.chunks_exact(width), Vec::new());
        for (i, kept) in kept.into_iter().enumerate() {
            let row = if kept { rows.next() } else { None };
            for a in (i * each..(i + 1) * each).filter(|&a| labels.get(a).is_some()) {
                out.kept.push(kept);
                out.scores.extend_from_slice(row.unwrap_or_default());
                answers.push(a);
            }
        }
        out.weights = Some(answers.iter().map(|&a| weights[a]).collect());
        let codes = answers.iter().map(|&a| labels.codes[a]).collect();
        out.labels = Some(RowLabels { codes, ..labels });
        out
    }
}

impl Scoring<'_> {
    /// Scores a source and passes the batches to `take` in order. Returns notes for the user.
    pub fn run(
        &self,
        mut source: Source,
        mut take: impl FnMut(&Batch) -> Result<(), Error> + Send,
    ) -> Result<Vec<Note>, Error> {
        let name = source.name().to_owned();
        let format = format_of(&mut source, self.read)?;
        let (mut counts, mut beyond) = (Counts::default(), 0);
        let (mut notes, mut extra) = (Vec::new(), Vec::new());
        let read = self.blocks();
        let collect = |batch: Batch| {
            counts.add(&batch.counts);
            beyond += batch.unknown_values;
            take(&batch)
        };
        match (&self.recipe().pairs, format) {
            (Some(pairs), Format::Libsvm) => {
                refuse_counts(self.counts)?;
                let zero_based = Some(pairs.base == 0);
                let options = linsep_io::LibsvmOptions { zero_based, ..read.libsvm.clone() };
                stream_libsvm(source, &options, |s| self.sparse(s), collect)?;
            }
            (None, Format::Csv | Format::Parquet | Format::Arrow) => {
                let choose = self.type_chooser(&name, &mut extra);
                stream_table(source, format, &read.csv, choose, |t| self.table(t), collect)?;
            }
            // Data of another kind; `score` returns the error.
            (None, Format::Libsvm) | (Some(_), _) => {
                let mut collect = collect;
                collect(self.score(read_source(source, self.read)?)?)?;
            }
        }
        if !extra.is_empty() {
            let text = format!("columns unknown to the model, ignored: {}", few(&extra));
            notes.push(Note::new("unknown-columns", text));
        }
        if beyond > 0 {
            let text = format!("values in columns unknown to the model, ignored: {beyond}");
            notes.push(Note::new("unknown-values", text));
        }
        let missing = |n| format!("missing values: {n}");
        let unseen = |n| match n {
            1 => "1 cell has a level not seen in training, encoded as zeros".to_owned(),
            n => format!("{n} cells have levels not seen in training, encoded as zeros"),
        };
        notes.extend(counts_note("missing-values", missing, &counts.missing));
        notes.extend(counts_note("unseen-levels", unseen, &counts.unseen));
        Ok(notes)
    }

    /// Returns read options with blocks so small that the scores of a block take little more memory
    /// than its rows.
    fn blocks(&self) -> ReadOptions {
        /// Limit on the bytes of rows times the number of scores of a row.
        const SCORES: usize = 1 << 23;
        let mut read = self.read.clone();
        let most = (SCORES / self.width().max(1)).max(1 << 8);
        for limits in [&mut read.csv.limits, &mut read.libsvm.limits] {
            limits.block = limits.block.min(most);
        }
        read
    }

    /// Scores rows in memory.
    pub fn score(&self, input: Input) -> Result<Batch, Error> {
        match (self.recipe().pairs.is_some(), input) {
            (false, Input::Table(table)) => self.table(table),
            (true, Input::Sparse(sparse)) => self.sparse(Arc::unwrap_or_clone(sparse)),
            (_, other) => Err(self.recipe().other_kind(&other)),
        }
    }

    fn recipe(&self) -> &Recipe {
        &self.model_file.header.recipe
    }

    /// Returns a closure that selects the type of each column of a file; `extra` gets the names
    /// that the model does not have. Features have the types of the model, the target that of the
    /// file.
    fn type_chooser<'s>(
        &'s self,
        file: &'s str,
        extra: &'s mut Vec<String>,
    ) -> impl TypeChooser + 's {
        let recipe = self.recipe();
        move |names: &[String], header: bool| {
            let columns = recipe.columns();
            if !header && names.len() == columns.len() {
                return Ok(columns.into_iter().map(|(_, reads)| Some(reads)).collect());
            }
            let mut wanted: Vec<(&str, Option<Force>)> =
                columns.into_iter().map(|(name, reads)| (name, Some(reads))).collect();
            match self.classes() {
                _ if !self.labels => {}
                ClassColumns::By(target) => wanted.push((target, self.target_type())),
                ClassColumns::Counts(counts) => {
                    wanted.extend(counts.iter().map(|name| (name.as_str(), Some(Force::Numeric))));
                }
            }
            wanted.extend(self.weights.map(|name| (name, Some(Force::Numeric))));
            let there: HashSet<&str> = names.iter().map(String::as_str).collect();
            if let Some((name, _)) = wanted.iter().find(|(name, _)| !there.contains(name)) {
                return Err(linsep_io::Error::no_column_among(file, name, names));
            }
            let wanted: HashMap<&str, Option<Force>> = wanted.into_iter().collect();
            let known: HashSet<&str> = recipe
                .dropped
                .iter()
                .map(|left| &left.name)
                .chain([&recipe.target])
                .chain(&recipe.counts)
                .chain(&recipe.weights)
                .map(String::as_str)
                .collect();
            let unknown = |name: &&String| {
                !wanted.contains_key(name.as_str()) && !known.contains(name.as_str())
            };
            extra.extend(names.iter().filter(unknown).cloned());
            let force =
                |name: &String| wanted.get(name.as_str()).copied().unwrap_or(Some(Force::Drop));
            Ok(names.iter().map(force).collect())
        }
    }

    /// Returns how the target is read: as text if the model has classes that are not exact doubles.
    fn target_type(&self) -> Option<Force> {
        const INEXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
        let plain = |class: &Label| matches!(class, Label::Number(v) if v.abs() < INEXACT);
        (!self.model_file.model.classes().iter().all(plain)).then_some(Force::Categorical)
    }

    /// Returns the columns with the classes: as in the settings, else as in training.
    fn classes(&self) -> ClassColumns<'_> {
        let recipe = self.recipe();
        match (self.target, self.counts) {
            (Some(target), _) => ClassColumns::By(target),
            (None, []) if recipe.counts.is_empty() => ClassColumns::By(&recipe.target),
            (None, []) => ClassColumns::Counts(&recipe.counts),
            (None, counts) => ClassColumns::Counts(counts),
        }
    }

    /// Scores a block of a table.
    fn table(&self, table: Table) -> Result<Batch, Error> {
        // 1. Classes and sample weights.
        let mut weights = self.weights.map(|name| weight_column(&table, name)).transpose()?;
        let (mut labels, mut each) = (None, 1);
        match self.classes() {
            _ if !self.labels => {}
            ClassColumns::By(target) => {
                let at = table.columns.iter().position(|column| column.name == target);
                let at = at.ok_or_else(|| Error::no_column(&table, target))?;
                let drop = self.recipe().missing == MissingPolicy::Drop;
                labels = Some(label_cells(&table, at, drop)?.renamed(self.map));
            }
            ClassColumns::Counts(names) => {
                if self.weights.is_some() {
                    let (name, other) = ("weights", "`counts`");
                    return Err(linsep_io::Error::IncompatibleSettings { name, other }.into());
                }
                let (classes, counts) = count_cells(&table, names)?;
                (labels, weights) = (Some(classes.renamed(self.map)), Some(counts));
                each = names.len();
            }
        }

        // 2. Scores.
        let batch = self.batch(Input::Table(table), labels, weights)?;
        Ok(if each > 1 { batch.repeated(each, self.width()) } else { batch })
    }

    /// Scores a block of index:value pairs.
    fn sparse(&self, sparse: Sparse) -> Result<Batch, Error> {
        let labels = self.labels.then(|| RowLabels::of_sparse(&sparse).renamed(self.map));
        self.batch(Input::Sparse(Arc::new(sparse)), labels, None)
    }

    /// Scores encoded rows.
    fn batch(
        &self,
        input: Input,
        labels: Option<RowLabels>,
        weights: Option<Vec<f64>>,
    ) -> Result<Batch, Error> {
        let Encoded { x, kept, counts, unknown_values } =
            self.recipe().encode(input, Scaling::Raw)?;
        let scores = x.map_or(Ok(Vec::new()), |x| self.scores(&x))?;
        Ok(Batch { scores, kept, labels, weights, counts, unknown_values })
    }

    fn scores(&self, x: &Design) -> Result<Vec<f64>, Error> {
        let scores = match self.projection {
            None => self.model_file.model.scores(x),
            Some(hyperplanes) => scores_of(hyperplanes, x),
        };
        scores.map_err(|source| Error::Core {
            place: Box::new(Location::file(&self.model_file.header.method)),
            source,
        })
    }

    /// Returns the number of scores of a row.
    fn width(&self) -> usize {
        self.projection.map_or_else(|| self.model_file.model.width(), <[Hyperplane]>::len)
    }
}

/// Formats counts by column.
fn counts_note(
    code: &'static str,
    what: impl Fn(u64) -> String,
    counts: &std::collections::BTreeMap<String, u64>,
) -> Option<Note> {
    let total: u64 = counts.values().sum();
    let by_column: Vec<String> = counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
    (total > 0).then(|| Note::new(code, format!("{} ({})", what(total), few(&by_column))))
}

#[cfg(test)]
mod tests;
