//! Signed rows: separation of classes as a system of linear inequalities.
//!
//! Two classes are separated by h = (w, b) if aᵢ·h > 0 for every row, aᵢ = yᵢ (xᵢ, 1). More classes
//! have k hyperplanes, and the largest score decides. They are separated if every row of class c
//! has a larger score for c than for any other class c′. **Kesler's construction** turns each row
//! into k − 1 signed rows of k blocks, (xᵢ, 1) in block c and −(xᵢ, 1) in block c′. Adding one
//! vector to all hyperplanes changes no decision. So the hyperplane of the first class is fixed at
//! 0 and its block is omitted: N = (k − 1)(d + 1) entries. For k = 2 this is the binary form, with
//! the second class +1.
//!
//! Signed rows are never stored: number i(k − 1) + t is row i paired with the t-th of the other
//! classes. Rows of sample weight 0 are skipped.

use crate::control::Cancel;
use crate::data::{Design, Problem, Rows, on_rows};
use crate::error::Error;
use crate::math::exact::{LinearForm, Matrix};
use crate::math::parallel::map_blocks;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The signed rows of a problem.
#[derive(Clone)]
pub struct SignedRows<'a> {
    x: &'a Design,
    /// Block of each row's class; 0 for the class without a hyperplane.
    class: Vec<u32>,
    /// The class of each block, by its position in the problem.
    order: Vec<usize>,
    /// Whether each row has positive sample weight.
    live: Vec<bool>,
    k: usize,
    cancel: Cancel,
}

/// One signed row: a row of the data paired with another class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SignedRow {
    /// The row, counted from 0.
    pub row: usize,
    /// The other class, by its position in the problem.
    pub class: usize,
}

impl<'a> SignedRows<'a> {
    /// Builds the signed rows of a problem. Of two classes, the positive one has the hyperplane:
    /// `positive`, by default the second.
    pub fn new(problem: &Problem<'a>, positive: Option<usize>) -> Result<Self, Error> {
        let k = problem.labels().k();
        let mut order: Vec<usize> = (0..k).collect();
        if problem.positive(positive)? == Some(0) {
            order.reverse();
        }
        let mut block = vec![0; k];
        order.iter().enumerate().for_each(|(at, &c)| block[c] = at as u32);
        let class = problem.labels().codes().iter().map(|&c| block[c as usize]).collect();
        let live = problem.weights().iter().map(|&s| s > 0.0).collect();
        Ok(Self { x: problem.x(), class, order, live, k, cancel: Cancel::default() })
    }

    /// Attaches a cancel token. A search that the token ends is undecided.
    pub fn until(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Returns the cancel token of the search.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns N, the number of entries of a signed row, and of all hyperplanes.
    pub fn width(&self) -> usize {
        (self.k - 1) * self.stride()
    }

    /// Returns d + 1.
    pub fn stride(&self) -> usize {
        self.x.d() + 1
    }

    /// Returns the number of hyperplanes, k − 1.
    pub fn hyperplanes(&self) -> usize {
        self.k - 1
    }

    /// Returns the class of each hyperplane, preceded by the class without one.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the number of rows of the data.
    pub fn n(&self) -> usize {
        self.class.len()
    }

    /// Returns the features.
    pub fn x(&self) -> &'a Design {
        self.x
    }

    /// Returns the count of signed row numbers, including those of rows with sample weight 0.
    pub fn count(&self) -> usize {
        self.n() * self.hyperplanes()
    }

    /// Returns whether row i has positive sample weight.
    pub(crate) fn is_live(&self, i: usize) -> bool {
        self.live[i]
    }

    /// Returns the block of row i's class; 0 has no hyperplane.
    pub fn block(&self, i: usize) -> usize {
        self.class[i] as usize
    }

    /// Returns the block of the t-th of the other classes of row i.
    fn other(&self, i: usize, t: usize) -> usize {
        if t < self.block(i) { t } else { t + 1 }
    }

    /// Returns the row and class of signed row number `at`.
    pub fn against(&self, at: usize) -> SignedRow {
        let (row, t) = (at / self.hyperplanes(), at % self.hyperplanes());
        SignedRow { row, class: self.order[self.other(row, t)] }
    }

    /// Returns the number of a signed row; `None` if the row is missing or has sample weight 0, or
    /// if the class is its true class.
    pub fn number(&self, against: SignedRow) -> Option<usize> {
        let block = self.order.iter().position(|&c| c == against.class)?;
        let own = *self.class.get(against.row)? as usize;
        if block == own || !self.live[against.row] {
            return None;
        }
        Some(against.row * self.hyperplanes() + if block < own { block } else { block - 1 })
    }

    /// Returns the nonzero blocks of signed row `at`, each with its sign.
    fn places(&self, at: usize) -> impl Iterator<Item = (usize, f64)> {
        let (i, t) = (at / self.hyperplanes(), at % self.hyperplanes());
        let own = (self.block(i), 1.0);
        let other = (self.other(i, t), -1.0);
        [own, other].into_iter().filter(|(block, _)| *block > 0).map(|(block, y)| (block - 1, y))
    }

