//! From what was in a file to what is learned from: features, classes, weights, and the recipe for
//! doing the same again.
//!
//! A row has one answer: its class, and perhaps a weight. A row of a table of counts has k: with a count in
//! the column of each of k classes it stands for k rows with the same features, one of each class, with
//! the counts as weights. A row whose counts are all 0 stands for none.

mod answers;
mod weights;

use crate::error::Error;
use crate::input::Input;
use crate::labels::{LabelMap, RowLabels};
use crate::memory::Memory;
use crate::place::Place;
use crate::reals::Reals;
use crate::recipe::{
    Counts, Encoded, MissingPolicy, Recipe, RecipeSettings, Roles, Scaling, TableRecipe,
};
use crate::table::{Sparse, Table};
use crate::target::is_known;
use answers::{are_measurements, other_spellings, strange_classes};
use linsep::data::Csr;
use linsep::{Design, Labels};
use weights::table_weights;

pub(crate) use answers::{Answers, are_strange, class_of_rows, count_cells, label_cells};
pub use weights::{Weights, read_weights, weights_in};
pub(crate) use weights::{sparse_weights, weight_column};

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
    /// What the features may take in memory, beside the table they come from.
    pub memory: Memory,
    /// Whether a numeric target may have very many values.
    pub any_target: bool,
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

    /// Refuses a numeric target that looks like measurements, unless any target may be learned.
    pub(crate) fn check_target(
        &self,
        file: &str,
        target: Option<&str>,
        labels: &Labels,
    ) -> Result<(), Error> {
        if self.any_target || !self.counts.is_empty() || !are_measurements(labels) {
            return Ok(());
        }
        let (place, target) = (Box::new(Place::file(file)), target.map(str::to_owned));
        Err(Error::ManyValues { place, target, distinct: labels.k(), rows: labels.n() })
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
        let name = input.name().to_owned();
        let training = Self::build(input, settings, settings.drops_unlabelled())?;
        settings.check_target(&name, training.recipe.target(), &training.labels)?;
        Ok(training)
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
        if let Some(strange) = settings.recipe.only.iter().find(|name| table.column(name).is_none())
        {
            return Err(Error::no_column(&table, strange));
        }
        let (recipe, mut notes) =
            TableRecipe::learn(&table, &roles, &rows_weights, &settings.recipe);
        let place = || Box::new(Place::file(&table.name));
        if answers.weights.as_ref().is_some_and(|all| all.iter().all(|s| *s == 0.0)) {
            let what = if counts.is_empty() { "weight" } else { "count" };
            return Err(Error::NoWeight { place: place(), what });
        }
        if recipe.steps.is_empty() && table.rows == 1 {
            return Err(Error::OneRow { place: place() });
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
        let what = || format!("encoding {} rows as {} features", table.rows, recipe.width());
        let bytes = recipe.bytes(&table) * each.max(1) as u128;
        if bytes > u128::from(settings.memory.0) {
            return Err(settings.memory.exceeded(&table.name, &what(), bytes));
        }
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
        let selected = labels.select(&places);
        notes.extend(other_spellings(selected.classes()));
        Ok(Self {
            x,
            labels: selected,
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
        no_names(settings)?;
        let labels = RowLabels::of_sparse(&sparse);
        let map = LabelMap::from(&settings.label_map, &labels.levels)?;
        let labels = labels.renamed(&map);
        let weights = sparse_weights(&sparse, settings)?;
        if weights.as_ref().is_some_and(|all| all.iter().all(|s| *s == 0.0)) {
            let place = Box::new(Place::file(&sparse.name));
            return Err(Error::NoWeight { place, what: "weight" });
        }
        let recipe = Recipe::Sparse { columns: sparse.columns(), base: sparse.base };
        let labels = Labels::from_codes(&labels.levels, &labels.codes);
        let notes = other_spellings(labels.classes()).into_iter().collect();
        Ok(Self {
            labels,
            x: sparse_design(sparse)?.by_frequency(),
            weights,
            recipe,
            dropped: 0,
            missing: Vec::new(),
            rows: None,
            notes,
        })
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

/// Refuses counts where there are no columns to name.
pub(crate) fn no_counts(counts: &[String]) -> Result<(), Error> {
    if counts.is_empty() {
        return Ok(());
    }
    let want = "left out for numbered pairs (LIBSVM), whose lines begin with their class";
    Err(Error::Setting { name: "counts", got: counts.join(","), want })
}

/// Refuses what only columns with names can be asked for.
pub(crate) fn no_names(settings: &TrainingSettings) -> Result<(), Error> {
    no_counts(&settings.counts)?;
    if settings.recipe.only.is_empty() {
        return Ok(());
    }
    let want = "left out for numbered pairs (LIBSVM), whose columns have no names";
    Err(Error::Setting { name: "columns", got: settings.recipe.only.join(","), want })
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
