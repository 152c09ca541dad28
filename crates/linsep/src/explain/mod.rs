//! Explanations of predictions, in terms of the columns of the table.
//!
//! [`linsep_core::explain`] has the mathematics, for the features of the design matrix. Here the
//! contributions and counterfactuals are those of cells. A number contributes w(x − mean), so an
//! average number contributes nothing. A missing number contributes the coefficient of its
//! indicator, a level the coefficient of its feature. Features derived from a cell, such as the
//! n-grams of a text, have a contribution each. Changes considered in counterfactuals:
//!
//! | cell | alternatives |
//! |---|---|
//! | number | any other, alone or together with all other numbers |
//! | missing number | any number, with the indicator set to 0 |
//! | level | any other level of its column seen in training |
//! | hashed level | none: the levels are not stored |
//! | cell that several steps read, or one with a derived feature | none |
//!
//! Lengths are in standard deviations of the columns in training or, for index:value pairs, in raw
//! units.

mod features;

pub use features::Cell;

use crate::error::Error;
use crate::model_file::ModelFile;
use crate::scoring::SelectedRow;
use features::{Change, Feature, Row, row};
use linsep_core::explain::{ClassScores, contributions};
use linsep_core::math::sum::Sum;
use linsep_core::{Hyperplane, Label, float};
use serde::{Deserialize, Serialize};

/// Settings of explanations.
#[derive(Clone, Debug)]
pub struct Explain<'a> {
    /// The model.
    pub model_file: &'a ModelFile,
    /// Index of the class to compare with; by default the runner-up.
    pub against: Option<usize>,
    /// The columns that may change; by default all.
    pub allow: Option<&'a [String]>,
    /// Maximum number of changes of a single number.
    pub most: usize,
}

/// Contributions to a prediction, and counterfactuals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Index of the row, from 0.
    pub row: usize,
    /// True class in the file, if any.
    pub actual: Option<Label>,
    /// Index of the predicted class.
    pub class: usize,
    /// Index of the class compared with.
    pub rival: usize,
    /// Index of the class favored by positive contributions: the positive one of two classes, else
    /// the predicted class.
    pub towards: usize,
    /// Whether the row lies in an ambiguous region, where the scores decide.
    pub ambiguous: bool,
    /// Whether the model abstains.
    pub abstained: bool,
    /// The score of every hyperplane.
    #[serde(with = "float")]
    pub scores: Vec<f64>,
    /// The probability of every class, if the model has probabilities.
    #[serde(with = "float")]
    pub probabilities: Option<Vec<f64>>,
    /// The sum of the contributions and the base. With two classes: the score, minus the threshold
    /// if any. Else the difference of the scores of two classes.
    #[serde(with = "float")]
    pub score: f64,
    /// The score as a distance from the hyperplane between the two classes, in standard deviations;
    /// `None` if both have the same coefficients.
    #[serde(with = "float")]
    pub distance: Option<f64>,
    /// The score of a row with the training means as numbers, and with no levels.
    #[serde(with = "float")]
    pub base: f64,
    /// The contribution of each cell, by descending absolute value.
    pub contributions: Vec<Contribution>,
    /// The sum of base and contributions.
    #[serde(with = "float")]
    pub sum: f64,
    /// The smallest joint change of all numbers that changes the prediction, if any.
    pub nearest: Option<Nearest>,
    /// Changes of one number that change the prediction, by ascending length.
    pub number_changes: Vec<NumberChange>,
    /// Changes of one level that change the prediction.
    pub level_changes: Vec<LevelChange>,
}

/// Contribution of a cell to the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// Name of the column.
    pub name: String,
    /// The content of the cell.
    pub cell: Cell,
    /// The contribution.
    #[serde(with = "float")]
    pub value: f64,
}

/// The nearest row with another prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nearest {
    /// Index of the class predicted there.
    pub class: usize,
    /// Distance from the explained row, in standard deviations.
    #[serde(with = "float")]
    pub length: f64,
    /// Whether no shorter change has this effect.
    pub exact: bool,
    /// The numbers that change, from and to, by descending change in standard deviations.
    pub changes: Vec<(String, f64, f64)>,
}

