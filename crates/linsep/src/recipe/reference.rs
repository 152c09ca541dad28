//! Reference levels of categorical columns.
//!
//! The one-hot features of a categorical column add up to 1 in every row, so with an intercept they
//! are collinear. For identifiable coefficients one level of each column is the **reference level**
//! and gets no coefficient. The coefficients of the other levels are differences from it. The
//! default reference is the first level.

use super::{Encoding, Recipe, Step};
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
        if let Self::Table(table) = self {
            let mut at = 0;
            for step in &table.steps {
                let features = at..at + step.encoding.width();
                at = features.end;
                if let Encoding::Category { .. } = step.encoding {
                    let (column, level) = (step.name.clone(), step.level(0));
                    list.push(Reference { column, level, feature: features.start, features });
                }
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
        let Self::Table(table) = self else { return None };
        let step = table.steps.iter().find(|step| step.name == reference.column)?;
        (0..step.encoding.width()).find(|&j| step.level(j) == level)
    }
}

impl Step {
    /// Returns level j of a categorical column.
    fn level(&self, j: usize) -> String {
        match &self.encoding {
            Encoding::Category { levels, .. } => {
                levels.get(j).cloned().unwrap_or_else(|| "missing".to_owned())
            }
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MissingPolicy, TableRecipe};
    use super::*;

    fn recipe() -> Recipe {
        let number = Encoding::Number { mean: 0.0, scale: 1.0, indicator: true };
        let words = |levels: &[&str], missing| Encoding::Category {
            levels: levels.iter().map(|&l| l.to_owned()).collect(),
            missing,
        };
        let step = |name: &str, encoding| Step { name: name.to_owned(), encoding };
        Recipe::Table(TableRecipe {
            target: "y".to_owned(),
            counts: Vec::new(),
            weights: None,
            header: true,
            missing: MissingPolicy::Impute,
            standardized: true,
            steps: vec![
                step("age", number),
                step("sex", words(&["f", "m"], false)),
                step("port", words(&["C", "a=b"], true)),
            ],
            left_out: Vec::new(),
        })
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
