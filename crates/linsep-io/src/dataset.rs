//! From what was in a file to what is learned from: features, classes, weights, and the recipe for
//! doing the same again.
//!
//! A row has one answer: its class, and perhaps a weight. A row of a table of counts has k: with a count in
//! the column of each of k classes it stands for k rows with the same features, one of each class, with
//! the counts as weights. A row whose counts are all 0 stands for none.

use crate::csv::{CsvOptions, read_csv};
use crate::error::Error;
use crate::input::Input;
use crate::labels::{LabelMap, RowLabels};
use crate::place::Place;
use crate::reals::Reals;
use crate::recipe::{
    Counts, Encoded, MissingPolicy, Recipe, RecipeSettings, Roles, Scaling, TableRecipe,
};
use crate::source::Source;
use crate::table::{Column, MISSING, Sparse, Table, Values};
use linsep::data::Csr;
use linsep::{Design, Label, Labels};
use std::path::Path;

/// Names by which the column with the classes is known.
const TARGETS: [&str; 4] = ["target", "label", "class", "y"];

/// What to learn from.
#[derive(Clone, Debug, Default)]
pub struct TrainingSettings {
    /// Column with the classes. Without a name it is the column called target, label, class or y,
    /// else the last one.
    pub target: Option<String>,
    /// Columns with counts, one per class and named after it: instead of a target and weights.
    pub counts: Vec<String>,
    /// The sample weights.
    pub weights: Option<Weights>,
    /// Classes to rename, as `OLD=NEW`.
    pub label_map: Vec<String>,
    /// How columns become numbers.
    pub recipe: RecipeSettings,
}

/// Where sample weights come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// The column of this name, or a file with one weight per row.
    Named(String),
    /// One per row.
    Rows(Vec<f64>),
}

impl TrainingSettings {
    /// The same for some rows of the data alone: weights that have a file of their own are read, and cut as the data is.
    pub fn of_rows(&self, input: &Input, rows: &[usize]) -> Result<Self, Error> {
        let all = match input {
            Input::Table(table) if self.weight_column(table).is_some() => None,
            Input::Table(table) => table_weights(table, self)?,
            Input::Sparse(sparse) => sparse_weights(sparse, self)?,
        };
        let Some(all) = all else { return Ok(self.clone()) };
        let weights = Some(Weights::Rows(rows.iter().map(|&i| all[i]).collect()));
        Ok(Self { weights, ..self.clone() })
    }

    /// The name of the column with the weights, where it is one of this table.
    pub(crate) fn weight_column(&self, table: &Table) -> Option<&str> {
        match &self.weights {
            Some(Weights::Named(name)) => table.column(name).map(|_| name.as_str()),
            Some(Weights::Rows(_)) | None => None,
        }
    }

    /// Are there two columns of counts or more, all different, and nothing beside them, or none?
    pub(crate) fn check(&self) -> Result<(), Error> {
        let counts = &self.counts;
        let want = match &counts[..] {
            [] => return Ok(()),
            [_] => "two columns or more, one per class",
            _ if (1..counts.len()).any(|j| counts[..j].contains(&counts[j])) => {
                "different columns, one per class"
            }
            _ if self.target.is_some() => "left out where there is a target",
            _ if self.weights.is_some() => "left out where there are weights",
            _ => return Ok(()),
        };
        Err(Error::Setting { name: "counts", got: counts.join(","), want })
    }

    /// Whether rows without a class are left out, and no error.
    pub(crate) fn drops_unlabelled(&self) -> bool {
        self.recipe.missing == MissingPolicy::Drop
    }
}

