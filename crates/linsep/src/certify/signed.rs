//! Signed rows: separating classes as a system of inequalities.
//!
//! Two classes are separated by h = (w, b) where aᵢ·h > 0 for every row, aᵢ = yᵢ (xᵢ, 1). Many classes are separated
//! by k planes, the largest of which decides, where every row of class c has a larger score for c than for any
//! other class c′: **Kesler's construct**, which makes of each row k − 1 signed rows in k blocks, (xᵢ, 1) in block c
//! and −(xᵢ, 1) in block c′. Adding one vector to all planes changes no decision, so the first class's plane may be taken to be
//! 0 and its block is left out: N = (k − 1)(d + 1) numbers. For k = 2 that is the first form, with the second class +1.
//!
//! Signed rows are never stored: number i(k − 1) + t is row i against the t-th class that is not its own. Rows of
//! weight 0 are not there.

use crate::control::Cancel;
use crate::data::{Design, Problem, Rows, on_rows};
use crate::error::Error;
use crate::math::exact::Form;
use crate::math::parallel::map_blocks;
use std::cmp::Ordering;

/// The signed rows of a problem.
#[derive(Clone)]
pub struct Signed<'a> {
    x: &'a Design,
    /// Block of each row's class, 0 for the one without a plane.
    class: Vec<u32>,
    /// The class of each block, by its position in the problem.
    order: Vec<usize>,
    /// Which rows weigh something.
    live: Vec<bool>,
    k: usize,
    cancel: Cancel,
}

/// One signed row: a row of the data against one other class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Against {
    /// The row, counted from 0.
    pub row: usize,
    /// The class it is told apart from, by its position in the problem.
    pub class: usize,
}

impl<'a> Signed<'a> {
    /// Of a problem. Of two classes, the positive one has the plane: the one asked for, else the second.
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

    /// The same for a search that ends early when the token says so; then it is undecided.
    pub(crate) fn until(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// The token of the search.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// N: how many numbers a signed row has, and planes together.
    pub fn width(&self) -> usize {
        (self.k - 1) * self.stride()
    }

    /// d + 1.
    pub fn stride(&self) -> usize {
        self.x.d() + 1
    }

    /// Number of planes, k − 1.
    pub fn planes(&self) -> usize {
        self.k - 1
    }

    /// The class that each plane belongs to, and before them the one without.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Rows of the data.
    pub fn n(&self) -> usize {
        self.class.len()
    }

    /// The features.
    pub fn x(&self) -> &'a Design {
        self.x
    }

    /// How many numbers signed rows have, those of rows without weight counted in.
    pub fn count(&self) -> usize {
        self.n() * self.planes()
    }

    /// Whether row i weighs anything.
    pub fn is_live(&self, i: usize) -> bool {
        self.live[i]
    }

    /// Block of row i's class; 0 has no plane.
    pub fn block(&self, i: usize) -> usize {
        self.class[i] as usize
    }

    /// The block of the t-th class that is not row i's.
    fn other(&self, i: usize, t: usize) -> usize {
        if t < self.block(i) { t } else { t + 1 }
    }

    /// What signed row number `at` is.
    pub fn against(&self, at: usize) -> Against {
        let (row, t) = (at / self.planes(), at % self.planes());
        Against { row, class: self.order[self.other(row, t)] }
    }

    /// The number of a signed row; `None` where there is no such row, it weighs nothing, or the class is its own.
    pub fn number(&self, against: Against) -> Option<usize> {
        let block = self.order.iter().position(|&c| c == against.class)?;
        let own = *self.class.get(against.row)? as usize;
        if block == own || !self.live[against.row] {
            return None;
        }
        Some(against.row * self.planes() + if block < own { block } else { block - 1 })
    }

    /// Blocks in which signed row `at` stands, and with which sign.
    fn places(&self, at: usize) -> impl Iterator<Item = (usize, f64)> {
        let (i, t) = (at / self.planes(), at % self.planes());
        let own = (self.block(i), 1.0);
        let other = (self.other(i, t), -1.0);
        [own, other].into_iter().filter(|(block, _)| *block > 0).map(|(block, y)| (block - 1, y))
    }

    /// Signed row `at` in full, each plane's part made by `part` from row, sign and room.
    pub fn write(&self, at: usize, out: &mut [f64], part: impl Fn(usize, f64, &mut [f64])) {
        out.fill(0.0);
        for (block, y) in self.places(at) {
            part(at / self.planes(), y, &mut out[block * self.stride()..][..self.stride()]);
        }
    }

    /// Signed row `at` in full, as the numbers are.
    pub fn row(&self, at: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.width()];
        let d = self.x.d();
        self.write(at, &mut out, |i, y, out| {
            on_rows!(self.x, x => x.axpy(y, i, &mut out[..d]));
            out[d] = y;
        });
        out
    }

    /// The exact sign of every signed row's product with h, those without weight left out: hands (number, sign) to
    /// `work`, in order, and goes on while it says so.
    pub fn signs(&self, h: &Form, mut work: impl FnMut(usize, Ordering) -> bool) {
        const BLOCK: usize = 1 << 14;
        let wave = BLOCK * 2 * rayon::current_num_threads().max(1);
        for start in (0..self.n()).step_by(wave) {
            let end = self.n().min(start + wave);
            let signs = map_blocks(
                end - start,
                BLOCK,
                |rows| on_rows!(self.x, x => self.signs_of(x, start + rows.start..start + rows.end, h)),
            );
            if !signs.into_iter().flatten().all(|(at, sign)| work(at, sign)) {
                return;
            }
        }
    }

    fn signs_of<X: Rows>(
        &self,
        x: &X,
        rows: std::ops::Range<usize>,
        h: &Form,
    ) -> Vec<(usize, Ordering)> {
        let (d, stride, planes) = (self.x.d(), self.stride(), self.planes());
        let mut signs = Vec::with_capacity(rows.len() * planes);
        let mut stored: Vec<(usize, f64)> = Vec::new();
        for i in rows.filter(|&i| self.live[i]) {
            stored.clear();
            x.each(i, |j, v| stored.push((j, crate::math::kernels::Value::get(v))));
            stored.push((d, 1.0));
            for at in i * planes..(i + 1) * planes {
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
        let signed = Signed::new(&problem, None).unwrap();
        assert_eq!((signed.row(0), signed.row(2)), (vec![-2.0, -1.0], vec![5.0, 1.0]));
        let turned = Signed::new(&problem, Some(0)).unwrap();
        assert_eq!((turned.row(0), turned.row(2)), (vec![2.0, 1.0], vec![-5.0, -1.0]));
        assert_eq!(signed.number(Against { row: 0, class: 1 }), Some(0));
        assert_eq!(signed.number(Against { row: 0, class: 0 }), None, "its own class");
        assert_eq!(signed.number(Against { row: 1, class: 0 }), None, "no weight");
        let mut seen = Vec::new();
        signed.signs(&Form::of(&[1.0, -2.0]), |at, sign| {
            seen.push((at, sign));
            true
        });
        assert_eq!(seen, [(0, Ordering::Equal), (2, Ordering::Greater)]);
    }

    #[test]
    fn three_classes_by_keslers_construct() {
        let x = Design::dense(3, 1, vec![2.0, 3.0, 5.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let signed = Signed::new(&problem, None).unwrap();
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
