//! Why a model gives a row its class, in the words of the table the row came from.
//!
//! The mathematics is that of [`linsep::explain`], over the columns of the design; here it becomes about cells. A number contributes
//! w(x − mean), so that a number like all others says nothing; a missing number what its indicator weighs; a word the weight of its column.
//! What could be otherwise:
//!
//! | cell | can become |
//! |---|---|
//! | a number | any other, alone or together with all other numbers |
//! | a missing number | any number; it is then no longer missing |
//! | a word | any other word of its column that training had |
//! | a word among very many | nothing: which words there are is not kept |
//!
//! Lengths are in deviations of the columns in training, or, of numbered pairs, in the numbers as they are.

mod features;

pub use features::Cell;

use crate::bundle::Bundle;
use crate::error::Error;
use crate::recipe::Recipe;
use crate::scoring::Picked;
use features::{Feature, Kind, Row, pair, row};
use linsep::explain::{Contest, contributions};
use linsep::math::sum::Sum;
use linsep::{Label, Plane};

/// How to explain.
#[derive(Clone, Debug)]
pub struct Explain<'a> {
    /// The model.
    pub bundle: &'a Bundle,
    /// The class to compare with, by position; else the one that is second.
    pub against: Option<usize>,
    /// The columns that may change; else all.
    pub allow: Option<&'a [String]>,
    /// How many single changes are looked for.
    pub most: usize,
}

/// Why a row is given its class, and what would change that.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The row, counted from 0.
    pub row: usize,
    /// Its class as the file has it, if it has.
    pub actual: Option<Label>,
    /// The class it is given, by position.
    pub class: usize,
    /// The class it is compared with.
    pub rival: usize,
    /// The class that contributions above 0 speak for: of two the positive one, else the one it is given.
    pub towards: usize,
    /// Whether no class wins it, and the scores had to decide.
    pub ambiguous: bool,
    /// Whether the model is not sure enough of the class to name it.
    pub abstained: bool,
    /// The score of every plane.
    pub scores: Vec<f64>,
    /// The probability of every class, where the model has them.
    pub probabilities: Option<Vec<f64>>,
    /// What contributions sum to: of two classes the score (less the threshold, where there is one), else the lead of one class over the other.
    pub score: f64,
    /// That as a distance from the plane between the two, in deviations; none where they are one.
    pub distance: Option<f64>,
    /// What a row would score whose numbers are the means of training, and which had no words.
    pub base: f64,
    /// What each cell adds, the largest first.
    pub contributions: Vec<Contribution>,
    /// Base and contributions, added up.
    pub sum: f64,
    /// The least change of all numbers together, if one does it.
    pub nearest: Option<Nearest>,
    /// Changes of one number, the least first.
    pub slides: Vec<Slide>,
    /// Changes of one word.
    pub swaps: Vec<Swap>,
}

/// What a cell adds to the score.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The column.
    pub name: String,
    /// What stands there.
    pub cell: Cell,
    /// What it adds.
    pub value: f64,
}

/// The nearest row that is decided otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// The class it is given.
    pub class: usize,
    /// How far it is, in deviations.
    pub length: f64,
    /// Whether no shorter change does it.
    pub exact: bool,
    /// The numbers that change, from and to: the largest change first, in deviations.
    pub changes: Vec<(String, f64, f64)>,
}

/// One number that changes the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// The column.
    pub name: String,
    /// What stands there.
    pub from: Cell,
    /// What would have to.
    pub to: f64,
    /// How far that is, in deviations; from the mean where nothing stands there.
    pub deviations: f64,
    /// The class it is given then.
    pub class: usize,
}

/// One word that changes the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Swap {
    /// The column.
    pub name: String,
    /// What stands there.
    pub from: Cell,
    /// What would have to.
    pub to: String,
    /// The class it is given then.
    pub class: usize,
}