/// Rows with classes, to learn from.
#[derive(Debug)]
pub struct Training {
    /// The features, standardised if the recipe says so.
    pub x: Design,
    /// The classes.
    pub labels: Labels,
    /// The sample weights, if there are any.
    pub weights: Option<Vec<f64>>,
    /// How a row becomes numbers.
    pub recipe: Recipe,
    /// Rows that were left out for what they miss.
    pub dropped: usize,
    /// Missing cells, by column.
    pub missing: Vec<(String, u64)>,
    /// Which row of the data each of them is, where that is not its own number.
    pub rows: Option<Vec<usize>>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Training {
    /// Takes classes and weights from their columns, and learns a recipe for all others.
    pub fn new(input: Input, settings: &TrainingSettings) -> Result<Self, Error> {
        Self::build(input, settings, settings.drops_unlabelled())
    }

    /// The same, with or without the rows that have no class: they are an error, or are left out.
    pub(crate) fn build(
        input: Input,
        settings: &TrainingSettings,
        drop_unlabelled: bool,
    ) -> Result<Self, Error> {
        settings.check()?;
        match input {
            Input::Table(table) => Self::from_table(table, settings, drop_unlabelled),
            Input::Sparse(sparse) => Self::from_sparse(sparse, settings),
        }
    }

    fn from_table(
        table: Table,
        settings: &TrainingSettings,
        drop_unlabelled: bool,
    ) -> Result<Self, Error> {
        let answers = Answers::of(&table, settings, drop_unlabelled)?;
        Self::with_answers(table, &answers, settings)
    }

    /// Learns a recipe for the columns that are not answers.
    pub(crate) fn with_answers(
        table: Table,
        answers: &Answers,
        settings: &TrainingSettings,
    ) -> Result<Self, Error> {
        // 1. The recipe, from the rows that have a class.
        let (counts, each, labels) = (&settings.counts[..], answers.each, &answers.labels);
        let rows_weights = answers.row_weights(table.rows);
        let roles =
            Roles { target: &answers.target, counts, weights: answers.weight_column.as_deref() };
        let (recipe, mut notes) =
            TableRecipe::learn(&table, &roles, &rows_weights, &settings.recipe);
        let place = || Box::new(Place::file(&table.name));
        if !counts.is_empty() && rows_weights.iter().all(|s| *s == 0.0) {
            return Err(Error::NoCounts { place: place() });
        }
        if recipe.steps.is_empty() {
            let left_out = recipe.left_out.iter().map(|l| format!("{}: {}", l.name, l.why));
            let why = left_out.take(5).collect::<Vec<_>>().join("; ");
            let target = if counts.is_empty() { answers.target.clone() } else { counts.join(", ") };
            return Err(Error::NoFeatures { place: place(), target, why });
        }
        if settings.target.is_none() && counts.is_empty() && !is_known(&answers.target) {
            notes.extend(strange_classes(&answers.target, &labels.levels, table.rows));
        }
        if table.not_utf8 > 0 {
            notes
                .push(format!("cells that are not UTF-8 were read as Latin-1: {}", table.not_utf8));
        }

        // 2. The numbers.
        let Laid { x, places, kept, met } = lay_out(&recipe, table, answers)?;

        // 3. What was left out.
        let zeros = (0..kept.len()).filter(|&i| kept[i] && labels.get(i * each).is_none()).count();
        let zeros = if counts.is_empty() { 0 } else { zeros };
        let dropped = kept.len() - places.len() / each - zeros;
        for (n, why) in [(dropped, "they miss a value"), (zeros, "all their counts are 0")] {
            if n > 0 {
                notes.push(format!("rows left out because {why}: {n}"));
            }
        }
        Ok(Self {
            x,
            labels: labels.select(&places),
            weights: answers.weights.as_ref().map(|w| places.iter().map(|&a| w[a]).collect()),
            recipe: Recipe::Table(recipe),
            dropped,
            missing: met.missing.into_iter().collect(),
            rows: (each > 1 || places.len() < kept.len())
                .then(|| places.iter().map(|a| a / each).collect()),
            notes,
        })
    }

    fn from_sparse(sparse: Sparse, settings: &TrainingSettings) -> Result<Self, Error> {
        no_counts(&settings.counts)?;
        let labels = RowLabels::of_sparse(&sparse);
        let map = LabelMap::from(&settings.label_map, &labels.levels)?;
        let labels = labels.renamed(&map);
        let weights = sparse_weights(&sparse, settings)?;
        let recipe = Recipe::Sparse { columns: sparse.cols, base: sparse.base };
        Ok(Self {
            labels: Labels::from_codes(&labels.levels, &labels.codes),
            x: sparse_design(sparse)?,
            weights,
            recipe,
            dropped: 0,
            missing: Vec::new(),
            rows: None,
            notes: Vec::new(),
        })
    }
}

/// The classes and weights of the rows of a table: row i has the answers from i·each to i·each + each − 1.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    /// Column with the classes; empty where there are counts.
    pub(crate) target: String,
    /// Column with the weights, if they come from one.
    weight_column: Option<String>,
    /// How many answers a row has: one, or one per column of counts.
    pub(crate) each: usize,
    /// Their classes, renamed.
    pub(crate) labels: RowLabels,
    /// Their weights, if there are any.
    pub(crate) weights: Option<Vec<f64>>,
}

