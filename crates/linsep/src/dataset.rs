//! Training data from an input: features, classes, sample weights, and the recipe that encodes
//! further rows in the same way.
//!
//! A row has one label: its class, with an optional sample weight. A row of grouped data has k
//! labels: a count in the column of each of k classes. A row of counts stands for k rows with the
//! same features, one of each class, with the counts as sample weights. A row whose counts are all
//! 0 stands for no row.

mod targets;
mod weights;

use crate::error::Error;
use crate::recipe::{
    Counts, Encoded, LIBSVM, MissingPolicy, Recipe, RecipeSettings, Scaling, sparse_design,
};
use linsep_core::control::{Note, literal};
use linsep_core::{Design, Label, Labels, Problem};
use linsep_io::input::Input;
use linsep_io::location::{Location, quoted_excerpt};
use linsep_io::memory::Memory;
use linsep_io::table::{Sparse, Table};
use linsep_io::target::is_known;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use targets::{are_measurements, spelling_note, unlike_classes_note};
use weights::{sparse_weights, table_weights};

pub(crate) use targets::{Targets, are_unlike_classes, class_of_rows, count_cells, label_cells};
pub use weights::{SampleWeights, weights_in};
pub(crate) use weights::{read_weights, weight_column};

/// Selection of target, weights and features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainingSettings {
    /// Name of the target column. By default the column called target, label, class or y, else the
    /// last one.
    pub target: Option<String>,
    /// Count columns of grouped data, each named after its class: instead of a target and weights.
    pub counts: Vec<String>,
    /// The sample weights.
    pub weights: Option<SampleWeights>,
    /// Classes to rename, as `OLD=NEW`.
    pub label_map: Vec<String>,
    /// Settings of the preprocessing recipe.
    pub recipe: RecipeSettings,
    /// Memory limit of the features, in addition to the table.
    pub memory: Memory,
    /// Whether a numeric target may have very many distinct values.
    pub any_target: bool,
}

impl TrainingSettings {
    /// Returns the settings for some of the rows. Weights from a separate file are read and subset.
    pub fn of_rows(&self, input: &Input, rows: &[usize]) -> Result<Self, Error> {
        let all = match input {
            Input::Table(table) if self.weight_column(table).is_some() => None,
            Input::Table(table) => table_weights(table, self)?,
            Input::Sparse(sparse) => sparse_weights(sparse, self)?,
        };
        let Some(all) = all else { return Ok(self.clone()) };
        let weights = Some(SampleWeights::Rows(rows.iter().map(|&i| all[i]).collect()));
        Ok(Self { weights, ..self.clone() })
    }

    /// Returns the name of the weight column, if the weights are a column of this table.
    pub(crate) fn weight_column(&self, table: &Table) -> Option<&str> {
        match &self.weights {
            Some(SampleWeights::Named(name)) => table.column(name).map(|_| name.as_str()),
            Some(SampleWeights::Rows(_)) | None => None,
        }
    }

    /// Checks that the count columns, if any, are at least two, distinct, and without target or
    /// weights.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let counts = &self.counts;
        let want = match &counts[..] {
            [] => return Ok(()),
            [_] => "at least two columns, one per class",
            _ if (1..counts.len()).any(|j| counts[..j].contains(&counts[j])) => {
                "distinct columns, one per class"
            }
            _ if self.target.is_some() => return Err(incompatible("counts", "`target`")),
            _ if self.weights.is_some() => return Err(incompatible("counts", "`weights`")),
            _ => return Ok(()),
        };
        Err(linsep_io::Error::Setting { name: "counts", got: counts.join(","), want }.into())
    }

    /// Refuses a numeric target that looks like measurements, unless any target is allowed.
    pub(crate) fn check_target(
        &self,
        file: &str,
        target: Option<&str>,
        labels: &Labels,
    ) -> Result<(), Error> {
        if self.any_target || !self.counts.is_empty() || !are_measurements(labels) {
            return Ok(());
        }
        let (what, other) = match target {
            None => ("the labels have".to_owned(), ""),
            Some(target) => (
                format!("target {} has", quoted_excerpt(target)),
                ", or name another column with `target`",
            ),
        };
        let problem = format!(
            "{what} {} distinct numeric values in {} rows; classification needs classes. Bin the \
             values{other}; to train anyway, pass `force`.",
            labels.k(),
            labels.n()
        );
        Err(Error::data(Location::file(file), problem))
    }

    /// Whether rows without a class are dropped, instead of being an error.
    pub(crate) fn drops_unlabeled(&self) -> bool {
        self.recipe.missing == MissingPolicy::Drop
    }
}

