//! Nonlinear features of columns, as settings: `poly(2)`, `interactions`, `log(x)`, `bins(x, 10)`
//! and `spline(x, 5)`.
//!
//! `log`, `bins` and `spline` replace a numeric column. `poly` and `interactions` add products of
//! columns, of log(1 + x) where `log` replaces x.

use super::{Recipe, RecipeSettings};
use crate::error::Error;
use linsep_io::location::{Location, quoted_excerpt};
use linsep_io::table::{Column, Table, Values};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A map from columns to features. No columns stand for all suitable ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureMap {
    /// All monomials of degree 2 to `degree`.
    Polynomial {
        /// The highest degree.
        degree: usize,
        /// Numeric columns.
        columns: Vec<String>,
    },
    /// The products of each pair of columns.
    Interactions {
        /// Numeric and categorical columns.
        columns: Vec<String>,
    },
    /// log(1 + x).
    Log {
        /// Numeric columns without negative numbers.
        columns: Vec<String>,
    },
    /// Indicators of quantile bins.
    Bins {
        /// Numeric columns.
        columns: Vec<String>,
        /// The largest number of bins of a column.
        count: usize,
    },
    /// Cubic B-splines.
    Spline {
        /// Numeric columns.
        columns: Vec<String>,
        /// The largest number of knots of a column, which are quantiles.
        knots: usize,
    },
}

/// Ranges of the numbers in a specification.
const DEGREES: (usize, usize) = (2, 5);
const BINS: (usize, usize) = (2, 1_000);
const KNOTS: (usize, usize) = (2, 1_000);

impl FeatureMap {
    /// Returns the columns; none if all suitable ones are meant.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Polynomial { columns, .. }
            | Self::Interactions { columns }
            | Self::Log { columns }
            | Self::Bins { columns, .. }
            | Self::Spline { columns, .. } => columns,
        }
    }

    /// Whether the features replace the column.
    fn replaces(&self) -> bool {
        matches!(self, Self::Log { .. } | Self::Bins { .. } | Self::Spline { .. })
    }

    /// Parses specifications separated by semicolons.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, String> {
        split(text, ';')?.into_iter().map(str::parse).collect()
    }
}

impl FromStr for FeatureMap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (name, inner) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(inner) => (name.trim(), Some(inner)),
                None => return Err(format!("expected `)` at the end, found {text}")),
            },
        };
        let arguments = match inner {
            None => Vec::new(),
            Some(inner) => split(inner, ',')?.into_iter().map(str::trim).collect(),
        };
        match (name, &arguments[..]) {
            ("poly", [degree, columns @ ..]) => Ok(Self::Polynomial {
                degree: number(degree, "a degree", DEGREES)?,
                columns: columns_of(columns)?,
            }),
            ("poly", []) => Err("expected poly(2) or poly(2, x, y), found no degree".to_owned()),
            ("interactions", columns) => match columns_of(columns)? {
                one if one.len() == 1 && columns != ["*"] => {
                    Err(format!("expected interactions or interactions(x, y), found {text}"))
                }
                columns => Ok(Self::Interactions { columns }),
            },
            ("log", columns @ [_, ..]) => Ok(Self::Log { columns: columns_of(columns)? }),
            ("log", []) => Err("expected log(x) or log(*), found no column".to_owned()),
            ("bins", [columns @ .., count]) if !columns.is_empty() => Ok(Self::Bins {
                columns: columns_of(columns)?,
                count: number(count, "a number of bins", BINS)?,
            }),
            ("spline", [columns @ .., knots]) if !columns.is_empty() => Ok(Self::Spline {
                columns: columns_of(columns)?,
                knots: number(knots, "a number of knots", KNOTS)?,
            }),
            ("bins" | "spline", _) => {
                Err(format!("expected columns and a number, {name}(x, 10), found {text}"))
            }
            _ => Err(format!("expected poly, interactions, log, bins or spline, found {name}")),
        }
    }
}

