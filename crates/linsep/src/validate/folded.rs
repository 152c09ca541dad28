//! Data partitioned into folds, with the training and test fold of each split.
//!
//! Sparse rows are used unchanged, so a fold is a view without a copy. The rows of a table are
//! copied once per fold, because each fold fits its own recipe. The means and levels of the recipe
//! are those of the training fold. Columns of groups or times define the folds and are not
//! features.

mod criterion;

use crate::dataset::{Targets, TrainingData, TrainingSettings, encode_rows};
use crate::error::Error;
use crate::recipe::{DroppedColumn, Scaling, sparse_design};
use criterion::FoldCriterion;
use linsep_core::data::ClassWeights;
use linsep_core::validate::Split;
use linsep_core::{Design, Label, Labels, Problem};
use linsep_io::input::Input;
use linsep_io::location::Location;
use linsep_io::memory::Memory;
use linsep_io::table::{MISSING, Table};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Settings of the partition into folds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FoldSettings {
    /// Number of folds, at least 2.
    pub folds: usize,
    /// Number of repetitions, each with a new partition.
    pub repeats: usize,
    /// Seed of the partitions.
    pub seed: u64,
    /// Column of groups, whose rows stay in the same fold; `qid` in LIBSVM files.
    pub groups: Option<String>,
    /// Column of times: test rows are later than training rows.
    pub time: Option<String>,
}

impl Default for FoldSettings {
    fn default() -> Self {
        Self { folds: 5, repeats: 1, seed: 0, groups: None, time: None }
    }
}

/// Data with a partition into folds.
#[derive(Debug)]
pub struct FoldedData {
    rows: Rows,
    targets: Targets,
    /// Number of rows. With a time column no fold has all of them.
    pub n: usize,
    settings: TrainingSettings,
    /// The classes of all rows, sorted.
    pub classes: Vec<Label>,
    /// Training and test rows of each split, in order of the repetitions.
    pub splits: Vec<Split>,
    /// Columns of groups or times, removed from the features.
    pub taken: Vec<DroppedColumn>,
    name: String,
    /// Encoded folds for a second use, if they are kept.
    kept: Option<Vec<OnceLock<Arc<Prepared>>>>,
}

#[derive(Debug)]
enum Rows {
    Table(Table),
    Sparse(Design),
}

/// A split, encoded for training.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The features.
    pub(super) x: Design,
    /// The classes of the training rows.
    pub(super) labels: Labels,
    /// The sample weights of the training rows.
    pub(super) weights: Option<Vec<f64>>,
    /// The test fold.
    pub(super) test: Test,
}

/// Test rows, encoded by the recipe of the training fold.
#[derive(Debug)]
pub(super) struct Test {
    /// The features.
    pub(super) x: Design,
    /// Class of each row, as an index into the classes of all data.
    pub(super) target: Vec<u32>,
    /// The sample weights.
    pub(super) weights: Vec<f64>,
}

impl Prepared {
    /// Returns the memory of the features.
    fn bytes(&self) -> usize {
        self.x.bytes() + self.test.x.bytes()
    }

    /// Returns the training problem, with class weights.
    pub(super) fn problem(&self, weigh: &ClassWeights) -> Result<Problem<'_>, linsep_core::Error> {
        let mut problem = Problem::new(&self.x, &self.labels, self.weights.clone())?;
        weigh.among(problem.labels().classes()).apply(&mut problem)?;
        Ok(problem)
    }
}

