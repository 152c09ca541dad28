//! Results of a learner besides hyperplanes: named numbers, points, matrices and notes.
//!
//! Points and scatter matrices are in the space of the training features. If these were
//! standardized, x′ = (x − μ)/σ, interfaces convert to raw units ([`Facts::in_raw_units`]). A point
//! is μ + σ x′. A sum of products of columns i and j is multiplied by σᵢ σⱼ.

use crate::features::Standardization;
use crate::float;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One result of a learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// A dimensionless number.
    Number(#[serde(with = "float")] f64),
    /// Dimensionless numbers.
    Numbers(#[serde(with = "float")] Vec<f64>),
    /// Points in the space of the features.
    Points(#[serde(with = "float")] Vec<Vec<f64>>),
    /// A symmetric matrix of sums of products of columns, in full, in row-major order.
    Scatter(#[serde(with = "float")] Vec<Vec<f64>>),
    /// Rows of dimensionless numbers, with column headings.
    Table(Vec<Cow<'static, str>>, #[serde(with = "float")] Vec<Vec<f64>>),
    /// A note for the user.
    Note(String),
}

/// All results of a learner, in its order. Names are hyphenated words, the same in every interface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    list: Vec<(Cow<'static, str>, Fact)>,
}

impl Facts {
    /// Adds one result.
    pub fn add(&mut self, name: &'static str, fact: Fact) {
        self.list.push((name.into(), fact));
    }

    /// Adds a note.
    pub fn say(&mut self, sentence: String) {
        self.add("note", Fact::Note(sentence));
    }

    /// Adds several results.
    pub fn extend(&mut self, more: impl IntoIterator<Item = (Cow<'static, str>, Fact)>) {
        self.list.extend(more);
    }

    /// All results.
    pub fn list(&self) -> &[(Cow<'static, str>, Fact)] {
        &self.list
    }

    /// The first result of that name.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.list.iter().find(|(own, _)| *own == name).map(|(_, fact)| fact)
    }

    /// Converts the results to raw units, if the features were standardized.
    pub fn in_raw_units(&self, by: &Standardization) -> Self {
        let unit = |fact: &Fact| match fact {
            Fact::Points(points) => Fact::Points(points.iter().map(|x| by.unscale(x)).collect()),
            Fact::Scatter(rows) => {
                let row = |(row, si): (&Vec<f64>, &f64)| {
                    row.iter().zip(&by.scale).map(|(v, sj)| v * si * sj).collect()
                };
                Fact::Scatter(rows.iter().zip(&by.scale).map(row).collect())
            }
            other => other.clone(),
        };
        Self { list: self.list.iter().map(|(name, fact)| (name.clone(), unit(fact))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_scatter_are_converted_to_raw_units() {
        let mut facts = Facts::default();
        facts.add("means", Fact::Points(vec![vec![1.0, -1.0]]));
        facts.add("within-scatter", Fact::Scatter(vec![vec![2.0, 1.0], vec![1.0, 3.0]]));
        facts.add("rank", Fact::Number(2.0));
        let by = Standardization { mean: vec![10.0, 0.0], scale: vec![2.0, 0.5] };
        let raw = facts.in_raw_units(&by);
        assert_eq!(raw.get("means"), Some(&Fact::Points(vec![vec![12.0, -0.5]])));
        let scatter = vec![vec![8.0, 1.0], vec![1.0, 0.75]];
        assert_eq!(raw.get("within-scatter"), Some(&Fact::Scatter(scatter)));
        assert_eq!(raw.get("rank"), facts.get("rank"));
    }
}
