//! Splits into training and test rows.
//!
//! **Stratified**: the rows of each class are shuffled and assigned to folds in rotation, each
//! class continuing after the last fold of its predecessor. So in every fold the number of rows of
//! each class, and of all rows, is even to within one row.
//!
//! **By group**: rows of one group (a patient, a user, a document) stay together. Groups are
//! assigned in decreasing order of size, equal sizes in random order. Each goes to the fold where
//! `Σ_c (n_fc/n_c)²` grows least, with `n_fc` the rows of class c in the fold: where its classes
//! are underrepresented.
//!
//! **By time**: rows are sorted by time and divided into m + 1 blocks. Fold f is trained on the
//! first f blocks and tested on the next, never trained on later rows. Rows of one time stay in one
//! block.
//!
//! A split depends only on the classes, the seed and the number of the repetition.

use crate::error::Error;
use crate::math::rng::Rng;

/// Training rows and test rows, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Training rows.
    pub train: Vec<u32>,
    /// Test rows.
    pub test: Vec<u32>,
}

/// Fold of each row, stratified by class. `repeat` counts repetitions from 0.
pub fn stratified(
    classes: &[u32],
    folds: usize,
    seed: u64,
    repeat: u64,
) -> Result<Vec<u32>, Error> {
    check(folds, classes.len(), "at least 2, and at most the number of rows")?;
    let mut rng = Rng::new(seed, repeat);
    let mut fold_of = vec![0; classes.len()];
    let mut dealt = 0;
    for mut rows in by_class(classes) {
        rng.shuffle(&mut rows);
        for i in rows {
            fold_of[i] = (dealt % folds) as u32;
            dealt += 1;
        }
    }
    Ok(fold_of)
}

/// Fold of each row, with the rows of a group together. Group numbers run from 0 without gaps.
pub fn by_group(
    groups: &[u32],
    classes: &[u32],
    folds: usize,
    seed: u64,
    repeat: u64,
) -> Result<Vec<u32>, Error> {
    // 1. Class counts of each group.
    let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
    check(folds, count, "at least 2, and at most the number of groups")?;
    let k = classes.iter().max().map_or(0, |most| *most as usize + 1);
    let mut inside = vec![0.0; count * k];
    let mut of_class = vec![0.0; k];
    for (&group, &class) in groups.iter().zip(classes) {
        inside[group as usize * k + class as usize] += 1.0;
        of_class[class as usize] += 1.0;
    }

    // 2. Order by decreasing size; a stable sort keeps the random order of equal sizes.
    let mut order: Vec<usize> = (0..count).collect();
    Rng::new(seed, repeat).shuffle(&mut order);
    let size = |g: usize| inside[g * k..][..k].iter().sum::<f64>();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));

    // 3. Assignment to the fold with the least growth.
    let mut there = vec![0.0; folds * k];
    let mut fold_of_group = vec![0; count];
    for g in order {
        let own = &inside[g * k..][..k];
        let growth = |f: usize| {
            let classes = own.iter().zip(&there[f * k..][..k]).zip(&of_class);
            let part = |((own, there), all): ((&f64, &f64), &f64)| {
                if *all > 0.0 { own * (2.0 * there + own) / (all * all) } else { 0.0 }
            };
            classes.map(part).sum::<f64>()
        };
        let best = |best: usize, f: usize| if growth(f) < growth(best) { f } else { best };
        let fold = (0..folds).reduce(best).unwrap_or(0);
        fold_of_group[g] = fold as u32;
        there[fold * k..][..k].iter_mut().zip(own).for_each(|(there, own)| *there += own);
    }
    Ok(groups.iter().map(|&g| fold_of_group[g as usize]).collect())
}

/// Training and test rows of each fold.
pub fn splits(fold_of: &[u32], folds: usize) -> Vec<Split> {
    let rows = |f: usize, own: bool| {
        let is = |&i: &u32| (fold_of[i as usize] as usize == f) == own;
        (0..fold_of.len() as u32).filter(is).collect()
    };
    (0..folds).map(|f| Split { train: rows(f, false), test: rows(f, true) }).collect()
}

/// Splits by time: test rows are later than all training rows.
pub fn in_time(times: &[f64], folds: usize) -> Result<Vec<Split>, Error> {
    let n = times.len();
    let want = "at least 2, and fewer than there are different times";
    check(folds, n.saturating_sub(1), want)?;
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| times[a as usize].total_cmp(&times[b as usize]));
    let time = |at: usize| times[order[at] as usize];

    // Start of each block: equal parts, each start moved forward to the next change of time.
    let mut starts: Vec<usize> = (1..=folds).map(|f| f * n / (folds + 1)).collect();
    for start in &mut starts {
        while *start < n && time(*start) == time(*start - 1) {
            *start += 1;
        }
    }
    if starts.windows(2).any(|w| w[0] >= w[1]) || starts.last().is_none_or(|last| *last >= n) {
        return Err(Error::Setting { name: "folds", got: folds as f64, want });
    }
    let sorted = |rows: &[u32]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows
    };
    let ends = starts.iter().skip(1).copied().chain([n]);
    let split =
        |(&start, end)| Split { train: sorted(&order[..start]), test: sorted(&order[start..end]) };
    Ok(starts.iter().zip(ends).map(split).collect())
}

