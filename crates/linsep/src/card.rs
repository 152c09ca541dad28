//! Columns of a scorecard: in terms of the columns of the file, not of the encoded features.
//!
//! | column of the file | scorecard |
//! |---|---|
//! | numeric | points per unit; separate points for a missing value, if missing in training |
//! | categorical | points per level |
//! | index:value pairs | points per unit, by index |
//!
//! The recipe replaces a missing number by the mean m and sets the missing indicator to 1. Together
//! they contribute w·m + w′ to the score of every such row. On the scorecard a missing number
//! therefore contributes 0, and "missing" has points of its own. This change of features leaves all
//! scores unchanged. Hashed levels share features, so they have no names for a scorecard and are
//! refused.

use crate::error::Error;
use crate::model_file::ModelFile;
use crate::recipe::{Meaning, MissingPolicy, Recipe, Scaling};
use linsep_core::Design;
use linsep_core::model::scorecard::Column;
use linsep_io::input::{Input, ReadOptions};
use linsep_io::location::{Location, quoted_excerpt};
use serde::{Deserialize, Serialize};

/// Column of the file, the part of it with these points, and its coefficient with the standard
/// deviation of the column.
pub(crate) type Line = (String, ColumnPart, Column);

/// Part of a column that a row of the scorecard applies to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnPart {
    /// The number; `imputed` is imputed if missing values have no points of their own.
    Number {
        /// The mean in training.
        imputed: Option<f64>,
    },
    /// A level.
    Level(String),
    /// The missing value.
    Missing,
}

/// Returns the scorecard rows of the first hyperplane of a model.
pub(crate) fn lines(name: &str, model_file: &ModelFile) -> Result<Vec<Line>, Error> {
    let w = &model_file.model.hyperplanes()[0].w;
    let recipe = &model_file.header.recipe;
    if let Some(pairs) = &recipe.pairs {
        let line = |(j, &weight): (usize, &f64)| {
            let part = ColumnPart::Number { imputed: None };
            (pairs.index(j).to_string(), part, Column { weight, spread: Some(1.0) })
        };
        return Ok(w.iter().enumerate().map(line).collect());
    }
    let units = recipe.units();
    let mut lines = Vec::new();
    for (step, features) in recipe.spans() {
        let meanings: Vec<Meaning<'_>> = (0..features.len()).map(|j| step.meaning(j)).collect();
        let is_number = meanings.first() == Some(&Meaning::Number);
        let first = features.start;
        let number = is_number.then_some(first);
        for (j, &meaning) in features.zip(&meanings) {
            let (part, weight, spread) = match (meaning, number) {
                (Meaning::Number, _) => {
                    let impute = recipe.missing == MissingPolicy::Impute;
                    let imputed = impute && !meanings.contains(&Meaning::Missing);
                    let imputed = imputed.then_some(units.mean[j]);
                    (ColumnPart::Number { imputed }, w[j], Some(units.scale[j]))
                }
                (Meaning::Missing, Some(number)) => {
                    (ColumnPart::Missing, w[number] * units.mean[number] + w[j], None)
                }
                (Meaning::Missing, None) => (ColumnPart::Missing, w[j], None),
                (Meaning::Level(level), _) => (ColumnPart::Level(level.to_owned()), w[j], None),
                (Meaning::SharedLevels | Meaning::Derived, _) if step.kind().name != "hashed" => {
                    let problem = format!(
                        "{} is derived from columns, which a scorecard cannot list. Fit without \
                         `features`, and drop columns of text (`drop`).",
                        quoted_excerpt(&step.feature(j - first))
                    );
                    return Err(Error::data(Location::file(name), problem));
                }
                (Meaning::SharedLevels | Meaning::Derived, _) => {
                    let problem = format!(
                        "column {} uses feature hashing, so a scorecard cannot name its levels. \
                         Fit with `max-levels` of at least its number of levels, or drop the \
                         column (`drop`).",
                        quoted_excerpt(&step.name())
                    );
                    return Err(Error::data(Location::file(name), problem));
                }
            };
            lines.push((step.name(), part, Column { weight, spread }));
        }
    }
    Ok(lines)
}