    /// Writes signed row `at` in full; `part` writes one block from row, sign and output.
    pub fn write(&self, at: usize, out: &mut [f64], part: impl Fn(usize, f64, &mut [f64])) {
        out.fill(0.0);
        for (block, y) in self.places(at) {
            part(at / self.hyperplanes(), y, &mut out[block * self.stride()..][..self.stride()]);
        }
    }

    /// Returns signed row `at` in full, in raw units.
    pub fn row(&self, at: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.width()];
        let d = self.x.d();
        self.write(at, &mut out, |i, y, out| {
            on_rows!(self.x, x => x.axpy(y, i, &mut out[..d]));
            out[d] = y;
        });
        out
    }

    /// Returns signed rows in full, in exact numbers.
    pub(super) fn matrix(&self, numbers: &[usize]) -> Matrix {
        let rows: Vec<Vec<f64>> = numbers.iter().map(|&at| self.row(at)).collect();
        Matrix::new(&rows).until(&self.cancel)
    }

    /// Passes (number, exact sign of the product with h) of every signed row to `work`, in order,
    /// until `work` returns false. Rows of sample weight 0 are skipped. A set token ends the pass
    /// early: the caller reads the token, and discards what it has.
    pub fn signs(&self, h: &LinearForm, mut work: impl FnMut(usize, Ordering) -> bool) {
        const BLOCK: usize = 1 << 14;
        let wave = BLOCK * 2 * rayon::current_num_threads().max(1);
        for start in (0..self.n()).step_by(wave) {
            let end = self.n().min(start + wave);
            let signs = map_blocks(
                end - start,
                BLOCK,
                |rows| on_rows!(self.x, x => self.signs_of(x, start + rows.start..start + rows.end, h)),
            );
            let all = signs.into_iter().flatten().all(|(at, sign)| work(at, sign));
            if !all || self.cancel.is_set() {
                return;
            }
        }
    }

    fn signs_of<X: Rows>(
        &self,
        x: &X,
        rows: std::ops::Range<usize>,
        h: &LinearForm,
    ) -> Vec<(usize, Ordering)> {
        let (d, stride, hyperplanes) = (self.x.d(), self.stride(), self.hyperplanes());
        let mut signs = Vec::with_capacity(rows.len() * hyperplanes);
        let mut stored: Vec<(usize, f64)> = Vec::new();
        for i in rows.filter(|&i| self.live[i]).take_while(|_| !self.cancel.is_set()) {
            stored.clear();
            x.each(i, |j, v| stored.push((j, crate::math::kernels::Value::get(v))));
            stored.push((d, 1.0));
            for at in i * hyperplanes..(i + 1) * hyperplanes {
                let sign = h.sign(|| {
                    let stored = &stored;
                    self.places(at).flat_map(move |(block, y)| {
                        stored.iter().map(move |&(j, v)| (block * stride + j, y * v))
                    })
                });
                signs.push((at, sign));
            }
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Labels;

    #[test]
    fn two_classes_are_signed_rows() {
        let x = Design::dense(3, 1, vec![2.0, 3.0, 5.0]).unwrap();
        let labels = Labels::parse(["a", "b", "b"]);
        let problem = Problem::new(&x, &labels, Some(vec![1.0, 0.0, 2.0])).unwrap();
        let signed = SignedRows::new(&problem, None).unwrap();
        assert_eq!((signed.row(0), signed.row(2)), (vec![-2.0, -1.0], vec![5.0, 1.0]));
        let turned = SignedRows::new(&problem, Some(0)).unwrap();
        assert_eq!((turned.row(0), turned.row(2)), (vec![2.0, 1.0], vec![-5.0, -1.0]));
        assert_eq!(signed.number(SignedRow { row: 0, class: 1 }), Some(0));
        assert_eq!(signed.number(SignedRow { row: 0, class: 0 }), None, "its own class");
        assert_eq!(signed.number(SignedRow { row: 1, class: 0 }), None, "no weight");
        let mut seen = Vec::new();
        signed.signs(&LinearForm::of(&[1.0, -2.0]), |at, sign| {
            seen.push((at, sign));
            true
        });
        assert_eq!(seen, [(0, Ordering::Equal), (2, Ordering::Greater)]);
    }

    #[test]
    fn three_classes_by_kesler_construction() {
        let x = Design::dense(3, 1, vec![2.0, 3.0, 5.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let signed = SignedRows::new(&problem, None).unwrap();
        assert_eq!((signed.width(), signed.count()), (4, 6));
        assert_eq!(signed.row(0), [-2.0, -1.0, 0.0, 0.0], "a against b");
        assert_eq!(signed.row(1), [0.0, 0.0, -2.0, -1.0], "a against c");
        assert_eq!(signed.row(2), [3.0, 1.0, 0.0, 0.0], "b against a");
        assert_eq!(signed.row(3), [3.0, 1.0, -3.0, -1.0], "b against c");
        for at in 0..6 {
            assert_eq!(signed.number(signed.against(at)), Some(at));
        }
    }
}
