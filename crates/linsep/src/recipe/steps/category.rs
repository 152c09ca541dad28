//! Categorical columns with few levels: one-hot encoding. Missing is a level; an unseen level is
//! encoded as zeros.

use crate::error::Error;
use crate::recipe::MissingPolicy;
use crate::recipe::content_type::{ContentType, content_type};
use crate::recipe::step::{
    Cells, Encoder, Features, Meaning, Sample, Scaling, Step, StepKind, load,
};
use linsep_core::Label;
use linsep_core::control::{Note, literal};
use linsep_io::csv::Force;
use linsep_io::table::{Column, MISSING, Values};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::slice;

/// One-hot encoding.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Category {
    /// Name of the column.
    pub(crate) name: String,
    /// The levels, sorted.
    pub(crate) levels: Vec<String>,
    /// Whether missing is a level, too.
    pub(crate) missing: bool,
}

/// One-hot encoded columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "category",
    adjective: "categorical",
    title: "Categorical columns, one-hot encoded",
    learn,
    load: load::<Category>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    _: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Categorical { levels, .. } = &column.values else { return None };
    if levels.len() > sample.settings.max_levels {
        return None;
    }
    if let Some(why) = why_dropped(sample, column, levels) {
        return Some(Err(why));
    }
    let mut levels = levels.clone();
    levels.sort_by_cached_key(|level| Label::parse(level));
    levels.dedup();
    let missing = has_missing_level(sample, column);
    Some(Ok(Box::new(Category { name: column.name.clone(), levels, missing })))
}

fn has_missing_level(sample: &Sample<'_>, column: &Column) -> bool {
    column.missing > 0 && sample.settings.missing == MissingPolicy::Impute
}

/// Returns the reason to drop a categorical column, if any.
pub(super) fn why_dropped(
    sample: &Sample<'_>,
    column: &Column,
    levels: &[String],
) -> Option<String> {
    let (name, settings) = (&column.name, sample.settings);
    if levels.is_empty() {
        return Some("all values missing".to_owned());
    }
    if levels.len() == 1 && !has_missing_level(sample, column) {
        return Some(format!("constant {}", literal(&levels[0])));
    }
    if settings.keep.contains(name) {
        return None;
    }
    let keep = format!("keep it with `categorical={}`", literal(name));
    let different = levels.len();
    match content_type(levels, sample.table.rows - column.missing) {
        ContentType::Category => None,
        ContentType::Date => Some(format!("looks like dates; {keep}")),
        ContentType::Text => Some(format!(
            "looks like text ({different} distinct values); encode its words with `text={}`",
            literal(name)
        )),
        ContentType::Identifier => {
            Some(format!("looks like an identifier ({different} distinct values); {keep}"))
        }
    }
}

impl Step for Category {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn columns(&self) -> &[String] {
        slice::from_ref(&self.name)
    }

    fn reads(&self) -> Force {
        Force::Categorical
    }

    fn width(&self) -> usize {
        self.levels.len() + usize::from(self.missing)
    }

    fn nonzeros(&self) -> usize {
        1
    }

    fn feature(&self, j: usize) -> String {
        format!("{}={}", self.name, self.levels.get(j).map_or("missing", String::as_str))
    }

    fn meaning(&self, j: usize) -> Meaning<'_> {
        self.levels.get(j).map_or(Meaning::Missing, |level| Meaning::Level(level))
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, _: Scaling) -> Result<Encoder<'a>, Error> {
        let (codes, levels) = cells.levels(0)?;
        let known: HashMap<&str, u32> = self.levels.iter().map(String::as_str).zip(0..).collect();
        let places = levels.iter().map(|level| known.get(level.as_str()).copied()).collect();
        Ok(indicators(codes, places, self.missing.then_some(self.levels.len() as u32)))
    }
}

/// Encodes each cell as an indicator of one feature: that of its level, or that of missing cells;
/// zeros where there is none.
pub(super) fn indicators(
    codes: &[u32],
    places: Vec<Option<u32>>,
    missing: Option<u32>,
) -> Encoder<'_> {
    Box::new(move |rows: &[usize], out: &mut Features<'_>| {
        for (k, &i) in rows.iter().enumerate() {
            let place = match codes[i] {
                MISSING => missing,
                code => {
                    let place = places[code as usize];
                    if place.is_none() {
                        out.count_unseen();
                    }
                    place
                }
            };
            if let Some(place) = place {
                out.put(k, place as usize, 1.0);
            }
        }
    })
}
