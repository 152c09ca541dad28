//! Targets of an input: the classes of its rows, from a column or from count columns, and their
//! sample weights.

use super::weights::{amounts, sparse_weights, table_weights};
use super::{TrainingSettings, refuse_named_columns};
use crate::error::Error;
use crate::labels::{LabelMap, RowLabels};
use linsep_core::control::{Note, literal};
use linsep_core::{Label, Labels};
use linsep_io::input::Input;
use linsep_io::table::{MISSING, Table};
use linsep_io::target::ClassColumn;

/// Classes and sample weights of the rows of an input: row i has the labels i·each to i·each + each
/// − 1.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    /// Name of the target column; empty if there is none.
    pub(crate) target: String,
    /// Name of the weight column, if any.
    pub(super) weight_column: Option<String>,
    /// Number of labels per row: one, or one per count column.
    pub(crate) each: usize,
    /// The classes, renamed.
    pub(crate) labels: RowLabels,
    /// The sample weights, if there are any.
    pub(crate) weights: Option<Vec<f64>>,
}

impl Targets {
    /// Reads the targets of an input. A row without a class is an error, or is unlabeled.
    pub(crate) fn of(
        input: &Input,
        settings: &TrainingSettings,
        drop_unlabeled: bool,
    ) -> Result<Self, Error> {
        let counts = &settings.counts[..];
        let (mut target, mut weight_column) = (String::new(), None);
        let (labels, weights) = match input {
            Input::Sparse(sparse) => {
                refuse_named_columns(settings)?;
                (RowLabels::of_sparse(sparse), sparse_weights(sparse, settings)?)
            }
            Input::Table(table) if counts.is_empty() => {
                let at = target_column(table, settings.target.as_deref())?;
                target.clone_from(&table.columns[at].name);
                weight_column = settings.weight_column(table).map(str::to_owned);
                let weights = table_weights(table, settings)?;
                (label_cells(table, at, drop_unlabeled)?, weights)
            }
            Input::Table(table) => {
                let (labels, weights) = count_cells(table, counts)?;
                (labels, Some(weights))
            }
        };
        let map = LabelMap::from(&settings.label_map, &labels.levels)?;
        let (labels, each) = (labels.renamed(&map), counts.len().max(1));
        Ok(Self { target, weight_column, each, labels, weights })
    }

    /// Returns the targets of these rows.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Self {
        let places: Vec<usize> =
            rows.iter().flat_map(|&i| i * self.each..(i + 1) * self.each).collect();
        let codes = places.iter().map(|&a| self.labels.codes[a]).collect();
        Self {
            target: self.target.clone(),
            weight_column: self.weight_column.clone(),
            each: self.each,
            labels: RowLabels { levels: self.labels.levels.clone(), codes },
            weights: self.weights.as_ref().map(|w| places.iter().map(|&a| w[a]).collect()),
        }
    }

    /// Refuses rows whose sample weights or counts are all 0.
    pub(super) fn require_weight(&self, name: &str) -> Result<(), Error> {
        if self.weights.as_ref().is_none_or(|all| all.iter().any(|s| *s != 0.0)) {
            return Ok(());
        }
        let (what, setting) =
            if self.each == 1 { ("sample weight", "weights") } else { ("count", "counts") };
        let problem = format!("every {what} is 0, so no training row remains. Check `{setting}`.");
        Err(Error::untrainable(name, problem))
    }

    /// Returns the total sample weight of each row: 0 if it is unlabeled.
    pub(crate) fn row_weights(&self, rows: usize) -> Vec<f64> {
        let weight = |a: usize| match &self.weights {
            _ if self.labels.get(a).is_none() => 0.0,
            Some(weights) => weights[a],
            None => 1.0,
        };
        (0..rows).map(|i| (i * self.each..(i + 1) * self.each).map(weight).sum()).collect()
    }
}

/// Returns a note if the last column, used as target by default, does not look like classes.
pub(super) fn unlike_classes_note(target: &str, classes: &[Label], rows: usize) -> Option<Note> {
    let k = classes.len();
    are_unlike_classes(classes, rows).then(|| {
        let text = format!(
            "the target defaults to the last column, {}, with {k} distinct values; name another \
             with `target`",
            literal(target)
        );
        Note::new("default-target", text).about(target).setting("target", "COLUMN")
    })
}

