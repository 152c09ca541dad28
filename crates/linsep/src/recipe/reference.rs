//! Reference levels of categorical columns.
//!
//! The one-hot features of a categorical column add up to 1 in every row, so with an intercept they
//! are collinear. For identifiable coefficients one level of each column is the **reference level**
//! and gets no coefficient. The coefficients of the other levels are differences from it. The
//! default reference is the first level.

use super::{Meaning, Recipe, Step};
use crate::error::Error;
use std::ops::Range;

/// Reference level of a categorical column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Name of the column of the table.
    pub column: String,
    /// The level.
    pub level: String,
    /// Index of its feature.
    pub feature: usize,
    /// Indices of the features of all levels of the column.
    pub features: Range<usize>,
}

impl Recipe {
    /// Returns the reference level of every categorical column; `asked` overrides the default by
    /// COLUMN=LEVEL.
    pub fn references(&self, asked: &[String]) -> Result<Vec<Reference>, Error> {
        let mut list = Vec::new();
        for (step, features) in self.spans() {
            if let Some(level) = level(step, 0) {
                let (column, level) = (step.name(), level.to_owned());
                list.push(Reference { column, level, feature: features.start, features });
            }
        }
        for text in asked {
            let named = |one: &&mut Reference| {
                let rest = text.strip_prefix(one.column.as_str());
                rest.is_some_and(|rest| rest.starts_with('='))
            };
            let found = list.iter_mut().find(named).and_then(|one| {
                let level = &text[one.column.len() + 1..];
                let at = self.level_of(one, level)?;
                (one.level, one.feature) = (level.to_owned(), one.features.start + at);
                Some(())
            });
            if found.is_none() {
                let want = "COLUMN=LEVEL with a categorical column and one of its levels";
                return Err(linsep_io::Error::Setting {
                    name: "reference",
                    got: text.clone(),
                    want,
                }
                .into());
            }
        }
        Ok(list)
    }

    /// Returns the index of a level in its column.
    fn level_of(&self, reference: &Reference, level: &str) -> Option<usize> {
        let (step, _) = self.spans().find(|(_, own)| *own == reference.features)?;
        (0..step.width()).find(|&j| self::level(step, j) == Some(level))
    }
}

/// Returns the level of feature j of a one-hot encoded column; `None` for other steps.
fn level(step: &dyn Step, j: usize) -> Option<&str> {
    match step.meaning(j) {
        Meaning::Level(level) => Some(level),
        Meaning::Missing if step.levels().next().is_some() => Some("missing"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Category, Number};
    use super::*;

    fn recipe() -> Recipe {
        let number = Number { name: "age".to_owned(), mean: 0.0, scale: 1.0, indicator: true };
        let category = |name: &str, levels: &[&str], missing| Category {
            name: name.to_owned(),
            levels: levels.iter().map(|&l| l.to_owned()).collect(),
            missing,
        };
        Recipe {
            steps: vec![
                Box::new(number),
                Box::new(category("sex", &["f", "m"], false)),
                Box::new(category("port", &["C", "a=b"], true)),
            ],
            ..Recipe::default()
        }
    }

    #[test]
    fn first_level_is_the_default_reference() {
        let found = |asked: &[&str]| {
            let asked: Vec<String> = asked.iter().map(|&a| a.to_owned()).collect();
            let list = recipe().references(&asked).map_err(|e| e.to_string())?;
            Ok(list.into_iter().map(|r| (r.level, r.feature, r.features)).collect::<Vec<_>>())
        };
        let one = |level: &str, feature, features| (level.to_owned(), feature, features);
        assert_eq!(found(&[]), Ok(vec![one("f", 2, 2..4), one("C", 4, 4..7)]));
        let both = found(&["sex=m", "port=missing"]);
        assert_eq!(both, Ok(vec![one("m", 3, 2..4), one("missing", 6, 4..7)]));
        assert_eq!(found(&["port=a=b"]).unwrap()[1], one("a=b", 5, 4..7));
        for wrong in ["age=1", "sex=x", "sex", "nothing=x", ""] {
            let message: String = found(&[wrong]).unwrap_err();
            assert!(message.starts_with("`reference`: expected COLUMN=LEVEL"), "{message}");
        }
    }
}
