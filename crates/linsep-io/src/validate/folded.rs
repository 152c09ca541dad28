//! Data cut into folds, and what each fold learns from and is judged on.
//!
//! Sparse rows are taken as they are, so a fold is a view of them and copies nothing. The rows of a table are copied once per
//! fold, as its recipe makes other numbers of them: standardised by the fold's own means, with columns for the fold's own
//! words. The columns that tell groups or times are there to cut by and are not learned from.

mod by;

use crate::dataset::{Answers, Training, TrainingSettings, lay_out, sparse_design, sparse_weights};
use crate::error::Error;
use crate::input::Input;
use crate::labels::{LabelMap, RowLabels};
use crate::memory::Memory;
use crate::place::Place;
use crate::recipe::{LeftOut, Recipe};
use crate::table::{MISSING, Table};
use by::By;
use linsep::data::ClassWeights;
use linsep::validate::Split;
use linsep::{Design, Label, Labels, Problem};

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
    /// How many rows there are. In the order of time no fold has them all.
    pub n: usize,
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
        let by = By::of(&input, cutting)?;
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
        let target = match &rows {
            Rows::Table(_, answers) => Some(answers.target.as_str()),
            Rows::Sparse { .. } => None,
        };
        settings.check_target(&place.file, target, &all)?;
        // To be dealt out by: rows without a class, and rows of counts, are a kind of their own.
        let mut kinds = vec![all.k() as u32; n];
        if labels.codes.len() == n {
            there.iter().zip(all.codes()).for_each(|(&i, &code)| kinds[i] = code);
        }

        // 3. Cut.
        let mut cuts = Vec::new();
        for repeat in 0..cutting.repeats as u64 {
            cuts.extend(by.cut(&kinds, cutting, repeat, &place)?);
        }
        let (settings, name) = (settings.clone(), place.to_string());
        Ok(Self { rows, n, settings, classes: all.classes().to_vec(), splits: cuts, taken, name })
    }

    /// What the data is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What learning may take in memory.
    pub(super) fn memory(&self) -> Memory {
        self.settings.memory
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
                let answers = Answers::of(&table, settings, settings.drops_unlabelled())?;
                Ok(Self::Table(table, answers))
            }
            Input::Sparse(sparse) => {
                crate::dataset::no_names(settings)?;
                let labels = RowLabels::of_sparse(&sparse);
                let map = LabelMap::from(&settings.label_map, &labels.levels)?;
                let weights = sparse_weights(&sparse, settings)?;
                Ok(Self::Sparse {
                    labels: labels.renamed(&map),
                    weights,
                    x: sparse_design(sparse)?.by_frequency(),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;