/// Whether numbers look like measurements rather than classes. Numbers do if either is true:
/// * there are more than 20 values in fewer than twice as many rows;
/// * there are more than 50 values, and some is not an integer or most occur in a single row.
pub(super) fn are_measurements(labels: &Labels) -> bool {
    const FEW: usize = 20;
    const MANY: usize = 50;
    let (k, n, classes) = (labels.k(), labels.n(), labels.classes());
    if k <= FEW || !classes.iter().all(Label::is_number) {
        return false;
    }
    let mut rows = vec![0_usize; k];
    labels.codes().iter().for_each(|&c| rows[c as usize] += 1);
    let single = rows.iter().filter(|rows| **rows == 1).count();
    k * 2 > n || k > MANY && (single * 2 > k || !classes.iter().all(is_whole))
}

/// Whether a class is an integer.
fn is_whole(class: &Label) -> bool {
    match class {
        Label::Number(v) => v.fract() == 0.0,
        Label::Text(text) => class.is_number() && !text.contains(['.', 'e']),
    }
}

/// Returns a note on classes that are different spellings of the same number.
pub(super) fn spelling_note(classes: &[Label]) -> Option<Note> {
    const SHOWN: usize = 5;
    let pairs = || classes.windows(2).filter(|pair| pair[0].is_other_spelling(&pair[1]));
    let first = pairs().next()?;
    let shown = pairs().take(SHOWN).map(|pair| format!("{} and {}", pair[0], pair[1]));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let map = format!("{}={}", first[1], first[0]);
    let text = format!(
        "classes {} differ only in leading zeros; to merge them, use `label-map={}`",
        literal(&shown),
        literal(&map)
    );
    Some(Note::new("leading-zeros", text).setting("label-map", map))
}

/// Whether the values do not look like classes. The values do not if either is true:
/// * all are numbers, and there are more than ten or some is not an integer;
/// * there are more than twenty, and more than half as many as rows.
pub(crate) fn are_unlike_classes(classes: &[Label], rows: usize) -> bool {
    let number = Label::is_number;
    let k = classes.len();
    let measured = classes.iter().all(number) && (k > 10 || !classes.iter().all(is_whole));
    measured || k > 20 && k * 2 > rows
}

/// Returns the index of the target column.
pub(crate) fn target_column(table: &Table, name: Option<&str>) -> Result<usize, Error> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let Some(name) = name else { return Ok(ClassColumn::Usual.among(&names).unwrap_or_default()) };
    let named = ClassColumn::Named(name.to_owned()).among(&names);
    named.ok_or_else(|| Error::no_column(table, name))
}

/// Returns the class of every row of an input.
pub(crate) fn class_of_rows(
    input: &Input,
    settings: &TrainingSettings,
) -> Result<RowLabels, Error> {
    match input {
        // A row of counts has no single class.
        Input::Table(table) if !settings.counts.is_empty() => {
            Ok(RowLabels { levels: Vec::new(), codes: vec![MISSING; table.rows] })
        }
        Input::Table(table) => {
            label_cells(table, target_column(table, settings.target.as_deref())?, true)
        }
        Input::Sparse(sparse) => Ok(RowLabels::of_sparse(sparse)),
    }
}

/// Returns the class of every row. A row without a class is an error, unless `drop` is set.
pub(crate) fn label_cells(table: &Table, at: usize, drop: bool) -> Result<RowLabels, Error> {
    let column = table.columns.get(at).ok_or_else(|| Error::no_column(table, "target"))?;
    if column.missing > 0 && !drop {
        let hint = "Fill it in, drop these rows with `missing=drop`, or name another target with \
            `target`.";
        return Err(Error::missing_cell(table, column, "a class", hint));
    }
    Ok(RowLabels::of_column(table, column))
}

/// Reads count columns: row i has the labels i·k to i·k + k − 1, one for each of the k columns.
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
