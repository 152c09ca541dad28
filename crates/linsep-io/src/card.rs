//! A model's columns as the columns of a scorecard: in the terms of the file, not of the recipe.
//!
//! | column of the file | on the card |
//! |---|---|
//! | numbers | points per unit of the number; points of their own where it is missing, if training met that |
//! | words | points per word |
//! | numbered pairs | points per unit, by number |
//!
//! The recipe puts the mean m in the place of a missing number and a 1 into a further column; together they are worth w·m + w′, whatever the row, so on the
//! card the number is worth nothing where it is missing, and "missing" has points of its own: a change of columns that changes
//! no score. Words that share columns by their hash have no names to put on a card, and are refused.

use crate::bundle::Bundle;
use crate::error::Error;
use crate::input::{Input, ReadOptions};
use crate::place::Place;
use crate::recipe::{Encoding, MissingPolicy, Recipe, Scaling, TableRecipe};
use crate::scoring::{PAIRS, TABLE, other};
use crate::{Force, dataset::sparse_design};
use linsep::Design;
use linsep::model::scorecard::Column;

/// A line of a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The column of the file.
    pub column: String,
    /// What of it.
    pub part: Part,
    /// Its weight in the model, and how far it is spread.
    pub weight: Column,
}

/// What of a column a line is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// The number. What stands for a missing one, if none of them has points of its own.
    Number {
        /// The mean in training.
        instead: Option<f64>,
    },
    /// A word.
    Word(String),
    /// That there is no value.
    Missing,
}

/// The lines of a model's first plane.
pub fn lines(name: &str, bundle: &Bundle) -> Result<Vec<Line>, Error> {
    let w = &bundle.model.planes()[0].w;
    match &bundle.header.recipe {
        Recipe::Table(recipe) => table_lines(name, recipe, w),
        Recipe::Sparse { columns, base } => {
            let line = |(j, &weight): (usize, &f64)| Line {
                column: (columns.number(j) + usize::from(*base)).to_string(),
                part: Part::Number { instead: None },
                weight: Column { weight, spread: Some(1.0) },
            };
            Ok(w.iter().enumerate().map(line).collect())
        }
    }
}

fn table_lines(name: &str, recipe: &TableRecipe, w: &[f64]) -> Result<Vec<Line>, Error> {
    let (mut lines, mut at) = (Vec::new(), 0);
    for step in &recipe.steps {
        let mut put = |part, weight, spread| {
            lines.push(Line { column: step.name.clone(), part, weight: Column { weight, spread } });
        };
        match &step.encoding {
            Encoding::Number { mean, scale, indicator } => {
                let imputed = recipe.missing == MissingPolicy::Impute && !indicator;
                put(Part::Number { instead: imputed.then_some(*mean) }, w[at], Some(*scale));
                if *indicator {
                    put(Part::Missing, w[at] * mean + w[at + 1], None);
                }
            }
            Encoding::Category { levels, missing } => {
                for (level, &weight) in levels.iter().zip(&w[at..]) {
                    put(Part::Word(level.clone()), weight, None);
                }
                if *missing {
                    put(Part::Missing, w[at + levels.len()], None);
                }
            }
            Encoding::Hashed { .. } => {
                return Err(Error::NoCard {
                    place: Box::new(Place::file(name)),
                    column: step.name.clone(),
                });
            }
        }
        at += step.encoding.width();
    }
    Ok(lines)
}

/// How a file is read so that its columns have the types of the model.
pub fn read_options(bundle: &Bundle, mut options: ReadOptions) -> ReadOptions {
    match &bundle.header.recipe {
        Recipe::Table(recipe) => {
            let force = |encoding: &Encoding| match encoding {
                Encoding::Number { .. } => Force::Numeric,
                Encoding::Category { .. } | Encoding::Hashed { .. } => Force::Words,
            };
            let steps = recipe.steps.iter().map(|step| (step.name.clone(), force(&step.encoding)));
            options.csv.force.extend(steps);
        }
        Recipe::Sparse { base, .. } => options.libsvm.zero_based = Some(*base == 0),
    }
    options
}

/// Rows as the model takes them, and as the card does.
#[derive(Debug)]
pub struct CardRows {
    /// The columns of the model.
    pub model: Design,
    /// The columns of the card.
    pub card: Design,
    /// Rows left out, as a value is missing that the model cannot do without.
    pub left_out: usize,
}

