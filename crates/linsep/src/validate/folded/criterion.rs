//! Criterion of the folds: stratified by class, by group, or by time.

use super::FoldSettings;
use crate::error::Error;
use crate::recipe::LIBSVM;
use linsep_core::validate::{Split, by_group, in_time, splits, stratified};
use linsep_io::input::Input;
use linsep_io::location::{Location, quoted_excerpt};
use linsep_io::table::{MISSING, Values};
use std::collections::{HashMap, HashSet};

/// Criterion of the folds, row by row.
pub(super) enum FoldCriterion {
    Classes,
    Groups(Vec<u32>),
    Times(Vec<f64>),
}

impl FoldCriterion {
    /// Reads the criterion from the columns in the settings.
    pub(super) fn of(input: &Input, cutting: &FoldSettings) -> Result<Self, Error> {
        Ok(match (&cutting.time, &cutting.groups) {
            (Some(name), _) => Self::Times(times_of(input, name)?),
            (None, Some(name)) => Self::Groups(groups_of(input, name)?),
            (None, None) => Self::Classes,
        })
    }

    /// Returns the splits of one repetition; `kinds` are the strata of the rows.
    pub(super) fn partition(
        &self,
        kinds: &[u32],
        cutting: &FoldSettings,
        repeat: u64,
        place: &Location,
    ) -> Result<Vec<Split>, Error> {
        let FoldSettings { folds, seed, .. } = *cutting;
        let (most, what) = self.most(kinds.len(), cutting);
        if !(2..=most).contains(&folds) {
            let hint = match most {
                0 | 1 => "Split by another column.".to_owned(),
                2 => "Use `folds=2`.".to_owned(),
                _ => format!("Use `folds` with a number from 2 to {most}."),
            };
            let problem = format!("cannot split {what} into {folds} folds. {hint}");
            return Err(Error::data(place.clone(), problem));
        }
        let core = Error::core(&place.file);
        match self {
            Self::Times(times) => in_time(times, folds).map_err(core),
            Self::Groups(groups) => {
                Ok(splits(&by_group(groups, kinds, folds, seed, repeat).map_err(core)?, folds))
            }
            Self::Classes => {
                Ok(splits(&stratified(kinds, folds, seed, repeat).map_err(core)?, folds))
            }
        }
    }

    /// Returns the maximum number of folds, and a description of the units that are partitioned.
    fn most(&self, rows: usize, cutting: &FoldSettings) -> (usize, String) {
        let named = |name: &Option<String>| name.clone().unwrap_or_default();
        match self {
            Self::Classes => (rows, format!("{rows} rows")),
            Self::Groups(groups) => {
                let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
                (count, format!("{count} groups (the values of {})", named(&cutting.groups)))
            }
            Self::Times(times) => {
                let different = times.iter().map(|t| t.to_bits()).collect::<HashSet<_>>().len();
                let what =
                    format!("{different} distinct times (the values of {})", named(&cutting.time));
                // The earliest block is only used for training.
                (different.saturating_sub(1), what)
            }
        }
    }
}

/// Returns the group of every row, numbered from 0 in order of first occurrence. A row with a
/// missing value forms its own group.
fn groups_of(input: &Input, name: &str) -> Result<Vec<u32>, Error> {
    let mut known: HashMap<u64, u32> = HashMap::new();
    let mut count = 0;
    let mut number = |key: Option<u64>| {
        let mut new = || {
            count += 1;
            count - 1
        };
        match key {
            None => new(),
            Some(key) => *known.entry(key).or_insert_with(new),
        }
    };
    match input {
        Input::Table(table) => {
            let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
            Ok(match &column.values {
                Values::Numeric { slot } => (0..table.rows)
                    .map(|i| table.row(i)[*slot] + 0.0)
                    .map(|v| number((!v.is_nan()).then(|| v.to_bits())))
                    .collect(),
                Values::Categorical { codes, .. } => {
                    let key = |&code: &u32| (code != MISSING).then(|| u64::from(code));
                    codes.iter().map(|code| number(key(code))).collect()
                }
            })
        }
        Input::Sparse(sparse) => match &sparse.queries {
            Some(queries) if name == "qid" => {
                Ok(queries.iter().map(|q| number(Some(*q as u64))).collect())
            }
            _ => Err(setting("groups", name, "qid, the only group of LIBSVM data")),
        },
    }
}

/// Returns the time of every row: a number, or the rank of a date that begins with the year.
fn times_of(input: &Input, name: &str) -> Result<Vec<f64>, Error> {
    let Input::Table(table) = input else {
        return Err(linsep_io::Error::IncompatibleSettings { name: "time", other: LIBSVM }.into());
    };
    let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
    if column.missing > 0 {
        return Err(Error::missing_cell(table, column, "a time", "Fill it in, or remove the row."));
    }
    match &column.values {
        Values::Numeric { slot } => Ok((0..table.rows).map(|i| table.row(i)[*slot]).collect()),
        Values::Categorical { codes, levels } => {
            if let Some(strange) = levels.iter().find(|level| !begins_with_a_date(level)) {
                let problem = format!(
                    "expected a time, found {}. Choose a column of numbers, or of dates that \
                     start with the year (2024-05-31).",
                    quoted_excerpt(strange)
                );
                let place = Location::column(&table.name, column.number, name);
                return Err(Error::data(place, problem));
            }
            // Times written from year to second sort as text.
            let mut order: Vec<usize> = (0..levels.len()).collect();
            order.sort_by_key(|&l| &levels[l]);
            let mut rank = vec![0.0; levels.len()];
            order.iter().enumerate().for_each(|(at, &level)| rank[level] = at as f64);
            Ok(codes.iter().map(|&code| rank[code as usize]).collect())
        }
    }
}

/// Whether a text begins with a date like 2024-05-31.
fn begins_with_a_date(text: &str) -> bool {
    let form = b"dddd-dd-dd";
    let fits = |(byte, form): (u8, &u8)| match form {
        b'd' => byte.is_ascii_digit(),
        other => byte == *other,
    };
    text.len() >= form.len() && text.bytes().zip(form).all(fits)
}

fn setting(name: &'static str, got: &str, want: &'static str) -> Error {
    linsep_io::Error::Setting { name, got: got.to_owned(), want }.into()
}