/// A change of one number that changes the prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberChange {
    /// Name of the column.
    pub name: String,
    /// The current content.
    pub from: Cell,
    /// The new number.
    #[serde(with = "float")]
    pub to: f64,
    /// Size of the change in standard deviations; from the mean if the number is missing.
    #[serde(with = "float")]
    pub deviations: f64,
    /// Index of the class predicted then.
    pub class: usize,
}

/// A change of one level that changes the prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelChange {
    /// Name of the column.
    pub name: String,
    /// The current content.
    pub from: Cell,
    /// The new level.
    pub to: String,
    /// Index of the class predicted then.
    pub class: usize,
}

impl Explain<'_> {
    /// Checks that the model is linear and has the columns that may change.
    pub fn check(&self, file: &str) -> Result<(), Error> {
        self.model_file.linear(file)?;
        let recipe = &self.model_file.header.recipe;
        let features = match &recipe.pairs {
            Some(_) => recipe.features(),
            None => recipe.columns().into_iter().map(|(name, _)| name.to_owned()).collect(),
        };
        let unknown = self.allow.unwrap_or_default().iter().find(|name| !features.contains(name));
        unknown.map_or(Ok(()), |name| {
            Err(linsep_io::Error::no_column_among(file, name, &features).into())
        })
    }

    /// Explains a row; `None` if a value is missing that the model cannot encode.
    pub fn row(&self, picked: &SelectedRow) -> Result<Option<Explanation>, Error> {
        let header = &self.model_file.header;
        let (model, recipe) = (self.model_file.linear(&header.method)?, &header.recipe);
        let Some(Row { x, features }) = row(recipe, &picked.input)? else { return Ok(None) };
        let contest = ClassScores::new(&model);
        let scores = contest.scores(&x);
        let (class, verdict) = (contest.class(&scores), model.decision(&scores));
        let rival = self.against.filter(|against| *against != class);
        let want = rival.filter(|_| model.k() > 2);
        let rival = rival.unwrap_or_else(|| contest.runner_up(&scores, class));
        let towards = if model.k() == 2 { 1 } else { class };
        let hyperplane = contest.between(towards, if towards == class { rival } else { class });
        let mut probabilities = Vec::new();
        let has_probabilities = model.probabilities(&scores, &mut probabilities);

        // 1. The contributions.
        let units = recipe.units();
        let (base, terms) = contributions(&hyperplane, &x, &units.mean);
        // A row of index:value pairs has the cells that are not zero.
        let has =
            |feature: &&Feature<'_>| recipe.pairs.is_none() || x[feature.columns.start] != 0.0;
        let mut all: Vec<Contribution> =
            features.iter().filter(has).map(|feature| contribution(feature, &terms)).collect();
        all.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        let sum = all.iter().map(|c| c.value).chain([base]).collect::<Sum>().value();
        let score = hyperplane.at(&x);

        // 2. The counterfactuals.
        let free =
            |feature: &&Feature<'_>| self.allow.is_none_or(|names| names.contains(&feature.name));
        let free: Vec<&Feature<'_>> = features.iter().filter(free).collect();
        let scale = &units.scale;
        let search = Search { contest: &contest, x: &x, scale, free, class, want };
        Ok(Some(Explanation {
            row: picked.row,
            actual: picked.label.clone(),
            ambiguous: verdict.ambiguous,
            abstained: verdict.abstained,
            distance: distance(&hyperplane, scale, score),
            nearest: search.nearest(),
            number_changes: search.number_changes(self.most),
            level_changes: search.level_changes(),
            probabilities: has_probabilities.then_some(probabilities),
            contributions: all,
            class,
            rival,
            towards,
            scores,
            score,
            base,
            sum,
        }))
    }
}

/// Returns the distance from a hyperplane in standard deviations.
fn distance(hyperplane: &Hyperplane, scale: &[f64], score: f64) -> Option<f64> {
    let scaled = hyperplane.w.iter().zip(scale).map(|(w, scale)| w * scale);
    let length = scaled.fold(0.0, f64::hypot);
    (length > 0.0).then(|| score / length)
}

fn contribution(feature: &Feature<'_>, terms: &[(usize, f64)]) -> Contribution {
    let from = terms.partition_point(|(j, _)| *j < feature.columns.start);
    let own = terms[from..].iter().take_while(|(j, _)| feature.columns.contains(j));
    let value = own.map(|(_, term)| term).sum();
    Contribution { name: feature.name.clone(), cell: feature.cell.clone(), value }
}

