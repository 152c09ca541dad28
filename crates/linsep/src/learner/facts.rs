//! What a learner has to say beside its planes: named numbers, points, matrices and sentences.
//!
//! Points and scatter matrices live in the space of the columns that were learned from. Where those were standardised,
//! x′ = (x − μ)/σ, a face wants them in the units of the data: a point is μ + σ x′, and a sum of products of
//! columns i and j is σᵢ σⱼ times what it was ([`Facts::unscaled`]).

use crate::features::Standardise;

/// One thing a learner has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A number that has no unit.
    Number(f64),
    /// Numbers that have no unit.
    Numbers(Vec<f64>),
    /// Points in the space of the columns.
    Points(Vec<Vec<f64>>),
    /// A symmetric matrix of sums of products of columns, in full, row after row.
    Scatter(Vec<Vec<f64>>),
    /// Rows of numbers without units, under these heads.
    Table(Vec<&'static str>, Vec<Vec<f64>>),
    /// Words for a person.
    Sentence(String),
}

/// All a learner has to say, in its order. Names are words with hyphens, as in every face.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    list: Vec<(&'static str, Fact)>,
}

impl Facts {
    /// Adds one.
    pub fn add(&mut self, name: &'static str, fact: Fact) {
        self.list.push((name, fact));
    }

    /// Adds a sentence.
    pub fn say(&mut self, sentence: String) {
        self.add("note", Fact::Sentence(sentence));
    }

    /// Adds some.
    pub fn extend(&mut self, more: impl IntoIterator<Item = (&'static str, Fact)>) {
        self.list.extend(more);
    }

    /// All of them.
    pub fn list(&self) -> &[(&'static str, Fact)] {
        &self.list
    }

    /// The first of that name.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.list.iter().find(|(own, _)| *own == name).map(|(_, fact)| fact)
    }

    /// The same in the units of the data, where columns were standardised to learn.
    pub fn unscaled(&self, by: &Standardise) -> Self {
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
        Self { list: self.list.iter().map(|(name, fact)| (*name, unit(fact))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_scatter_get_their_units_back() {
        let mut facts = Facts::default();
        facts.add("means", Fact::Points(vec![vec![1.0, -1.0]]));
        facts.add("within-scatter", Fact::Scatter(vec![vec![2.0, 1.0], vec![1.0, 3.0]]));
        facts.add("rank", Fact::Number(2.0));
        let by = Standardise { mean: vec![10.0, 0.0], scale: vec![2.0, 0.5] };
        let raw = facts.unscaled(&by);
        assert_eq!(raw.get("means"), Some(&Fact::Points(vec![vec![12.0, -0.5]])));
        let scatter = vec![vec![8.0, 1.0], vec![1.0, 0.75]];
        assert_eq!(raw.get("within-scatter"), Some(&Fact::Scatter(scatter)));
        assert_eq!(raw.get("rank"), facts.get("rank"));
    }
}