/// Labeled rows, encoded for training.
#[derive(Debug)]
pub struct TrainingData {
    /// The features, standardized if the recipe says so.
    pub x: Design,
    /// The classes.
    pub labels: Labels,
    /// The sample weights, if there are any.
    pub weights: Option<Vec<f64>>,
    /// The recipe that encodes a row.
    pub recipe: Recipe,
    /// Number of rows dropped because of missing values.
    pub dropped: usize,
    /// Missing cells, by column.
    pub missing: Vec<(String, u64)>,
    /// Row of the data of each row of x; `None` if they are the same.
    pub rows: Option<Vec<usize>>,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

impl TrainingData {
    /// Reads classes and weights from their columns, and fits a recipe to the other columns.
    pub fn new(input: Input, settings: &TrainingSettings) -> Result<Self, Error> {
        Ok(Self::with_raw_features(input, settings, false)?.0)
    }

    /// As [`TrainingData::new`], with the features in raw units if they are `wanted` and differ
    /// from those of training.
    pub(crate) fn with_raw_features(
        input: Input,
        settings: &TrainingSettings,
        wanted: bool,
    ) -> Result<(Self, Option<Design>), Error> {
        settings.check()?;
        let name = input.name().to_owned();
        let targets = Targets::of(&input, settings, settings.drops_unlabeled())?;
        let (training, raw) = Self::fit(input, &targets, settings, wanted)?;
        settings.check_target(&name, training.recipe.target(), &training.labels)?;
        Ok((training, raw))
    }

    /// Reduces more than two classes to one against the rest; returns the index of that class.
    pub fn against_rest(&mut self, class: &Label) -> Result<usize, Error> {
        let classes = self.labels.classes();
        let Ok(c) = classes.binary_search(class) else {
            let (got, known) = (class.clone(), classes.to_vec());
            return Err(linsep_core::Error::UnknownClass { got, known }.into());
        };
        if self.labels.k() == 2 {
            return Ok(c);
        }
        let codes: Vec<u32> =
            self.labels.codes().iter().map(|&code| u32::from(code as usize == c)).collect();
        let rest = Label::Text(format!("not {class}"));
        let at = usize::from(rest < *class);
        self.labels = Labels::from_codes(&[rest, class.clone()], &codes);
        Ok(at)
    }

    /// The classification problem of the data with these sample weights; errors name the data.
    pub fn problem(&self, name: &str, weights: Option<Vec<f64>>) -> Result<Problem<'_>, Error> {
        Problem::new(&self.x, &self.labels, weights).map_err(Error::core(name))
    }

    /// Fits a recipe to the columns that are neither target, counts nor weights.
    pub(crate) fn fit(
        input: Input,
        targets: &Targets,
        settings: &TrainingSettings,
        wanted: bool,
    ) -> Result<(Self, Option<Design>), Error> {
        match input {
            Input::Table(table) => Self::of_table(table, targets, settings, wanted),
            Input::Sparse(sparse) => {
                Ok((Self::of_pairs(Arc::unwrap_or_clone(sparse), targets)?, None))
            }
        }
    }