impl Answers {
    /// What the columns of a table say. A row without a class is an error, or has no answer.
    pub(crate) fn of(
        table: &Table,
        settings: &TrainingSettings,
        drop_unlabelled: bool,
    ) -> Result<Self, Error> {
        let counts = &settings.counts[..];
        let named = settings.weight_column(table);
        let (target, labels, weights) = if counts.is_empty() {
            let at = target_column(table, settings.target.as_deref())?;
            let weights = table_weights(table, settings)?;
            (table.columns[at].name.clone(), label_cells(table, at, drop_unlabelled)?, weights)
        } else {
            let (labels, weights) = count_cells(table, counts)?;
            (String::new(), labels, Some(weights))
        };
        let map = LabelMap::from(&settings.label_map, &labels.levels)?;
        let (labels, weight_column) = (labels.renamed(&map), named.map(str::to_owned));
        Ok(Self { target, weight_column, each: counts.len().max(1), labels, weights })
    }

    /// The answers to these rows.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Self {
        let places: Vec<usize> =
            rows.iter().flat_map(|&i| i * self.each..(i + 1) * self.each).collect();
        let codes = places.iter().map(|&a| self.labels.codes[a]).collect();
        Self {
            labels: RowLabels { levels: self.labels.levels.clone(), codes },
            weights: self.weights.as_ref().map(|w| places.iter().map(|&a| w[a]).collect()),
            ..self.clone()
        }
    }

    /// What each row weighs: nothing where it has no answer.
    fn row_weights(&self, rows: usize) -> Vec<f64> {
        let weight = |a: usize| match &self.weights {
            _ if self.labels.get(a).is_none() => 0.0,
            Some(weights) => weights[a],
            None => 1.0,
        };
        (0..rows).map(|i| (i * self.each..(i + 1) * self.each).map(weight).sum()).collect()
    }
}

/// A table as numbers, a row of them for each answer.
pub(crate) struct Laid {
    pub(crate) x: Design,
    /// The answer that each row is for.
    pub(crate) places: Vec<usize>,
    kept: Vec<bool>,
    met: Counts,
}

/// Applies a recipe to learn from, or to judge by what was learned: numbers are standardised.
pub(crate) fn lay_out(
    recipe: &TableRecipe,
    table: Table,
    answers: &Answers,
) -> Result<Laid, Error> {
    let (name, each) = (table.name.clone(), answers.each);
    let Encoded { x, kept, counts: met } = recipe.encode(table, Scaling::Standard)?;
    let answered = |a: &usize| kept[a / each] && answers.labels.get(*a).is_some();
    let places: Vec<usize> = (0..kept.len() * each).filter(answered).collect();
    let Some(x) = x.filter(|_| !places.is_empty()) else {
        return Err(Error::NoRowLeft { place: Box::new(Place::file(&name)) });
    };
    // Rows without an answer were encoded too.
    let mut starts = Vec::with_capacity(kept.len());
    let mut before = 0;
    for kept in &kept {
        starts.push(before);
        before += usize::from(*kept);
    }
    let wanted: Vec<usize> = places.iter().map(|a| starts[a / each]).collect();
    let x = if wanted.iter().copied().eq(0..x.n()) { x } else { x.select_rows(&wanted) };
    Ok(Laid { x, places, kept, met })
}