/// Returns the read options that give the columns the types of the model.
pub fn read_options(model_file: &ModelFile, mut options: ReadOptions) -> ReadOptions {
    let recipe = &model_file.header.recipe;
    if let Some(pairs) = &recipe.pairs {
        options.libsvm.zero_based = Some(pairs.base == 0);
    }
    let types = recipe.columns().into_iter().map(|(name, reads)| (name.to_owned(), reads));
    options.csv.force.extend(types);
    options
}

/// Rows encoded for the model and for the scorecard.
pub(crate) struct CardRows {
    /// The features of the model.
    pub(crate) model: Design,
    /// The columns of the scorecard.
    pub(crate) card: Design,
    /// Number of rows dropped because of a missing value that the model cannot encode.
    pub(crate) dropped: usize,
}

/// Encodes the rows of a data set.
pub(crate) fn rows(model_file: &ModelFile, input: Input) -> Result<CardRows, Error> {
    let recipe = &model_file.header.recipe;
    let name = input.name().to_owned();
    let encoded = recipe.encode(input, Scaling::Raw)?;
    let dropped = encoded.kept.iter().filter(|kept| !**kept).count();
    let model = encoded.x.ok_or_else(|| Error::no_row_left(&name))?;
    let card = without_imputed(recipe, &model).map_err(Error::core(&name))?;
    Ok(CardRows { model, card, dropped })
}

/// Returns the features with 0 instead of imputed means that have a missing indicator.
fn without_imputed(recipe: &Recipe, x: &Design) -> Result<Design, linsep_core::Error> {
    let spans = recipe.spans().filter(|(step, _)| step.has_indicator());
    let pairs: Vec<usize> = spans.map(|(_, features)| features.start).collect();
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
    use crate::io::{Source, read_source};
    use crate::{TrainingData, TrainingSettings};
    use linsep_core::{DecisionRule, Hyperplane, LinearModel};

    const DATA: &str = "age,job,y\n20,baker,a\n,baker,b\n60,,a\n40,smith,b\n33,smith,a\n";

    fn model_file(w: Vec<f64>) -> ModelFile {
        let input = read_source(Source::from_bytes("x", DATA), &ReadOptions::default()).unwrap();
        let training = TrainingData::new(input, &TrainingSettings::default()).unwrap();
        assert_eq!(
            training.recipe.features(),
            ["age", "age=missing", "job=baker", "job=smith", "job=missing"]
        );
        let hyperplane = Hyperplane { w, b: -1.0 };
        let classes = training.labels.classes().to_vec();
        let model = LinearModel::new(classes, vec![hyperplane], DecisionRule::Sign).unwrap();
        let model = linsep_core::model::Model::from(model);
        let header = crate::model_file::Header::new("perceptron", &model, training.recipe);
        ModelFile { model, directions: Vec::new(), header }
    }

    /// Scores from the scorecard equal the scores of the hyperplane.
    #[test]
    fn scorecard_reproduces_the_scores_of_the_model() {
        let model_file = model_file(vec![0.5, 3.0, -1.0, 2.0, 0.25]);
        let lines = lines("m", &model_file).unwrap();
        let parts: Vec<&ColumnPart> = lines.iter().map(|(_, part, _)| part).collect();
        assert_eq!(*parts[1], ColumnPart::Missing);
        assert_eq!(*parts[2], ColumnPart::Level("baker".into()));
        let options = read_options(&model_file, ReadOptions::default());
        let input = read_source(Source::from_bytes("x", DATA), &options).unwrap();
        let rows = rows(&model_file, input).unwrap();
        let hyperplane = &model_file.model.hyperplanes()[0];
        for i in 0..5 {
            let dot =
                |x: &Design, w: &[f64]| x.row(i).iter().zip(w).map(|(x, w)| x * w).sum::<f64>();
            let weights: Vec<f64> = lines.iter().map(|(_, _, column)| column.weight).collect();
            let (a, b) = (dot(&rows.model, &hyperplane.w), dot(&rows.card, &weights));
            assert!((a - b).abs() < 1e-12, "row {i}: {a} {b}");
        }
        assert_eq!(rows.card.row(1)[0], 0.0, "the card has only known values");
    }
}
