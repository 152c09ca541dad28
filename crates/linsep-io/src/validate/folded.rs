//! Data cut into folds, and what each fold learns from and is judged on.
//!
//! Sparse rows are taken as they are, so a fold is a view of them and copies nothing. The rows of a table are copied once per
//! fold, as its recipe makes other numbers of them: standardised by the fold's own means, with columns for the fold's own
//! words. The columns that tell groups or times are there to cut by and are not learned from.

use crate::dataset::{Answers, Training, TrainingSettings, lay_out, sparse_design, sparse_weights};
use crate::error::Error;
use crate::input::Input;
use crate::labels::{LabelMap, RowLabels};
use crate::place::Place;
use crate::recipe::{LeftOut, Recipe};
use crate::table::{MISSING, Sparse, Table, Values};
use linsep::data::ClassWeights;
use linsep::validate::{Split, by_group, in_time, splits, stratified};
use linsep::{Design, Label, Labels, Problem};
use std::collections::HashMap;

/// How to cut.
#[derive(Clone, Debug)]
pub struct Cutting {
    /// Folds, at least 2.
    pub folds: usize,
    /// How often to cut anew.
    pub repeats: usize,
    /// Seed of the cuts.
    pub seed: u64,
    /// Column whose values stay together; `qid` of LIBSVM files.
    pub groups: Option<String>,
    /// Column that puts rows in order: judged is what comes later.
    pub time: Option<String>,
}

impl Default for Cutting {
    fn default() -> Self {
        Self { folds: 5, repeats: 1, seed: 0, groups: None, time: None }
    }
}

/// Data, cut.
#[derive(Debug)]
pub struct Folded {
    rows: Rows,
    settings: TrainingSettings,
    /// The classes of all rows, sorted.
    pub classes: Vec<Label>,
    /// What each fold learns from and is judged on; those of the first repetition first.
    pub splits: Vec<Split>,
    /// Columns that were there to cut by.
    pub taken: Vec<LeftOut>,
    name: String,
}

#[derive(Debug)]
enum Rows {
    Table(Table, Answers),
    Sparse { x: Design, labels: RowLabels, weights: Option<Vec<f64>> },
}

/// A fold, ready to learn from.
#[derive(Debug)]
pub struct Prepared {
    /// The features.
    pub x: Design,
    /// The classes of the rows learned from.
    pub labels: Labels,
    /// Their weights.
    pub weights: Option<Vec<f64>>,
    /// What is judged on.
    pub test: Test,
}

/// Rows to judge on, as the recipe of their fold has them.
#[derive(Debug)]
pub struct Test {
    /// The features.
    pub x: Design,
    /// The class of each row, as a position among the classes of all data.
    pub target: Vec<u32>,
    /// Their weights.
    pub weights: Vec<f64>,
}

impl Prepared {
    /// What is learned from, its classes weighed.
    pub fn problem(&self, weigh: &ClassWeights) -> Result<Problem<'_>, linsep::Error> {
        let mut problem = Problem::new(&self.x, &self.labels, self.weights.clone())?;
        weigh.among(problem.labels().classes()).apply(&mut problem)?;
        Ok(problem)
    }
}

