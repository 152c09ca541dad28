//! Columns of free text: weighted n-grams; zeros for missing.
//!
//! Each distinct text is encoded once. The texts of training are encoded while their vocabulary is
//! learned: the first encoder for the same cells takes these rows.

use crate::error::Error;
use crate::recipe::step::{Cells, Encoder, Features, Sample, Scaling, Step, StepKind, load};
use linsep_core::control::{Note, literal};
use linsep_core::text::{TextFeatures, TextRows};
use linsep_io::csv::Force;
use linsep_io::table::{Column, MISSING, Values};
use serde::{Deserialize, Serialize};
use std::slice;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// n-grams of a column.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// Name of the column.
    pub(crate) name: String,
    /// Mean number of nonzero features of a text of training.
    nonzeros: usize,
    features: TextFeatures,
    /// Rows of the texts of training.
    #[serde(skip)]
    encoded: Option<Arc<TrainingRows>>,
}

/// The cells of training, and the rows of their levels until an encoder takes them. The weak
/// reference keeps the address of the cells from being used again.
#[derive(Debug)]
struct TrainingRows {
    cells: Weak<Vec<u32>>,
    rows: Mutex<Option<TextRows>>,
}

/// Columns of text.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "text",
    adjective: "text",
    title: "Text columns, n-grams",
    learn,
    load: load::<Text>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    notes: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Categorical { levels, codes } = &column.values else { return None };
    if !sample.settings.text.contains(&column.name) {
        return None;
    }
    let mut weights = vec![0.0; levels.len()];
    for (&code, weight) in codes.iter().zip(sample.weights).filter(|(code, _)| **code != MISSING) {
        weights[code as usize] += weight;
    }
    let texts: Vec<&str> = levels.iter().map(String::as_str).collect();
    let (features, rows) = match TextFeatures::learn(&texts, &weights, &sample.settings.ngrams) {
        Ok(learned) => learned,
        Err(error) => return Some(Err(error.to_string())),
    };
    if features.width() == 0 {
        let least = sample.settings.ngrams.min_df;
        return Some(Err(format!("no n-gram occurs in at least {least} texts")));
    }
    if let Some(shared) = features.collisions() {
        let name = literal(&column.name);
        let (terms, among) = (shared.terms, shared.shared);
        let text = format!("column {name}: {among} of {terms} n-grams share a feature with others");
        notes.push(Note::new("shared-features", text).about(&column.name));
    }
    let nonzeros = rows.indices.len() / levels.len().max(1);
    let encoded = TrainingRows { cells: Arc::downgrade(codes), rows: Mutex::new(Some(rows)) };
    let (name, encoded) = (column.name.clone(), Some(Arc::new(encoded)));
    Some(Ok(Box::new(Text { name, nonzeros, features, encoded })))
}

impl Text {
    /// The rows of the levels of a column.
    fn rows(&self, codes: &Arc<Vec<u32>>, levels: &[String]) -> TextRows {
        let own = self.encoded.as_ref().filter(|own| own.cells.as_ptr() == Arc::as_ptr(codes));
        let taken =
            own.and_then(|own| own.rows.lock().unwrap_or_else(PoisonError::into_inner).take());
        taken.unwrap_or_else(|| {
            self.features.encode(&levels.iter().map(String::as_str).collect::<Vec<&str>>())
        })
    }
}

impl Step for Text {
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
        self.features.width()
    }

    fn nonzeros(&self) -> usize {
        self.nonzeros
    }

    fn feature(&self, j: usize) -> String {
        format!("{}:{}", self.name, self.features.term(j))
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, _: Scaling) -> Result<Encoder<'a>, Error> {
        cells.levels(0)?;
        let Values::Categorical { codes, levels } = &cells.columns[0].values else {
            unreachable!("the column has levels");
        };
        let texts = self.rows(codes, levels);
        Ok(Box::new(move |rows: &[usize], out: &mut Features<'_>| {
            for (k, &i) in rows.iter().enumerate() {
                if codes[i] != MISSING {
                    let text = texts.row(codes[i] as usize);
                    text.for_each(|(j, v)| out.put(k, j as usize, f64::from(v)));
                }
            }
        }))
    }
}