/// The rows of a data set.
pub fn rows(bundle: &Bundle, input: Input) -> Result<CardRows, Error> {
    match (&bundle.header.recipe, input) {
        (Recipe::Table(recipe), Input::Table(table)) => {
            let name = table.name.clone();
            let encoded = recipe.encode(table, Scaling::Raw)?;
            let left_out = encoded.kept.iter().filter(|kept| !**kept).count();
            let empty = || Error::NoRowLeft { place: Box::new(Place::file(&name)) };
            let model = encoded.x.ok_or_else(empty)?;
            let card = without_imputed(recipe, &model)
                .map_err(|source| Error::Core { place: Box::new(Place::file(&name)), source })?;
            Ok(CardRows { model, card, left_out })
        }
        (Recipe::Sparse { columns, .. }, Input::Sparse(mut sparse)) => {
            sparse.number_as(columns);
            let model = sparse_design(sparse)?;
            Ok(CardRows { card: model.clone(), model, left_out: 0 })
        }
        (Recipe::Table(_), Input::Sparse(sparse)) => Err(other(&sparse.name, PAIRS, TABLE)),
        (Recipe::Sparse { .. }, Input::Table(table)) => Err(other(&table.name, TABLE, PAIRS)),
    }
}

/// The same columns, with 0 in the place of a number that is told to be missing.
fn without_imputed(recipe: &TableRecipe, x: &Design) -> Result<Design, linsep::Error> {
    let mut pairs = Vec::new();
    let mut at = 0;
    for step in &recipe.steps {
        if let Encoding::Number { indicator: true, .. } = step.encoding {
            pairs.push(at);
        }
        at += step.encoding.width();
    }
    if pairs.is_empty() {
        return Ok(x.clone());
    }
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..x.n() {
        let row = x.row(i);
        for (j, &v) in row.iter().enumerate() {
            let missing = pairs.contains(&j) && row[j + 1] == 1.0;
            if v != 0.0 && !missing {
                indices.push(j as u32);
                values.push(v);
            }
        }
        starts.push(indices.len());
    }
    Design::sparse(x.d(), starts, indices, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, Training, TrainingSettings, read_source};
    use linsep::{Decide, LinearModel, Plane};

    const DATA: &str = "age,job,y\n20,baker,a\n,baker,b\n60,,a\n40,smith,b\n33,smith,a\n";

    fn bundle(w: Vec<f64>) -> Bundle {
        let input = read_source(Source::from_bytes("x", DATA), &ReadOptions::default()).unwrap();
        let training = Training::new(input, &TrainingSettings::default()).unwrap();
        assert_eq!(
            training.recipe.features(),
            ["age", "age=missing", "job=baker", "job=smith", "job=missing"]
        );
        let plane = Plane { w, b: -1.0 };
        let classes = training.labels.classes().to_vec();
        let model = LinearModel::new(classes, vec![plane], Decide::Sign).unwrap();
        let header = crate::bundle::Header::new("perceptron", &model, training.recipe);
        Bundle { model, directions: Vec::new(), header }
    }

    /// Scores by the lines of the card are scores by the model's plane.
    #[test]
    fn a_card_has_other_columns_and_the_same_scores() {
        let bundle = bundle(vec![0.5, 3.0, -1.0, 2.0, 0.25]);
        let lines = lines("m", &bundle).unwrap();
        let parts: Vec<&Part> = lines.iter().map(|line| &line.part).collect();
        assert_eq!(*parts[1], Part::Missing);
        assert_eq!(*parts[2], Part::Word("baker".into()));
        let options = read_options(&bundle, ReadOptions::default());
        let input = read_source(Source::from_bytes("x", DATA), &options).unwrap();
        let rows = rows(&bundle, input).unwrap();
        let plane = &bundle.model.planes()[0];
        for i in 0..5 {
            let dot =
                |x: &Design, w: &[f64]| x.row(i).iter().zip(w).map(|(x, w)| x * w).sum::<f64>();
            let weights: Vec<f64> = lines.iter().map(|line| line.weight.weight).collect();
            let (a, b) = (dot(&rows.model, &plane.w), dot(&rows.card, &weights));
            assert!((a - b).abs() < 1e-12, "row {i}: {a} {b}");
        }
        assert_eq!(rows.card.row(1)[0], 0.0, "nothing is made up on the card");
    }
}