impl Folded {
    /// Cuts data. Takes the columns to cut by out of it.
    pub fn new(
        mut input: Input,
        settings: &TrainingSettings,
        cutting: &Cutting,
    ) -> Result<Self, Error> {
        let place = match &input {
            Input::Table(table) => Place::file(&table.name),
            Input::Sparse(sparse) => Place::file(&sparse.name),
        };
        let core = |source| Error::Core { place: Box::new(place.clone()), source };
        if cutting.time.is_some() && (cutting.repeats > 1 || cutting.groups.is_some()) {
            let (name, got) = ("time", cutting.time.clone().unwrap_or_default());
            let want = "given without repeats and groups: there is one order of time";
            return Err(Error::Setting { name, got, want });
        }
        if cutting.repeats == 0 {
            let want = "1 or more";
            return Err(Error::Setting { name: "repeats", got: "0".to_owned(), want });
        }

        // 1. What to cut by.
        let groups = cutting.groups.as_deref().map(|name| group_of_rows(&input, name));
        let (groups, times) = (
            groups.transpose()?,
            cutting.time.as_deref().map(|name| time_of_rows(&input, name)).transpose()?,
        );
        let mut taken = Vec::new();
        for (name, why) in [
            (&cutting.groups, "it tells groups of rows, to cut folds by"),
            (&cutting.time, "it tells the order of rows, to cut folds by"),
        ] {
            if let (Some(name), Input::Table(_)) = (name, &input) {
                input.drop_column(name);
                taken.push(LeftOut { name: name.clone(), why: why.to_owned() });
            }
        }

        // 2. Classes and weights.
        let n = input.rows();
        let rows = Rows::of(input, settings)?;
        let labels = match &rows {
            Rows::Table(_, answers) => &answers.labels,
            Rows::Sparse { labels, .. } => labels,
        };
        let there: Vec<usize> =
            (0..labels.codes.len()).filter(|&a| labels.get(a).is_some()).collect();
        let all = labels.select(&there);
        // To be dealt out by: rows without a class, and rows of counts, are a kind of their own.
        let mut kinds = vec![all.k() as u32; n];
        if labels.codes.len() == n {
            there.iter().zip(all.codes()).for_each(|(&i, &code)| kinds[i] = code);
        }

        // 3. Cut.
        let mut cuts = Vec::new();
        for repeat in 0..cutting.repeats as u64 {
            let (folds, seed) = (cutting.folds, cutting.seed);
            cuts.extend(match (&times, &groups) {
                (Some(times), _) => in_time(times, folds).map_err(core)?,
                (None, Some(groups)) => {
                    splits(&by_group(groups, &kinds, folds, seed, repeat).map_err(core)?, folds)
                }
                (None, None) => {
                    splits(&stratified(&kinds, folds, seed, repeat).map_err(core)?, folds)
                }
            });
        }
        let (settings, name) = (settings.clone(), place.to_string());
        Ok(Self { rows, settings, classes: all.classes().to_vec(), splits: cuts, taken, name })
    }

    /// What the data is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mean of rows judged on over rows learned from.
    pub fn share(&self) -> f64 {
        let share = |split: &Split| split.test.len() as f64 / split.train.len() as f64;
        self.splits.iter().map(share).sum::<f64>() / self.splits.len() as f64
    }

    /// A fold, with a recipe of its own.
    pub fn prepare(&self, fold: usize) -> Result<Prepared, Error> {
        let Split { train, test } = &self.splits[fold];
        match &self.rows {
            Rows::Table(table, answers) => {
                let part = |rows: &[u32]| {
                    let rows: Vec<usize> = rows.iter().map(|&i| i as usize).collect();
                    (table.select_rows(&rows), answers.of_rows(&rows))
                };
                let (own, told) = part(train);
                let Training { x, labels, weights, recipe, .. } =
                    Training::with_answers(own, &told, &self.settings)?;
                let Recipe::Table(recipe) = recipe else { unreachable!("it is that of a table") };
                let (other, told) = part(test);
                let laid = lay_out(&recipe, other, &told)?;
                let weight = |&a: &usize| told.weights.as_ref().map_or(1.0, |w| w[a]);
                let test = Test {
                    x: laid.x,
                    target: self.targets(&told.labels, &laid.places),
                    weights: laid.places.iter().map(weight).collect(),
                };
                Ok(Prepared { x, labels, weights, test })
            }
            Rows::Sparse { x, labels, weights } => {
                let of =
                    |rows: &[u32]| -> Vec<usize> { rows.iter().map(|&i| i as usize).collect() };
                let weigh = |rows: &[u32]| {
                    weights.as_ref().map(|w| rows.iter().map(|&i| w[i as usize]).collect())
                };
                let target = self.targets(labels, &of(test));
                let judged = weigh(test).unwrap_or_else(|| vec![1.0; test.len()]);
                Ok(Prepared {
                    x: x.view_rows(train),
                    labels: labels.select(&of(train)),
                    weights: weigh(train),
                    test: Test { x: x.view_rows(test), target, weights: judged },
                })
            }
        }
    }