impl Explain<'_> {
    /// Are the columns that may change among the model's?
    pub fn check(&self, file: &str) -> Result<(), Error> {
        let features = match &self.bundle.header.recipe {
            Recipe::Table(table) => table.steps.iter().map(|step| step.name.clone()).collect(),
            sparse @ Recipe::Sparse { .. } => sparse.features(),
        };
        let unknown = self.allow.unwrap_or_default().iter().find(|name| !features.contains(name));
        unknown.map_or(Ok(()), |name| Err(Error::no_column_among(file, name, &features)))
    }

    /// Explains a row; none where it misses a value and the model takes none such.
    pub fn row(&self, picked: &Picked) -> Result<Option<Explanation>, Error> {
        let model = &self.bundle.model;
        let Some(Row { x, features }) = row(&self.bundle.header.recipe, &picked.input)? else {
            return Ok(None);
        };
        let contest = Contest::new(model);
        let scores = contest.scores(&x);
        let (class, verdict) = (contest.class(&scores), model.verdict(&scores));
        let rival = self.against.filter(|against| *against != class);
        let want = rival.filter(|_| model.k() > 2);
        let rival = rival.unwrap_or_else(|| contest.runner_up(&scores, class));
        let towards = if model.k() == 2 { 1 } else { class };
        let plane = contest.between(towards, if towards == class { rival } else { class });
        let mut probabilities = Vec::new();
        let has = model.probabilities(&scores, &mut probabilities);

        // 1. Why.
        let units = Units::of(&self.bundle.header.recipe, &features, x.len());
        let (base, terms) = contributions(&plane, &x, &units.centre);
        let mut all: Vec<Contribution> =
            features.iter().map(|feature| contribution(feature, &terms)).collect();
        all.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        let sum = all.iter().map(|c| c.value).chain([base]).collect::<Sum>().value();
        let score = plane.at(&x);

        // 2. What if.
        let free = |feature: &Feature| self.allow.is_none_or(|names| names.contains(&feature.name));
        let features: Vec<Feature> = match &self.bundle.header.recipe {
            Recipe::Table(_) => features,
            // What is zero can change as well.
            Recipe::Sparse { columns, base } => {
                let number = |j| columns.number(j) + usize::from(*base);
                (0..x.len()).map(|j| pair(j, number(j), x[j])).collect()
            }
        };
        let free: Vec<&Feature> = features.iter().filter(|feature| free(feature)).collect();
        Ok(Some(Explanation {
            row: picked.row,
            actual: picked.label.clone(),
            ambiguous: verdict.ambiguous,
            abstained: verdict.abstained,
            distance: units.distance(&plane, score),
            nearest: nearest(&contest, &x, &free, want),
            slides: slides(&contest, &x, &free, want, self.most),
            swaps: swaps(&contest, &x, &free, want),
            probabilities: has.then_some(probabilities),
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

/// Where columns are centred, and what a step of 1 is.
struct Units {
    centre: Vec<f64>,
    scale: Vec<f64>,
}

impl Units {
    fn of(recipe: &Recipe, features: &[Feature], d: usize) -> Self {
        let mut units = Self { centre: vec![0.0; d], scale: vec![1.0; d] };
        for feature in features.iter().filter(|_| matches!(recipe, Recipe::Table(_))) {
            if let Kind::Number { mean, scale, .. } = feature.kind {
                let j = feature.columns.start;
                (units.centre[j], units.scale[j]) = (mean, scale);
            }
        }
        units
    }

    fn distance(&self, plane: &Plane, score: f64) -> Option<f64> {
        let scaled = plane.w.iter().zip(&self.scale).map(|(w, scale)| w * scale);
        let length = scaled.fold(0.0, f64::hypot);
        (length > 0.0).then(|| score / length)
    }
}

fn contribution(feature: &Feature, terms: &[(usize, f64)]) -> Contribution {
    let from = terms.partition_point(|(j, _)| *j < feature.columns.start);
    let own = terms[from..].iter().take_while(|(j, _)| feature.columns.contains(j));
    let value = own.map(|(_, term)| term).sum();
    Contribution { name: feature.name.clone(), cell: feature.cell.clone(), value }
}

/// All numbers that are there may change, words stay.
fn nearest(
    contest: &Contest<'_>,
    x: &[f64],
    free: &[&Feature],
    want: Option<usize>,
) -> Option<Nearest> {
    let mut scale = vec![0.0; x.len()];
    for feature in free {
        if let (Kind::Number { scale: s, .. }, Cell::Number(_)) = (&feature.kind, &feature.cell) {
            scale[feature.columns.start] = *s;
        }
    }
    let flip = contest.nearest(x, &scale, want)?;
    let mut changes: Vec<(f64, &str, usize)> = free
        .iter()
        .map(|feature| (feature.name.as_str(), feature.columns.start))
        .filter(|&(_, j)| scale[j] > 0.0 && flip.x[j] != x[j])
        .map(|(name, j)| (((flip.x[j] - x[j]) / scale[j]).abs(), name, j))
        .collect();
    changes.sort_by(|a, b| b.0.total_cmp(&a.0));
    Some(Nearest {
        class: flip.class,
        length: flip.length,
        exact: flip.exact,
        changes: changes.iter().map(|&(_, name, j)| (name.to_owned(), x[j], flip.x[j])).collect(),
    })
}

/// One number at a time.
fn slides(
    contest: &Contest<'_>,
    x: &[f64],
    free: &[&Feature],
    want: Option<usize>,
    most: usize,
) -> Vec<Slide> {
    let scores = contest.scores(x);
    let winner = contest.class(&scores);
    let mut ways: Vec<(f64, f64, &Feature)> = Vec::new();
    for feature in free {
        let Kind::Number { scale, .. } = feature.kind else { continue };
        let j = feature.columns.start;
        let step = match filled(x, feature) {
            None => contest.step(&scores, j, want),
            Some(x) => {
                let scores = contest.scores(&x);
                let class = contest.class(&scores);
                let done = want.map_or(class != winner, |want| class == want);
                if done { Some(0.0) } else { contest.step(&scores, j, want) }
            }
        };
        ways.extend(step.map(|step| (step.abs() / scale, step, *feature)));
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    let verified = ways.into_iter().filter_map(|(deviations, step, feature)| {
        let (j, filled) = (feature.columns.start, filled(x, feature));
        let from = filled.as_deref().unwrap_or(x);
        let (to, class) = contest.settle(from, j, step, winner, want)?;
        let (name, from) = (feature.name.clone(), feature.cell.clone());
        Some(Slide { name, from, to, deviations, class })
    });
    verified.take(most).collect()
}

/// The row with a missing number no longer missing: the mean, and the indicator off. None where it is there.
fn filled(x: &[f64], feature: &Feature) -> Option<Vec<f64>> {
    let Kind::Number { indicator, .. } = feature.kind else { return None };
    (feature.cell == Cell::Missing).then(|| {
        let mut x = x.to_vec();
        if indicator {
            x[feature.columns.start + 1] = 0.0;
        }
        x
    })
}

/// One word at a time.
fn swaps(contest: &Contest<'_>, x: &[f64], free: &[&Feature], want: Option<usize>) -> Vec<Swap> {
    let winner = contest.class(&contest.scores(x));
    let mut found = Vec::new();
    for feature in free {
        let Kind::Word { levels } = &feature.kind else { continue };
        let mut changed = x.to_vec();
        for (place, level) in levels.iter().enumerate() {
            if feature.cell == Cell::Word(level.clone()) {
                continue;
            }
            changed[feature.columns.clone()].fill(0.0);
            changed[feature.columns.start + place] = 1.0;
            let class = contest.class(&contest.scores(&changed));
            if want.map_or(class != winner, |want| class == want) {
                let (name, from) = (feature.name.clone(), feature.cell.clone());
                found.push(Swap { name, from, to: level.clone(), class });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