/// Search for changes of a row that change its prediction.
struct Search<'a> {
    contest: &'a ClassScores<'a>,
    x: &'a [f64],
    /// Standard deviations of the features.
    scale: &'a [f64],
    /// The cells that may change.
    free: Vec<&'a Feature<'a>>,
    /// Index of the predicted class.
    class: usize,
    /// Index of the class wanted instead; by default any other.
    want: Option<usize>,
}

impl Search<'_> {
    fn is_wanted(&self, class: usize) -> bool {
        self.want.map_or(class != self.class, |want| class == want)
    }

    /// Returns the smallest joint change of the present numbers; levels stay.
    fn nearest(&self) -> Option<Nearest> {
        let x = self.x;
        let mut scale = vec![0.0; x.len()];
        for feature in &self.free {
            if let (Change::Number { .. }, Cell::Number(_)) = (&feature.change, &feature.cell) {
                let j = feature.columns.start;
                scale[j] = self.scale[j];
            }
        }
        let flip = self.contest.nearest(x, &scale, self.want)?;
        let mut changes: Vec<(f64, &str, usize)> = self
            .free
            .iter()
            .map(|feature| (feature.name.as_str(), feature.columns.start))
            .filter(|&(_, j)| scale[j] > 0.0 && flip.x[j] != x[j])
            .map(|(name, j)| (((flip.x[j] - x[j]) / scale[j]).abs(), name, j))
            .collect();
        changes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let changes = changes.iter().map(|&(_, name, j)| (name.to_owned(), x[j], flip.x[j]));
        Some(Nearest {
            class: flip.class,
            length: flip.length,
            exact: flip.exact,
            changes: changes.collect(),
        })
    }

    /// Returns the `most` smallest changes of one number.
    fn number_changes(&self, most: usize) -> Vec<NumberChange> {
        let Self { contest, x, want, .. } = *self;
        let scores = contest.scores(x);
        let mut ways: Vec<(f64, f64, &Feature<'_>)> = Vec::new();
        for feature in self.free.iter().filter(|one| matches!(one.change, Change::Number { .. })) {
            let j = feature.columns.start;
            let step = match filled(x, feature) {
                None => contest.step(&scores, j, want),
                Some(x) => {
                    let scores = contest.scores(&x);
                    let done = self.is_wanted(contest.class(&scores));
                    if done { Some(0.0) } else { contest.step(&scores, j, want) }
                }
            };
            ways.extend(step.map(|step| (step.abs() / self.scale[j], step, *feature)));
        }
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        let verified = ways.into_iter().filter_map(|(deviations, step, feature)| {
            let (j, filled) = (feature.columns.start, filled(x, feature));
            let from = filled.as_deref().unwrap_or(x);
            let (to, class) = contest.settle(from, j, step, self.class, want)?;
            let (name, from) = (feature.name.clone(), feature.cell.clone());
            Some(NumberChange { name, from, to, deviations, class })
        });
        verified.take(most).collect()
    }

    /// Returns the changes of one level.
    fn level_changes(&self) -> Vec<LevelChange> {
        let mut found = Vec::new();
        for feature in &self.free {
            let Change::Level(levels) = &feature.change else { continue };
            let mut changed = self.x.to_vec();
            for (place, &level) in levels.iter().enumerate() {
                if matches!(&feature.cell, Cell::Word(own) if own == level) {
                    continue;
                }
                changed[feature.columns.clone()].fill(0.0);
                changed[feature.columns.start + place] = 1.0;
                let class = self.contest.class(&self.contest.scores(&changed));
                if self.is_wanted(class) {
                    let (name, from) = (feature.name.clone(), feature.cell.clone());
                    found.push(LevelChange { name, from, to: level.to_owned(), class });
                }
            }
        }
        found
    }
}

/// Returns the row with a missing number replaced by the mean, and the indicator 0; `None` if it is
/// not missing.
fn filled(x: &[f64], feature: &Feature<'_>) -> Option<Vec<f64>> {
    let Change::Number { indicator } = feature.change else { return None };
    (feature.cell == Cell::Missing).then(|| {
        let mut x = x.to_vec();
        if indicator {
            x[feature.columns.start + 1] = 0.0;
        }
        x
    })
}

#[cfg(test)]
mod tests;