impl FoldedData {
    /// Partitions data into folds, and removes the columns of groups or times.
    pub fn new(
        mut input: Input,
        settings: &TrainingSettings,
        cutting: &FoldSettings,
    ) -> Result<Self, Error> {
        let place = Location::file(input.name());
        if cutting.time.is_some() && (cutting.repeats > 1 || cutting.groups.is_some()) {
            let other = "`repeats` or `groups`";
            return Err(linsep_io::Error::IncompatibleSettings { name: "time", other }.into());
        }
        if cutting.repeats == 0 {
            let want = "1 or more";
            return Err(
                linsep_io::Error::Setting { name: "repeats", got: "0".to_owned(), want }.into()
            );
        }

        // 1. The criterion of the partition.
        let by = FoldCriterion::of(&input, cutting)?;
        let mut taken = Vec::new();
        for (name, why) in [
            (&cutting.groups, "used for groups (`groups`)"),
            (&cutting.time, "used for the order in time (`time`)"),
        ] {
            if let (Some(name), Input::Table(_)) = (name, &input) {
                input.drop_column(name);
                taken.push(DroppedColumn { name: name.clone(), why: why.to_owned() });
            }
        }

        // 2. Classes and sample weights.
        let n = input.rows();
        if let Input::Table(_) = &input {
            settings.check()?;
        }
        let targets = Targets::of(&input, settings, settings.drops_unlabeled())?;
        let labels = &targets.labels;
        let rows = match input {
            Input::Table(table) => Rows::Table(table),
            Input::Sparse(sparse) => {
                Rows::Sparse(sparse_design(Arc::unwrap_or_clone(sparse))?.by_frequency())
            }
        };
        let there: Vec<usize> =
            (0..labels.codes.len()).filter(|&a| labels.get(a).is_some()).collect();
        let all = labels.select(&there);
        let target = matches!(rows, Rows::Table(_)).then_some(targets.target.as_str());
        settings.check_target(&place.file, target, &all)?;
        // Strata: rows without a class, and rows of counts, form a stratum of their own.
        let mut kinds = vec![all.k() as u32; n];
        if labels.codes.len() == n {
            there.iter().zip(all.codes()).for_each(|(&i, &code)| kinds[i] = code);
        }

        // 3. The partition.
        let mut cuts = Vec::new();
        for repeat in 0..cutting.repeats as u64 {
            cuts.extend(by.partition(&kinds, cutting, repeat, &place)?);
        }
        let (settings, name) = (settings.clone(), place.to_string());
        let classes = all.classes().to_vec();
        Ok(Self { rows, targets, n, settings, classes, splits: cuts, taken, name, kept: None })
    }

    /// Returns the name of the data.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the memory limit of training.
    pub(super) fn memory(&self) -> Memory {
        self.settings.memory
    }

    /// Returns the mean ratio of test rows to training rows.
    pub fn share(&self) -> f64 {
        let share = |split: &Split| split.test.len() as f64 / split.train.len() as f64;
        self.splits.iter().map(share).sum::<f64>() / self.splits.len() as f64
    }

    /// Keeps the encoded folds, for data that several steps use: as many as fit in a quarter of the
    /// memory limit.
    pub(crate) fn keeping(mut self) -> Self {
        self.kept = Some(self.splits.iter().map(|_| OnceLock::new()).collect());
        self
    }

    /// Returns an encoded split, which is kept for the next use if [`keeping`](Self::keeping).
    pub(super) fn prepared(&self, fold: usize) -> Result<Arc<Prepared>, Error> {
        let slot = self.kept.as_ref().map(|kept| &kept[fold]);
        if let Some(kept) = slot.and_then(OnceLock::get) {
            return Ok(Arc::clone(kept));
        }
        let prepared = Arc::new(self.prepare(fold)?);
        // All folds take about the same memory.
        let all = prepared.bytes().saturating_mul(self.splits.len());
        if let Some(slot) = slot.filter(|_| all <= self.settings.memory.part(4)) {
            return Ok(Arc::clone(slot.get_or_init(|| prepared)));
        }
        Ok(prepared)
    }

    /// Encodes a split, with a recipe fitted to its training fold.
    pub(super) fn prepare(&self, fold: usize) -> Result<Prepared, Error> {
        let Split { train, test } = &self.splits[fold];
        let indices = |rows: &[u32]| -> Vec<usize> { rows.iter().map(|&i| i as usize).collect() };
        let (train_rows, test_rows) = (indices(train), indices(test));
        let (own, other) = (self.targets.of_rows(&train_rows), self.targets.of_rows(&test_rows));
        let (x, labels, weights, test_x, places) = match &self.rows {
            Rows::Table(table) => {
                let rows = Input::Table(table.select_rows(&train_rows));
                let (training, _) = TrainingData::fit(rows, &own, &self.settings, false)?;
                let TrainingData { x, labels, weights, recipe, .. } = training;
                let rows = table.select_rows(&test_rows);
                let encoded = encode_rows(&recipe, rows, &other, Scaling::Standard)?;
                (x, labels, weights, encoded.x, encoded.places)
            }
            Rows::Sparse(x) => {
                let labels = Labels::from_codes(&own.labels.levels, &own.labels.codes);
                let places = (0..test.len()).collect();
                (x.view_rows(train), labels, own.weights, x.view_rows(test), places)
            }
        };

        // Classes as indices into the classes of all data.
        let position =
            |label: &Label| self.classes.binary_search(label).map_or(MISSING, |at| at as u32);
        let of_level: Vec<u32> = other.labels.levels.iter().map(position).collect();
        let target = places.iter().map(|&a| of_level[other.labels.codes[a] as usize]).collect();
        let weight = |&a: &usize| other.weights.as_ref().map_or(1.0, |w| w[a]);
        let test_weights = places.iter().map(weight).collect();
        Ok(Prepared { x, labels, weights, test: Test { x: test_x, target, weights: test_weights } })
    }
}

#[cfg(test)]
mod tests;