    fn of_table(
        table: Table,
        targets: &Targets,
        settings: &TrainingSettings,
        wanted: bool,
    ) -> Result<(Self, Option<Design>), Error> {
        // 1. The recipe, fitted to the rows with a class.
        let (counts, each, labels) = (&settings.counts[..], targets.each, &targets.labels);
        if let Some(strange) = settings.recipe.only.iter().find(|name| table.column(name).is_none())
        {
            return Err(Error::no_column(&table, strange));
        }
        let roles = Recipe {
            target: targets.target.clone(),
            counts: counts.to_vec(),
            weights: targets.weight_column.clone(),
            ..Recipe::default()
        };
        roles.check_features(&table, &settings.recipe)?;
        let weights = targets.row_weights(table.rows);
        let (mut recipe, mut notes) = roles.fit(&table, &weights, &settings.recipe);
        targets.require_weight(&table.name)?;
        notes.extend(recipe.derive(&table, &weights, &settings.recipe, settings.memory)?);
        if recipe.steps.is_empty() && table.rows == 1 {
            let problem = "expected rows of at least two classes, found one row.";
            return Err(Error::untrainable(&table.name, problem));
        }
        if recipe.steps.is_empty() {
            let dropped = recipe.dropped.iter().map(|l| format!("{}: {}", literal(&l.name), l.why));
            let why = dropped.take(5).collect::<Vec<_>>().join("; ");
            let why = if why.is_empty() { why } else { format!(" ({why})") };
            let target = if counts.is_empty() { targets.target.clone() } else { counts.join(", ") };
            let problem = format!(
                "no feature column besides the target {}{why}. Check the delimiter (`delimiter`) \
                 and the target (`target`).",
                quoted_excerpt(&target)
            );
            return Err(Error::untrainable(&table.name, problem));
        }
        if settings.target.is_none() && counts.is_empty() && !is_known(&targets.target) {
            notes.extend(unlike_classes_note(&targets.target, &labels.levels, table.rows));
        }
        if table.not_utf8 > 0 {
            let cells = table.not_utf8;
            let text = format!("cells read as Latin-1, as they are not UTF-8: {cells}");
            notes.push(Note::new("latin-1", text));
        }

        // 2. The features.
        let what = format!("encoding {} rows as {} features", table.rows, recipe.width());
        let bytes = recipe.bytes(&table) * each.max(1) as u128;
        settings.memory.check(&table.name, &what, bytes)?;
        let raw = (wanted && recipe.standardized)
            .then(|| encode_rows(&recipe, table.clone(), targets, Scaling::Raw))
            .transpose()?;
        let EncodedRows { x, places, kept, met } =
            encode_rows(&recipe, table, targets, Scaling::Standard)?;

        // 3. Dropped rows.
        let zeros = (0..kept.len()).filter(|&i| kept[i] && labels.get(i * each).is_none()).count();
        let zeros = if counts.is_empty() { 0 } else { zeros };
        let dropped = kept.len() - places.len() / each - zeros;
        for (n, why) in [(dropped, "a value is missing"), (zeros, "all counts are 0")] {
            if n > 0 {
                let text = format!("{n} row{} dropped: {why}", if n == 1 { "" } else { "s" });
                notes.push(Note::new("dropped-rows", text));
            }
        }
        let selected = labels.select(&places);
        notes.extend(spelling_note(selected.classes()));
        let training = Self {
            x,
            labels: selected,
            weights: targets.weights.as_ref().map(|w| places.iter().map(|&a| w[a]).collect()),
            recipe,
            dropped,
            missing: met.missing.into_iter().collect(),
            rows: (each > 1 || places.len() < kept.len())
                .then(|| places.iter().map(|a| a / each).collect()),
            notes,
        };
        Ok((training, raw.map(|raw| raw.x)))
    }

    fn of_pairs(sparse: Sparse, targets: &Targets) -> Result<Self, Error> {
        targets.require_weight(&sparse.name)?;
        let labels = Labels::from_codes(&targets.labels.levels, &targets.labels.codes);
        Ok(Self {
            recipe: Recipe::of_pairs(sparse.columns(), sparse.base),
            notes: spelling_note(labels.classes()).into_iter().collect(),
            labels,
            x: sparse_design(sparse)?.by_frequency(),
            weights: targets.weights.clone(),
            dropped: 0,
            missing: Vec::new(),
            rows: None,
        })
    }
}

/// An encoded table, with one row per label.
pub(crate) struct EncodedRows {
    pub(crate) x: Design,
    /// Index of the label of each row.
    pub(crate) places: Vec<usize>,
    kept: Vec<bool>,
    met: Counts,
}

/// Encodes the labeled rows of a table.
pub(crate) fn encode_rows(
    recipe: &Recipe,
    table: Table,
    targets: &Targets,
    scaling: Scaling,
) -> Result<EncodedRows, Error> {
    let (name, each) = (table.name.clone(), targets.each);
    let Encoded { x, kept, counts: met, .. } = recipe.encode(Input::Table(table), scaling)?;
    let answered = |a: &usize| kept[a / each] && targets.labels.get(*a).is_some();
    let places: Vec<usize> = (0..kept.len() * each).filter(answered).collect();
    let Some(x) = x.filter(|_| !places.is_empty()) else {
        return Err(Error::no_row_left(&name));
    };
    // Rows without a label were encoded as well.
    let mut starts = Vec::with_capacity(kept.len());
    let mut before = 0;
    for kept in &kept {
        starts.push(before);
        before += usize::from(*kept);
    }
    let wanted: Vec<usize> = places.iter().map(|a| starts[a / each]).collect();
    let x = if wanted.iter().copied().eq(0..x.n()) { x } else { x.select_rows(&wanted) };
    Ok(EncodedRows { x, places, kept, met })
}

/// Refuses count columns for data without column names.
pub(crate) fn refuse_counts(counts: &[String]) -> Result<(), Error> {
    if counts.is_empty() { Ok(()) } else { Err(incompatible("counts", LIBSVM)) }
}

/// Refuses settings that require column names.
fn refuse_named_columns(settings: &TrainingSettings) -> Result<(), Error> {
    refuse_counts(&settings.counts)?;
    if !settings.recipe.features.is_empty() {
        return Err(incompatible("features", LIBSVM));
    }
    if settings.recipe.only.is_empty() { Ok(()) } else { Err(incompatible("columns", LIBSVM)) }
}

fn incompatible(name: &'static str, other: &'static str) -> Error {
    linsep_io::Error::IncompatibleSettings { name, other }.into()
}

#[cfg(test)]
mod tests;
