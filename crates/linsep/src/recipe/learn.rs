//! Fitting of a recipe to a table.

use super::content_type::{ContentType, content_type};
use super::{DroppedColumn, Encoding, MissingPolicy, ScaleProblem, Step, TableRecipe};
use linsep_core::Label;
use linsep_core::control::{Note, literal};
use linsep_core::features::{ColumnStatistics, column_statistics};
use linsep_io::table::{Column, Table, Values};

/// Settings of a recipe.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeSettings {
    /// Policy for missing values.
    pub missing: MissingPolicy,
    /// Whether numbers are standardized for training.
    pub standardize: bool,
    /// A column with more levels than this is hashed.
    pub max_levels: usize,
    /// Number of features of a hashed column.
    pub buckets: u32,
    /// Columns used as features; all columns if empty.
    pub only: Vec<String>,
    /// Categorical columns that are used whatever their levels look like.
    pub keep: Vec<String>,
    /// Columns of free text.
    pub text: Vec<String>,
}

impl Default for RecipeSettings {
    fn default() -> Self {
        Self {
            missing: MissingPolicy::Impute,
            standardize: true,
            max_levels: 1_000,
            buckets: 4_096,
            only: Vec::new(),
            keep: Vec::new(),
            text: Vec::new(),
        }
    }
}

/// The columns that are not features.
pub(crate) struct Roles<'a> {
    pub(crate) target: &'a str,
    pub(crate) counts: &'a [String],
    pub(crate) weights: Option<&'a str>,
}

impl Roles<'_> {
    fn has(&self, name: &String) -> bool {
        name == self.target || self.weights == Some(name) || self.counts.contains(name)
    }
}

impl TableRecipe {
    /// Fits an encoding to each column; returns the recipe and notes for the user.
    pub(crate) fn fit(
        table: &Table,
        roles: &Roles<'_>,
        weights: &[f64],
        settings: &RecipeSettings,
    ) -> (Self, Vec<Note>) {
        let spread = column_statistics(&table.numbers, table.width, weights);
        let mut recipe = Self {
            target: roles.target.to_owned(),
            counts: roles.counts.to_vec(),
            weights: roles.weights.map(str::to_owned),
            header: table.header,
            missing: settings.missing,
            standardized: settings.standardize,
            steps: Vec::new(),
            left_out: Vec::new(),
        };
        let mut notes = Vec::new();
        for column in &table.columns {
            let wanted = settings.only.is_empty() || settings.only.contains(&column.name);
            if roles.has(&column.name) || !wanted {
                continue;
            }
            let learned = match &column.values {
                Values::Numeric { slot } => {
                    if is_row_number(table, *slot) {
                        let text = format!(
                            "column {} numbers the rows; if it is an identifier, drop it with \
                             `drop`",
                            literal(&column.name)
                        );
                        let note = Note::new("row-numbers", text).about(&column.name);
                        notes.push(note.setting("drop", &column.name));
                    }
                    let standardized = settings.standardize;
                    let poor = || ScaleProblem::of(table, *slot, &spread[*slot], weights);
                    let poor = standardized.then(poor).flatten();
                    let learned = number(column, &spread[*slot], poor.as_ref(), settings);
                    if let (Ok(_), Some(poor)) = (&learned, &poor) {
                        let (what, advice) = (poor.what(), poor.advice());
                        let text = format!("column {}: {what}: {advice}", literal(&column.name));
                        notes.push(Note::new("poor-scale", text).about(&column.name));
                    }
                    learned
                }
                Values::Categorical { levels, .. } => words(column, levels, table.rows, settings),
            };
            let name = column.name.clone();
            match learned {
                Ok(encoding) => recipe.steps.push(Step { name, encoding }),
                Err(why) => recipe.left_out.push(DroppedColumn { name, why }),
            }
        }
        const SHOWN: usize = 10;
        for left in recipe.left_out.iter().take(SHOWN) {
            let text = format!("column {} dropped: {}", literal(&left.name), left.why);
            notes.push(Note::new("dropped-column", text).about(&left.name));
        }
        if recipe.left_out.len() > SHOWN {
            let more = recipe.left_out.len() - SHOWN;
            let text = format!("{more} more columns dropped; linsep show lists them");
            notes.push(Note::new("dropped-columns", text));
        }
        (recipe, notes)
    }
}

/// Returns the encoding of a numeric column, or the reason to drop it.
fn number(
    column: &Column,
    spread: &ColumnStatistics,
    poor: Option<&ScaleProblem>,
    settings: &RecipeSettings,
) -> Result<Encoding, String> {
    let indicator = column.missing > 0 && settings.missing == MissingPolicy::Impute;
    if spread.weight == 0.0 {
        return Err("all values missing".to_owned());
    }
    if spread.is_constant() && !indicator {
        return Err(format!("constant {}", spread.mean + 0.0)); // −0 is 0
    }
    if let Some(poor @ ScaleProblem::TooSmall { .. }) = poor {
        return Err(format!("{}: {}", poor.what(), poor.advice()));
    }
    let scale = if spread.deviation > 0.0 { spread.deviation } else { 1.0 };
    Ok(Encoding::Number { mean: spread.mean, scale, indicator })
}

/// Returns the encoding of a categorical column, or the reason to drop it.
fn words(
    column: &Column,
    levels: &[String],
    rows: usize,
    settings: &RecipeSettings,
) -> Result<Encoding, String> {
    let missing = column.missing > 0 && settings.missing == MissingPolicy::Impute;
    let name = &column.name;
    if settings.text.contains(name) {
        return Err("text, which is not supported".to_owned());
    }
    if levels.is_empty() {
        return Err("all values missing".to_owned());
    }
    if levels.len() == 1 && !missing {
        return Err(format!("constant {}", literal(&levels[0])));
    }
    if !settings.keep.contains(name) {
        let keep = format!("keep it with `categorical={}`", literal(name));
        let different = levels.len();
        match content_type(levels, rows - column.missing) {
            ContentType::Category => {}
            ContentType::Date => return Err(format!("looks like dates; {keep}")),
            ContentType::Text => {
                return Err(format!("looks like text ({different} distinct values); {keep}"));
            }
            ContentType::Identifier => {
                return Err(format!(
                    "looks like an identifier ({different} distinct values); {keep}"
                ));
            }
        }
    }
    if levels.len() > settings.max_levels {
        return Ok(Encoding::Hashed { buckets: settings.buckets });
    }
    let mut levels = levels.to_vec();
    levels.sort_by_cached_key(|level| Label::parse(level));
    levels.dedup();
    Ok(Encoding::Category { levels, missing })
}

/// Whether a column has integers that increase by one from row to row.
pub(crate) fn is_row_number(table: &Table, slot: usize) -> bool {
    const ENOUGH: usize = 20;
    table.rows >= ENOUGH
        && (1..table.rows).all(|i| table.row(i)[slot] - table.row(i - 1)[slot] == 1.0)
}
