//! Kesler's construction: k classes as one hyperplane in k(d+1) dimensions.
//!
//! Write the k hyperplanes as one vector W = (w₁, b₁, …, wₖ, bₖ). A row of class o is classified
//! correctly if wₒ·(x, 1) > wⱼ·(x, 1) for every j ≠ o. That is, W is on the positive side of k − 1
//! rows of k(d+1) numbers,
//!
//! ```text
//!   γₒⱼ = (0 … (x, 1) … 0 … −(x, 1) … 0)     (x, 1) in the block of class o, −(x, 1) in that of j
//! ```
//!
//! So n rows of k classes are separable exactly if these n(k−1) rows are, by a hyperplane through
//! the origin. Every result on two classes (perceptron convergence, tests of separability) carries
//! over. [`expand`] forms the rows explicitly.
//!
//! # Implicit form
//!
//! The score of γₒⱼ is zₒ − zⱼ, and an update by γₒⱼ changes two hyperplanes: **wₒ ← wₒ + η (x, 1),
//! wⱼ ← wⱼ − η (x, 1)**. So the perceptron on the constructed rows, in the order j = 1, 2, …, k for
//! each row, is a rule on the k scores of the row: [`Kesler`]. Unlike winner-take-all it updates
//! every class that the true class does not beat, not only the largest, and needs no rule for ties.
//!
//! # Termination
//!
//! On separable classes after at most 2(R/γ)² updates from W = 0. This is Novikoff's bound for rows
//! of length √2‖(x, 1)‖, with γ = min (w*ₒ − w*ⱼ)·(x, 1) for the best W* of length 1.
//!
//! Cost: as winner-take-all; the explicit rows take k(k−1) times the memory of the data.
//! Source: Nilsson, *Learning Machines* (1965), §5.8, who credits C. Kesler; Duda & Hart (1973),
//! §5.12.

use super::{PerceptronRule, RowScores};
use crate::data::{BinarySubset, Design, Problem, Rows, on_rows};
use crate::error::Error;
use crate::math::kernels::Value;

/// Perceptron rule on the rows of Kesler's construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kesler;

impl PerceptronRule for Kesler {
    fn update_row(&self, look: &mut RowScores, own: usize, copy: f64) -> u64 {
        let mut corrections = 0;
        let rivals = (0..look.scores().len()).filter(|&j| j != own);
        for (before, j) in rivals.enumerate() {
            if look.z[own] - look.z[j] > 0.0 {
                continue;
            }
            let after = before as f64 * copy;
            look.add_update(own, copy, after);
            look.add_update(j, -copy, after);
            corrections += copy.ceil() as u64;
        }
        corrections
    }

    fn visits(&self, k: usize) -> f64 {
        (k - 1) as f64
    }
}

/// Explicit rows of the construction.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// Rows as a binary problem. All are +1, except mirrored ones.
    pub part: BinarySubset,
    /// Original row of each constructed row.
    pub row: Vec<u32>,
    /// Other class j of each constructed row.
    pub rival: Vec<u32>,
}

