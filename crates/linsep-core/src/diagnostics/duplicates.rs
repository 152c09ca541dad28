//! Identical rows, found by fingerprints and a comparison.
//!
//! The fingerprint of a row is the sum of those of its nonzero elements. Rows of equal fingerprint
//! are compared. Rows of weight 0 are ignored.
//!
//! Cost: one pass over the data, a sort of n numbers, and another pass over the rows with
//! duplicates.

use super::summary::fingerprint;
use crate::data::Problem;
use crate::math::parallel::map_blocks;

/// Finds the groups of identical rows.
pub(super) fn duplicate_groups(problem: &Problem<'_>) -> Vec<Vec<u32>> {
    let (x, s) = (problem.x(), problem.weights());
    const BLOCK: usize = 1 << 14;
    let prints = map_blocks(x.n(), BLOCK, |rows| {
        let print = |i: usize| {
            let mut sum = 0_u64;
            x.each_nonzero(i, |j, v| sum = sum.wrapping_add(fingerprint(j, v)));
            (sum, i as u32)
        };
        rows.filter(|&i| s[i] > 0.0).map(print).collect::<Vec<(u64, u32)>>()
    });
    let mut prints = prints.concat();
    prints.sort_unstable();
    let alike = prints.chunk_by(|a, b| a.0 == b.0).filter(|rows| rows.len() > 1);
    let nonzeros = |i: u32| {
        let mut list = Vec::new();
        x.each_nonzero(i as usize, |j, v| list.push((j, v)));
        list
    };
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for rows in alike {
        sets.extend(equal(rows.iter().map(|&(_, i)| (i, nonzeros(i)))));
    }
    sets.sort_unstable();
    sets
}

/// Groups of two or more items with equal contents. Fingerprints rarely collide, so there is
/// usually one group.
pub(super) fn equal<T, C: PartialEq>(things: impl Iterator<Item = (T, C)>) -> Vec<Vec<T>> {
    let mut sets: Vec<(C, Vec<T>)> = Vec::new();
    for (thing, content) in things {
        match sets.iter_mut().find(|(other, _)| *other == content) {
            Some((_, set)) => set.push(thing),
            None => sets.push((content, vec![thing])),
        }
    }
    sets.into_iter().map(|(_, set)| set).filter(|set| set.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};
    use crate::math::rng::Rng;

    #[test]
    fn zeros_of_both_signs_are_equal_and_rows_of_weight_0_are_ignored() {
        let x =
            Design::dense(5, 2, vec![0.0, 1.0, -0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]).unwrap();
        let labels = Labels::parse(["a", "b", "a", "a", "b"]);
        let sets = |weights| duplicate_groups(&Problem::new(&x, &labels, weights).unwrap());
        assert_eq!(sets(None), [vec![0, 1, 3], vec![2, 4]]);
        assert_eq!(sets(Some(vec![1.0, 1.0, 1.0, 0.0, 0.0])), [vec![0, 1]]);
    }

    #[test]
    fn groups_equal_those_of_all_pairwise_comparisons() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed, 1);
            let n = 2 + rng.below(30) as usize;
            let values: Vec<f64> = (0..2 * n).map(|_| rng.below(3) as f64).collect();
            let x = Design::dense(n, 2, values.clone()).unwrap();
            let labels: Vec<&str> = (0..n).map(|i| if i == 0 { "a" } else { "b" }).collect();
            let labels = Labels::parse(labels);
            let found = duplicate_groups(&Problem::new(&x, &labels, None).unwrap());
            let equal = |i: usize, j: usize| values[2 * i..2 * i + 2] == values[2 * j..2 * j + 2];
            for i in 0..n {
                let own: Vec<u32> = (0..n).filter(|&j| equal(i, j)).map(|j| j as u32).collect();
                assert_eq!(found.contains(&own), own.len() > 1);
            }
        }
    }
}
