//! Holdout sets.

use crate::dataset::{TrainingSettings, class_of_rows};
use crate::error::Error;
use linsep_core::Label;
use linsep_core::math::rng::Rng;
use linsep_io::Input;
use std::collections::BTreeMap;

/// Draws a holdout set from the seed: about the given share of each class (of counts, about
/// that share of all rows). Returns the indices of the remaining and the held-out rows, both
/// ascending.
pub(crate) fn hold_out(
    input: &Input,
    share: f64,
    seed: u64,
    settings: &TrainingSettings,
) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let classes = class_of_rows(input, settings)?;
    let mut by_class: BTreeMap<Option<&Label>, Vec<usize>> = BTreeMap::new();
    for i in 0..input.rows() {
        by_class.entry(classes.get(i)).or_default().push(i);
    }
    let mut aside = Vec::new();
    for (stream, rows) in by_class.values_mut().enumerate() {
        Rng::new(seed, stream as u64).shuffle(rows);
        // At least one row of each class remains.
        let n = ((rows.len() as f64 * share).round() as usize).min(rows.len() - 1);
        aside.extend_from_slice(&rows[..n]);
    }
    aside.sort_unstable();
    if aside.is_empty() {
        let (name, got) = ("holdout", share.to_string());
        return Err(
            linsep_io::Error::Setting { name, got, want: "a share of at least one row" }.into()
        );
    }
    let rest = (0..input.rows()).filter(|i| aside.binary_search(i).is_err()).collect();
    Ok((rest, aside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsep_io::{ReadOptions, Source, read_source};

    #[test]
    fn holdout_is_stratified_and_reproducible() {
        let mut text = String::from("a,y\n");
        for i in 0..100 {
            text += &format!("{i},{}\n", if i % 10 == 0 { "rare" } else { "usual" });
        }
        let source = Source::from_bytes("x", text);
        let input = read_source(source, &ReadOptions::default()).unwrap();
        let settings = TrainingSettings::default();
        let (rest, aside) = hold_out(&input, 0.2, 3, &settings).unwrap();
        assert_eq!((rest.len(), aside.len()), (80, 20));
        assert!(aside.iter().all(|i| rest.binary_search(i).is_err()));
        assert_eq!(aside.iter().filter(|i| **i % 10 == 0).count(), 2);
        let (_, again) = hold_out(&input, 0.2, 3, &settings).unwrap();
        assert_eq!(aside, again, "the same seed, the same rows");
        assert!(hold_out(&input, 0.001, 3, &settings).is_err());
    }
}