/// Is this one of the names by which the column with the classes is known?
pub(crate) fn is_known(name: &str) -> bool {
    TARGETS.iter().any(|target| name.eq_ignore_ascii_case(target))
}

/// What to say if the last column, which nobody named, does not look like classes.
fn strange_classes(target: &str, classes: &[Label], rows: usize) -> Option<String> {
    let k = classes.len();
    are_strange(classes, rows).then(|| {
        format!(
            "the last column, {target}, is taken for the classes, and has {k} different ones: if the \
             classes are elsewhere, name their column with --target"
        )
    })
}

/// Whether these do not look like classes: numbers of which more than ten differ, or that are not whole; or anything of
/// which more than twenty differ, and more than half of the rows.
pub(crate) fn are_strange(classes: &[Label], rows: usize) -> bool {
    let number = |class: &Label| matches!(class, Label::Number(_));
    let whole = |class: &Label| matches!(class, Label::Number(v) if v.fract() == 0.0);
    let k = classes.len();
    let measured = classes.iter().all(number) && (k > 10 || !classes.iter().all(whole));
    measured || k > 20 && k * 2 > rows
}

/// The column with the classes.
pub(crate) fn target_column(table: &Table, name: Option<&str>) -> Result<usize, Error> {
    let find = |f: &dyn Fn(&Column) -> bool| table.columns.iter().position(f);
    let Some(name) = name else {
        let known = TARGETS.iter().find_map(|t| find(&|c| c.name.eq_ignore_ascii_case(t)));
        return Ok(known.unwrap_or(table.columns.len().saturating_sub(1)));
    };
    find(&|c| c.name == name).ok_or_else(|| Error::no_column(table, name))
}

/// The class of every row of an input.
pub(crate) fn class_of_rows(
    input: &Input,
    settings: &TrainingSettings,
) -> Result<RowLabels, Error> {
    match input {
        // A row of counts is of no class, or of all.
        Input::Table(table) if !settings.counts.is_empty() => {
            Ok(RowLabels { levels: Vec::new(), codes: vec![MISSING; table.rows] })
        }
        Input::Table(table) => {
            label_cells(table, target_column(table, settings.target.as_deref())?, true)
        }
        Input::Sparse(sparse) => Ok(RowLabels::of_sparse(sparse)),
    }
}

/// The class of every row. A row without one is an error, unless such rows are to be left out.
pub(crate) fn label_cells(table: &Table, at: usize, drop: bool) -> Result<RowLabels, Error> {
    let column = table.columns.get(at).ok_or_else(|| Error::no_column(table, "target"))?;
    if column.missing > 0 && !drop {
        let hint = "Fill it in, fit with --missing drop to leave such rows out, or name the column with the \
                    classes with --target.";
        let place = Box::new(column.missing_place(&table.name));
        return Err(Error::MissingCell { place, want: "a class", hint });
    }
    Ok(RowLabels::of_column(table, column))
}

/// The answers in columns of counts: row i has those from i·k to i·k + k − 1, one for each of the k columns.
/// Rows whose counts are all 0 have no class.
pub(crate) fn count_cells(table: &Table, names: &[String]) -> Result<(RowLabels, Vec<f64>), Error> {
    let columns = names.iter().map(|name| amounts(table, name, "a count"));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let (mut codes, mut weights) = (Vec::new(), Vec::new());
    for i in 0..table.rows {
        let none = columns.iter().all(|column| column[i] == 0.0);
        for (code, column) in (0..).zip(&columns) {
            codes.push(if none { MISSING } else { code });
            weights.push(column[i]);
        }
    }
    let levels = names.iter().map(|name| Label::parse(name)).collect();
    Ok((RowLabels { levels, codes }, weights))
}