/// Forms the rows γₒⱼ: for each row of the data, j ascending. `lift` adds an intercept to every
/// block. A row and its negative with the other sign are equivalent. `mirror` writes those of j < o
/// as −γₒⱼ with −1, so that both classes occur.
pub fn expand(problem: &Problem<'_>, lift: bool, mirror: bool) -> Result<Expanded, Error> {
    let (k, block) = (problem.labels().k(), problem.x().d() + usize::from(lift));
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    let (mut y, mut s, mut row, mut rival) = (vec![], vec![], vec![], vec![]);
    let d = k.checked_mul(block).filter(|d| u32::try_from(*d).is_ok()).ok_or(Error::TooLarge {
        what: "columns",
        got: k.saturating_mul(block),
        most: u32::MAX as usize,
    })?;
    for (i, &own) in problem.labels().codes().iter().enumerate() {
        let mut stored = Vec::new();
        on_rows!(problem.x(), x => x.each(i, |j, v| stored.push((j, v.get()))));
        stored.retain(|(_, v)| *v != 0.0);
        if lift {
            stored.push((block - 1, 1.0));
        }
        for j in (0..k as u32).filter(|&j| j != own) {
            let sign = if mirror && j < own { -1.0 } else { 1.0 };
            // Columns must ascend: the block of the earlier class comes first.
            let mut blocks = [(own, sign), (j, -sign)];
            blocks.sort_unstable_by_key(|(class, _)| *class);
            for (class, sign) in blocks {
                let first = class as usize * block;
                indices.extend(stored.iter().map(|(j, _)| (first + j) as u32));
                values.extend(stored.iter().map(|(_, v)| sign * v));
            }
            starts.push(indices.len());
            y.push(sign);
            s.push(problem.weights()[i]);
            row.push(i as u32);
            rival.push(j);
        }
    }
    let x = Design::sparse(d, starts, indices, values)?;
    Ok(Expanded { part: BinarySubset::new(x, y, s), row, rival })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{BinaryLearner, Perceptron, PerceptronVariant};
    use crate::control::Budget;
    use crate::data::{Hyperplane, Labels};
    use crate::math::rng::Rng;
    use crate::multiclass::multiclass_perceptron;

    #[test]
    fn rows_match_the_example_of_the_lectures() {
        // One row of class 1 among three: [x −x 0] and [x 0 −x].
        let x = Design::dense(3, 2, vec![5.0, 7.0, 0.0, 1.0, 1.0, 0.0]).unwrap();
        let labels = Labels::parse(["1", "2", "3"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let made = expand(&problem, true, false).unwrap();
        let rows = made.part.binary().x();
        assert_eq!((rows.n(), rows.d()), (6, 9));
        assert_eq!(rows.row(0), [5.0, 7.0, 1.0, -5.0, -7.0, -1.0, 0.0, 0.0, 0.0]);
        assert_eq!(rows.row(1), [5.0, 7.0, 1.0, 0.0, 0.0, 0.0, -5.0, -7.0, -1.0]);
        assert_eq!(rows.row(2), [0.0, -1.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!((made.row, made.rival), (vec![0, 0, 1, 1, 2, 2], vec![1, 2, 0, 2, 0, 1]));
        assert_eq!(made.part.binary().y(), [1.0; 6]);
        let mirrored = expand(&problem, true, true).unwrap();
        assert_eq!(mirrored.part.binary().y(), [1.0, 1.0, -1.0, 1.0, -1.0, -1.0]);
        let turned: Vec<f64> = rows.row(2).iter().map(|v| -v).collect();
        assert_eq!(mirrored.part.binary().x().row(2), turned);
        assert_eq!(expand(&problem, false, false).unwrap().part.binary().x().d(), 6);
    }

    /// Small integers, so that every sum is exact.
    fn data(seed: u64) -> (Design, Labels) {
        let mut rng = Rng::new(seed, 7);
        let mut below = |n| rng.below(n) as usize;
        let (n, d, k) = (6 + below(20), 1 + below(3), 3 + below(3));
        let x = (0..n * d).map(|_| rng.below(7) as f64 - 3.0).collect();
        let labels: Vec<String> = (0..n)
            .map(|i| if i < k { i } else { rng.below(k as u64) as usize }.to_string())
            .collect();
        (Design::dense(n, d, x).unwrap(), Labels::parse(labels.iter().map(String::as_str)))
    }

    #[test]
    fn implicit_and_explicit_rows_give_the_same_hyperplanes() {
        for seed in 0..100 {
            let (x, labels) = data(seed);
            let problem = Problem::new(&x, &labels, None).unwrap();
            for mirror in [false, true] {
                let made = expand(&problem, true, mirror).unwrap();
                let binary = made.part.binary();
                let rule = Perceptron { budget: Budget::epochs(15), ..Perceptron::default() };
                let mean = Perceptron { variant: PerceptronVariant::Averaged, ..rule };
                let flat = |rule| Perceptron { intercept: false, ..rule };
                let block = x.d() + 1;
                let hyperplanes = |hyperplane: &Hyperplane| -> Vec<Hyperplane> {
                    let of = |w: &[f64]| Hyperplane { w: w[..block - 1].to_vec(), b: w[block - 1] };
                    hyperplane.w.chunks_exact(block).map(of).collect()
                };
                let zero = Hyperplane::zero(binary.x().d());
                // The mean over all visits differs if any single step does.
                let long = flat(mean).fit(&binary, zero.clone(), &mut ());
                let long = long.unwrap();
                let short = multiclass_perceptron(&problem, &mean, &Kesler, None, &mut ()).unwrap();
                assert_eq!((short.epochs, short.updates), (long.epochs, long.updates), "{seed}");
                for (a, b) in hyperplanes(&long.hyperplane).iter().zip(&short.hyperplanes) {
                    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + a.abs());
                    assert!(a.w.iter().chain([&a.b]).zip(b.w.iter().chain([&b.b])).all(near));
                }
                let long = flat(rule).fit(&binary, zero, &mut ()).unwrap();
                let short = multiclass_perceptron(&problem, &rule, &Kesler, None, &mut ()).unwrap();
                assert_eq!((short.stop, short.updates), (long.stop, long.updates));
                if long.mistakes == 0.0 {
                    assert_eq!(hyperplanes(&long.hyperplane), short.hyperplanes, "to the last bit");
                }
            }
        }
    }
}