/// Rows of each class, ascending.
fn by_class(classes: &[u32]) -> Vec<Vec<usize>> {
    let k = classes.iter().max().map_or(0, |most| *most as usize + 1);
    let mut rows = vec![Vec::new(); k];
    for (i, &class) in classes.iter().enumerate() {
        rows[class as usize].push(i);
    }
    rows
}

fn check(folds: usize, most: usize, want: &'static str) -> Result<(), Error> {
    if (2..=most).contains(&folds) {
        return Ok(());
    }
    Err(Error::Setting { name: "folds", got: folds as f64, want })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(fold_of: &[u32], folds: usize, rows: impl Fn(usize) -> bool) -> Vec<usize> {
        let is = |f: usize, i: usize| fold_of[i] as usize == f && rows(i);
        (0..folds).map(|f| (0..fold_of.len()).filter(|&i| is(f, i)).count()).collect()
    }

    fn even(counts: &[usize]) -> bool {
        counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1
    }

    proptest! {
        #[test]
        fn classes_and_folds_are_even_to_one_row(
            classes in prop::collection::vec(0..4_u32, 6..80), folds in 2..6_usize, seed in any::<u64>(),
        ) {
            let fold_of = stratified(&classes, folds, seed, 0).unwrap();
            prop_assert!(even(&counts(&fold_of, folds, |_| true)));
            for class in 0..4 {
                prop_assert!(even(&counts(&fold_of, folds, |i| classes[i] == class)));
            }
            prop_assert_eq!(&fold_of, &stratified(&classes, folds, seed, 0).unwrap());
            for split in splits(&fold_of, folds) {
                let mut all = [split.train, split.test].concat();
                all.sort_unstable();
                prop_assert_eq!(all, (0..classes.len() as u32).collect::<Vec<_>>());
            }
        }

        #[test]
        fn rows_of_a_group_are_in_one_fold(
            rows in prop::collection::vec((0..9_u32, 0..3_u32), 20..90), folds in 2..5_usize, seed in any::<u64>(),
        ) {
            let mut groups: Vec<u32> = rows.iter().map(|(g, _)| *g).collect();
            groups[..9].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8]);
            let classes: Vec<u32> = rows.iter().map(|(_, c)| *c).collect();
            let fold_of = by_group(&groups, &classes, folds, seed, 0).unwrap();
            for (i, j) in (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                prop_assert!(groups[i] != groups[j] || fold_of[i] == fold_of[j]);
            }
            prop_assert!(counts(&fold_of, folds, |_| true).iter().all(|n| *n > 0));
        }

        #[test]
        fn training_rows_precede_test_rows(
            times in prop::collection::vec(0..30_i32, 12..60), folds in 2..5_usize,
        ) {
            let times: Vec<f64> = times.into_iter().map(f64::from).collect();
            let Ok(splits) = in_time(&times, folds) else { return Ok(()) };
            prop_assert_eq!(splits.len(), folds);
            for split in &splits {
                let of = |rows: &[u32]| rows.iter().map(|&i| times[i as usize]).collect::<Vec<_>>();
                let latest = of(&split.train).into_iter().fold(f64::NEG_INFINITY, f64::max);
                let first = of(&split.test).into_iter().fold(f64::INFINITY, f64::min);
                prop_assert!(latest < first, "{latest} {first}");
            }
        }
    }

    #[test]
    fn groups_of_one_row_are_stratified() {
        let classes: Vec<u32> = (0..60).map(|i| u32::from(i % 4 == 0)).collect();
        let groups: Vec<u32> = (0..60).collect();
        let fold_of = by_group(&groups, &classes, 5, 7, 0).unwrap();
        assert_eq!(counts(&fold_of, 5, |i| classes[i] == 1), [3; 5]);
        assert_eq!(counts(&fold_of, 5, |i| classes[i] == 0), [9; 5]);
    }

    #[test]
    fn seeds_and_repetitions_give_different_folds() {
        let classes = vec![0; 40];
        let draw = |seed, repeat| stratified(&classes, 4, seed, repeat).unwrap();
        assert_ne!(draw(0, 0), draw(0, 1));
        assert_ne!(draw(0, 0), draw(1, 0));
    }

    #[test]
    fn too_many_folds_are_rejected() {
        assert!(stratified(&[0, 1, 0], 4, 0, 0).is_err());
        assert!(stratified(&[0, 1, 0], 1, 0, 0).is_err());
        assert!(by_group(&[0, 0, 1, 1], &[0, 1, 0, 1], 3, 0, 0).is_err());
        assert!(in_time(&[1.0, 1.0, 1.0, 1.0], 2).is_err(), "one time cannot be split");
        let splits = in_time(&[3.0, 1.0, 2.0], 2).unwrap();
        assert_eq!(splits[1], Split { train: vec![1, 2], test: vec![0] });
    }
}