/// Refuses counts where there are no columns to name.
pub(crate) fn no_counts(counts: &[String]) -> Result<(), Error> {
    if counts.is_empty() {
        return Ok(());
    }
    let want = "left out for numbered pairs (LIBSVM), whose lines begin with their class";
    Err(Error::Setting { name: "counts", got: counts.join(","), want })
}

/// The weights in a column of the table.
pub(crate) fn weight_column(table: &Table, name: &str) -> Result<Vec<f64>, Error> {
    amounts(table, name, "a weight")
}

/// The numbers in a column, none of which may be missing or negative.
fn amounts(table: &Table, name: &str, want: &'static str) -> Result<Vec<f64>, Error> {
    let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
    let place = || Box::new(Place::column(&table.name, column.number, name));
    if column.missing > 0 {
        let place = Box::new(column.missing_place(&table.name));
        let hint = "Fill it in, or take the row out.";
        return Err(Error::MissingCell { place, want, hint });
    }
    match &column.values {
        Values::Number { slot } => {
            let amounts: Vec<f64> = (0..table.rows).map(|i| table.row(i)[*slot]).collect();
            if let Some(row) = amounts.iter().position(|amount| *amount < 0.0) {
                let place = Box::new(Place::row(&table.name, row, column.number, name));
                return Err(Error::Negative { place, found: amounts[row], want });
            }
            Ok(amounts)
        }
        Values::Words { levels, .. } => {
            let found = levels.first().cloned().unwrap_or_default();
            Err(Error::WordsForNumbers { place: place(), found })
        }
    }
}

/// The weights of the rows of a table, if there are any. What is neither a column nor a file gets a message about both.
fn table_weights(table: &Table, settings: &TrainingSettings) -> Result<Option<Vec<f64>>, Error> {
    if let Some(name) = settings.weight_column(table) {
        return weight_column(table, name).map(Some);
    }
    match &settings.weights {
        Some(Weights::Named(file)) if !Path::new(file).exists() => {
            Err(Error::no_column(table, file))
        }
        weights => weights_of(weights.as_ref(), table.rows, &table.name),
    }
}

/// The weights of sparse rows, if there are any.
pub(crate) fn sparse_weights(
    sparse: &Sparse,
    settings: &TrainingSettings,
) -> Result<Option<Vec<f64>>, Error> {
    weights_of(settings.weights.as_ref(), sparse.rows, &sparse.name)
}

/// One number per row, as many as the data has rows.
fn weights_of(
    weights: Option<&Weights>,
    rows: usize,
    data: &str,
) -> Result<Option<Vec<f64>>, Error> {
    let (file, weights) = match weights {
        None => return Ok(None),
        Some(Weights::Named(file)) => (file.as_str(), read_weights(file)?),
        Some(Weights::Rows(weights)) => ("weights", weights.clone()),
    };
    if weights.len() != rows {
        let (place, found) = (Box::new(Place::file(file)), weights.len());
        return Err(Error::OtherLength { place, found, data: data.to_owned(), rows });
    }
    Ok(Some(weights))
}

/// A file with one number per line.
pub fn read_weights(file: &str) -> Result<Vec<f64>, Error> {
    let table = read_csv(Source::open(file)?, &CsvOptions::default())?;
    let [column] = &table.columns[..] else {
        let (found, want) = ("several columns", "one weight per line");
        return Err(Error::OtherKind { place: Box::new(Place::file(file)), found, want });
    };
    weight_column(&table, &column.name)
}

/// Sparse rows as they are.
pub(crate) fn sparse_design(sparse: Sparse) -> Result<Design, Error> {
    let Sparse { name, cols, starts, indices, values, .. } = sparse;
    let x = match values {
        Reals::F32(values) => Csr::new(cols, starts, indices, values).map(Design::SparseF32),
        Reals::F64(values) => Csr::new(cols, starts, indices, values).map(Design::SparseF64),
    };
    x.map_err(|source| Error::Core { place: Box::new(Place::file(&name)), source })
}

#[cfg(test)]
mod tests;
