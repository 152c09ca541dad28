//! Categorical columns with many levels: feature hashing; zeros for missing.

use super::category::{indicators, why_dropped};
use crate::error::Error;
use crate::recipe::step::{Cells, Encoder, Meaning, Sample, Scaling, Step, StepKind, load};
use linsep_core::control::Note;
use linsep_io::csv::Force;
use linsep_io::table::{Column, Values};
use serde::{Deserialize, Serialize};
use std::slice;

/// Feature hashing of the levels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hashed {
    /// Name of the column.
    pub(crate) name: String,
    /// Number of features.
    pub(crate) buckets: u32,
}

/// Hashed columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "hashed",
    adjective: "categorical",
    title: "Categorical columns, hashed",
    learn,
    load: load::<Hashed>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    _: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let Values::Categorical { levels, .. } = &column.values else { return None };
    if levels.len() <= sample.settings.max_levels {
        return None;
    }
    let (name, buckets) = (column.name.clone(), sample.settings.buckets);
    Some(match why_dropped(sample, column, levels) {
        Some(why) => Err(why),
        None => Ok(Box::new(Hashed { name, buckets })),
    })
}

impl Step for Hashed {
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
        self.buckets as usize
    }

    fn nonzeros(&self) -> usize {
        1
    }

    fn feature(&self, j: usize) -> String {
        format!("{}#{j}", self.name)
    }

    fn meaning(&self, _: usize) -> Meaning<'_> {
        Meaning::SharedLevels
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, _: Scaling) -> Result<Encoder<'a>, Error> {
        let (codes, levels) = cells.levels(0)?;
        let places = levels.iter().map(|level| Some(bucket(level, self.buckets))).collect();
        Ok(indicators(codes, places, None))
    }
}

/// Returns the feature of a hashed level: FNV-1a over its bytes with a final mix, the same on every
/// machine.
fn bucket(word: &str, buckets: u32) -> u32 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in word.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((hash >> 32) * u64::from(buckets)) >> 32) as u32
}