/// Splits at a separator outside double quotes.
fn split(text: &str, separator: char) -> Result<Vec<&str>, String> {
    let mut quoted = false;
    let parts: Vec<&str> = text
        .split(|c| {
            quoted ^= c == '"';
            c == separator && !quoted
        })
        .collect();
    if quoted { Err(format!("expected a closing quote, found {text}")) } else { Ok(parts) }
}

fn number(text: &str, what: &str, (least, most): (usize, usize)) -> Result<usize, String> {
    let parsed = text.parse().ok().filter(|v| (least..=most).contains(v));
    parsed.ok_or_else(|| format!("expected {what} from {least} to {most}, found {text}"))
}

/// Returns column names without quotes; none for `*`.
fn columns_of(texts: &[&str]) -> Result<Vec<String>, String> {
    if texts == ["*"] {
        return Ok(Vec::new());
    }
    let name = |text: &&str| {
        let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let name = inner.map_or_else(|| (*text).to_owned(), |inner| inner.replace("\"\"", "\""));
        if name.is_empty() { Err("expected a column, found none".to_owned()) } else { Ok(name) }
    };
    texts.iter().map(name).collect()
}

impl RecipeSettings {
    /// Returns the map that replaces a numeric column: one that names it, or else one for all.
    pub(super) fn replacement(&self, name: &str) -> Option<&FeatureMap> {
        let mut maps = self.features.iter().filter(|map| map.replaces());
        let names = |map: &&FeatureMap| map.columns().iter().any(|own| own == name);
        let for_all = |map: &&FeatureMap| map.columns().is_empty();
        maps.clone().find(names).or_else(|| maps.find(for_all))
    }
}

impl Recipe {
    /// Refuses feature maps that do not suit the columns of a table.
    pub(crate) fn check_features(
        &self,
        table: &Table,
        settings: &RecipeSettings,
    ) -> Result<(), Error> {
        for map in &settings.features {
            for name in map.columns() {
                let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
                let refuse = |problem: String| {
                    let place = Location::column(&table.name, column.number, name);
                    Err(Error::data(place, problem))
                };
                if !self.is_feature(name, settings) {
                    return refuse(
                        "expected a feature column in `features`, found the target, counts, \
                         weights or an unselected column."
                            .to_owned(),
                    );
                }
                match (&column.values, map) {
                    (Values::Numeric { .. }, _) | (_, FeatureMap::Interactions { .. }) => {}
                    (Values::Categorical { levels, .. }, _) => {
                        let found = quoted_excerpt(levels.first().map_or("", String::as_str));
                        return refuse(format!(
                            "expected a numeric column in `features`, found {found}."
                        ));
                    }
                }
                let replacing = settings
                    .features
                    .iter()
                    .filter(|map| map.replaces() && map.columns().iter().any(|own| own == name));
                if replacing.count() > 1 {
                    return refuse(
                        "expected one of log, bins and spline in `features`, found several."
                            .to_owned(),
                    );
                }
                if let (FeatureMap::Log { .. }, Some((row, x))) = (map, negative(table, column)) {
                    return refuse(format!(
                        "expected numbers of at least 0 for a logarithm, found {x} in row {}. Use \
                         `features=spline({name}, 5)`.",
                        row + 1
                    ));
                }
            }
        }
        let for_all = |map: &&FeatureMap| map.replaces() && map.columns().is_empty();
        if settings.features.iter().filter(for_all).count() > 1 {
            let problem = "`features`: expected at most one of log(*), bins(*, …) and \
                           spline(*, …), found several.";
            return Err(Error::Request(problem.to_owned()));
        }
        Ok(())
    }
}

/// Returns the first negative number of a column with its row.
fn negative(table: &Table, column: &Column) -> Option<(usize, f64)> {
    let Values::Numeric { slot } = column.values else { return None };
    (0..table.rows).map(|i| (i, table.row(i)[slot])).find(|(_, x)| *x < 0.0)
}