    /// Classes as positions among all.
    fn targets(&self, labels: &RowLabels, places: &[usize]) -> Vec<u32> {
        let position =
            |label: &Label| self.classes.binary_search(label).map_or(MISSING, |at| at as u32);
        let of_level: Vec<u32> = labels.levels.iter().map(position).collect();
        places.iter().map(|&a| of_level[labels.codes[a] as usize]).collect()
    }
}

impl Rows {
    fn of(input: Input, settings: &TrainingSettings) -> Result<Self, Error> {
        match input {
            Input::Table(table) => {
                settings.check()?;
                let answers = Answers::of(&table, settings)?;
                Ok(Self::Table(table, answers))
            }
            Input::Sparse(sparse) => {
                crate::dataset::no_counts(&settings.counts)?;
                let labels = RowLabels::of_sparse(&sparse);
                let map = LabelMap::from(&settings.label_map, &labels.levels)?;
                let weights = sparse_weights(&sparse, settings)?;
                Ok(Self::Sparse {
                    labels: labels.renamed(&map),
                    weights,
                    x: sparse_design(sparse)?,
                })
            }
        }
    }
}

/// The group of every row, numbered from 0 in the order of appearance. A missing value is a group of its own row.
fn group_of_rows(input: &Input, name: &str) -> Result<Vec<u32>, Error> {
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
                Values::Number { slot } => (0..table.rows)
                    .map(|i| table.row(i)[*slot] + 0.0)
                    .map(|v| number((!v.is_nan()).then(|| v.to_bits())))
                    .collect(),
                Values::Words { codes, .. } => {
                    let key = |&code: &u32| (code != MISSING).then(|| u64::from(code));
                    codes.iter().map(|code| number(key(code))).collect()
                }
            })
        }
        Input::Sparse(Sparse { queries: Some(queries), .. }) if name == "qid" => {
            Ok(queries.iter().map(|q| number(Some(*q as u64))).collect())
        }
        Input::Sparse(_) => Err(setting("groups", name, "qid, where lines have one")),
    }
}

/// The time of every row: a number, or a date that begins with the year.
fn time_of_rows(input: &Input, name: &str) -> Result<Vec<f64>, Error> {
    let Input::Table(table) = input else {
        return Err(setting("time", name, "left out for numbered pairs (LIBSVM)"));
    };
    let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
    if column.missing > 0 {
        let place = Box::new(column.missing_place(&table.name));
        let hint = "Fill it in, or leave the row out.";
        return Err(Error::MissingCell { place, want: "a time", hint });
    }
    match &column.values {
        Values::Number { slot } => Ok((0..table.rows).map(|i| table.row(i)[*slot]).collect()),
        Values::Words { codes, levels } => {
            if let Some(strange) = levels.iter().find(|level| !begins_with_a_date(level)) {
                let place = Box::new(Place::column(&table.name, column.number, name));
                return Err(Error::NoTime { place, found: strange.clone() });
            }
            // Written from the year to the second, times are in the order of their letters.
            let mut order: Vec<usize> = (0..levels.len()).collect();
            order.sort_by_key(|&l| &levels[l]);
            let mut rank = vec![0.0; levels.len()];
            order.iter().enumerate().for_each(|(at, &level)| rank[level] = at as f64);
            Ok(codes.iter().map(|&code| rank[code as usize]).collect())
        }
    }
}

/// 2024-05-31 and whatever follows.
fn begins_with_a_date(text: &str) -> bool {
    let form = b"dddd-dd-dd";
    let fits = |(byte, form): (u8, &u8)| match form {
        b'd' => byte.is_ascii_digit(),
        other => byte == *other,
    };
    text.len() >= form.len() && text.bytes().zip(form).all(fits)
}

fn setting(name: &'static str, got: &str, want: &'static str) -> Error {
    Error::Setting { name, got: got.to_owned(), want }
}

#[cfg(test)]
mod tests;
