//! Products of two categorical columns: an indicator of each pair of levels in training; zeros for
//! other pairs.

use super::derived::{Levels, Sound, load_sound};
use crate::error::Error;
use crate::recipe::step::{Cells, Encoder, Meaning, Sample, Scaling, Step, StepKind};
use linsep_io::csv::Force;
use linsep_io::table::Column;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// Indicators of pairs of levels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelPair {
    columns: Vec<String>,
    levels: Vec<Levels>,
    /// The pairs with a feature, in ascending order.
    pairs: Vec<(u32, u32)>,
}

/// Products of categorical columns.
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "level-pair",
    adjective: "derived",
    title: "Pairs of levels of categorical columns",
    learn: |_, _, _| None,
    load: load_sound::<LevelPair>,
};

/// Fits the step to two categorical columns, or returns the reason to drop it.
pub(in crate::recipe) fn learn(
    sample: &Sample<'_>,
    [(a, first, levels), (b, second, others)]: [(&Column, &[Option<u32>], &Levels); 2],
) -> Result<Box<dyn Step>, String> {
    let rows = first.iter().zip(second).zip(sample.weights).filter(|(_, s)| **s > 0.0);
    let pairs: BTreeSet<(u32, u32)> = rows.filter_map(|((a, b), _)| a.zip(*b)).collect();
    if pairs.len() < 2 {
        return Err("fewer than two pairs of levels".to_owned());
    }
    let columns = vec![a.name.clone(), b.name.clone()];
    let levels = vec![levels.clone(), others.clone()];
    Ok(Box::new(LevelPair { columns, levels, pairs: pairs.into_iter().collect() }))
}

impl Sound for LevelPair {
    fn is_sound(&self) -> bool {
        let [first, second] = &self.levels[..] else { return false };
        let known =
            |(a, b): &(u32, u32)| (*a as usize) < first.count() && (*b as usize) < second.count();
        self.columns.len() == 2
            && !self.pairs.is_empty()
            && self.pairs.iter().all(known)
            && self.pairs.is_sorted_by(|a, b| a < b)
    }
}

impl Step for LevelPair {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn reads(&self) -> Force {
        Force::Categorical
    }

    fn width(&self) -> usize {
        self.pairs.len()
    }

    fn nonzeros(&self) -> usize {
        1
    }

    fn feature(&self, j: usize) -> String {
        let (a, b) = self.pairs[j];
        let name = |c: usize, level| self.levels[c].name(&self.columns[c], level);
        format!("{}:{}", name(0, a), name(1, b))
    }

    fn meaning(&self, _: usize) -> Meaning<'_> {
        Meaning::SharedLevels
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, _: Scaling) -> Result<Encoder<'a>, Error> {
        let places = |c: usize| {
            let (codes, levels) = cells.levels(c)?;
            Ok::<_, Error>(self.levels[c].places(codes, levels))
        };
        let (first, second) = (places(0)?, places(1)?);
        let known: HashMap<(u32, u32), usize> = self.pairs.iter().copied().zip(0..).collect();
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                if let Some(&j) = first[i].zip(second[i]).and_then(|pair| known.get(&pair)) {
                    out.put(k, j, 1.0);
                }
            }
        }))
    }
}
