//! Classification problem: a design matrix, labels and sample weights of matching lengths.

use super::{Design, Label, Labels};
use crate::error::Error;
use crate::math::sum::Sum;
use std::ops::RangeInclusive;

/// The range of nonzero sample weights: sums of weights, their reciprocals, and their products with
/// data values stay within the range of f64.
pub const WEIGHTS: RangeInclusive<f64> = 1e-100..=1e100;

/// Whether s is a valid sample weight: 0 or in [`WEIGHTS`].
pub fn is_weight(s: f64) -> bool {
    s == 0.0 || WEIGHTS.contains(&s)
}

/// Rejects invalid sample weights.
fn check_weights(weights: &[f64]) -> Result<(), Error> {
    match weights.iter().position(|s| !is_weight(*s)) {
        Some(row) => Err(Error::Weight { row, got: weights[row] }),
        None => Ok(()),
    }
}

/// Rows with known classes, validated: at least two classes, one label and one sample weight per
/// row, weights 0 or within [`WEIGHTS`], no class of total weight 0.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    x: &'a Design,
    labels: &'a Labels,
    weights: Vec<f64>,
}

impl<'a> Problem<'a> {
    /// Combines and validates the parts. The default sample weight is 1.
    pub fn new(
        x: &'a Design,
        labels: &'a Labels,
        weights: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        let n = x.n();
        if labels.n() != n {
            return Err(Error::Shape { what: "labels", got: labels.n(), want: n });
        }
        let weights = weights.unwrap_or_else(|| vec![1.0; n]);
        if weights.len() != n {
            return Err(Error::Shape { what: "sample weights", got: weights.len(), want: n });
        }
        check_weights(&weights)?;
        if let [class] = labels.classes() {
            return Err(Error::OneClass { class: class.clone() });
        }
        let problem = Self { x, labels, weights };
        if let Some(c) = problem.class_weights().iter().position(|&s| s == 0.0) {
            return Err(Error::WeightlessClass { class: labels.classes()[c].clone() });
        }
        Ok(problem)
    }

    /// The same problem with another design matrix of as many rows.
    pub(crate) fn with_rows<'b>(&self, x: &'b Design) -> Problem<'b>
    where
        'a: 'b,
    {
        debug_assert_eq!(x.n(), self.x.n());
        Problem { x, labels: self.labels, weights: self.weights.clone() }
    }

    /// The design matrix.
    pub fn x(&self) -> &'a Design {
        self.x
    }

    /// The labels.
    pub fn labels(&self) -> &'a Labels {
        self.labels
    }

    /// The sample weights sᵢ.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Total sample weight of each class.
    pub fn class_weights(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.labels.k()];
        for (&code, s) in self.labels.codes().iter().zip(&self.weights) {
            totals[code as usize] += s;
        }
        totals
    }

    /// Multiplies the sample weight of every row by the factor of its class, one per class.
    pub(crate) fn scale_class_weights(&mut self, factors: &[f64]) -> Result<(), Error> {
        let k = self.labels.k();
        if factors.len() != k {
            return Err(Error::Shape { what: "class weights", got: factors.len(), want: k });
        }
        if let Some(&got) = factors.iter().find(|f| !WEIGHTS.contains(*f)) {
            let want = "a number from 1e-100 to 1e100";
            return Err(Error::Setting { name: "class-weight", got, want });
        }
        for (s, &code) in self.weights.iter_mut().zip(self.labels.codes()) {
            *s *= factors[code as usize];
        }
        check_weights(&self.weights)
    }

    /// The factors that equalize the total weights of the classes and preserve their sum: S/(k
    /// `S_c`).
    pub(crate) fn balancing_factors(&self) -> Vec<f64> {
        let weights = self.class_weights();
        let share = weights.iter().sum::<f64>() / weights.len() as f64;
        weights.iter().map(|weight| share / weight).collect()
    }

    /// The binary problem of class c (+1) against all others (−1).
    pub fn against_rest(&self, c: usize) -> BinaryProblem<'_> {
        let side = |&code: &u32| if code as usize == c { 1.0 } else { -1.0 };
        let y = self.labels.codes().iter().map(side).collect();
        BinaryProblem { x: self.x, y, s: &self.weights }
    }

    /// The rows of each class, ascending.
    pub(crate) fn rows_by_class(&self) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); self.labels.k()];
        for (i, &code) in self.labels.codes().iter().enumerate() {
            rows[code as usize].push(i as u32);
        }
        rows
    }

    /// The binary problem on a subset of the rows, without a copy of the features: class c is +1,
    /// all others are −1.
    ///
    /// # Panics
    ///
    /// If `rows` is empty.
    pub fn among(&self, rows: &[u32], c: usize) -> BinarySubset {
        let codes = self.labels.codes();
        let side = |&i: &u32| if codes[i as usize] as usize == c { 1.0 } else { -1.0 };
        BinarySubset {
            x: self.x.view_rows(rows),
            y: rows.iter().map(side).collect(),
            s: rows.iter().map(|&i| self.weights[i as usize]).collect(),
        }
    }

    /// The positive one of two classes: `asked`, or the second. `None` with more than two classes,
    /// which is an error if `asked` is given.
    pub(crate) fn positive(&self, asked: Option<usize>) -> Result<Option<usize>, Error> {
        let k = self.labels.k();
        match asked {
            None => Ok((k == 2).then_some(1)),
            Some(_) if k > 2 => Err(Error::TwoClasses { name: "positive", got: k }),
            Some(c) if c > 1 => {
                let want = "0 or 1, the index of a class";
                Err(Error::Setting { name: "positive", got: c as f64, want })
            }
            Some(c) => Ok(Some(c)),
        }
    }

    /// The two classes in the order of a model: the positive one second.
    ///
    /// # Panics
    ///
    /// If there are more than two.
    pub(crate) fn pair(&self, positive: usize) -> Vec<Label> {
        let [first, second] = self.labels.classes() else {
            panic!("one hyperplane separates two classes, not {}", self.labels.k());
        };
        let pair = if positive == 1 { [first, second] } else { [second, first] };
        pair.map(Clone::clone).to_vec()
    }

    /// Position of a class.
    pub fn class(&self, label: &Label) -> Result<usize, Error> {
        self.labels.classes().binary_search(label).map_err(|_| Error::UnknownClass {
            got: label.clone(),
            known: self.labels.classes().to_vec(),
        })
    }
}

/// A binary problem that owns its data: a subset of rows, or derived ones.
#[derive(Clone, Debug)]
pub struct BinarySubset {
    x: Design,
    y: Vec<f64>,
    s: Vec<f64>,
}

impl BinarySubset {
    /// Rows, their classes (−1 or +1) and their sample weights, of equal lengths.
    pub(crate) fn new(x: Design, y: Vec<f64>, s: Vec<f64>) -> Self {
        debug_assert!(x.n() == y.len() && y.len() == s.len());
        Self { x, y, s }
    }

    /// A borrowed binary problem.
    pub fn binary(&self) -> BinaryProblem<'_> {
        BinaryProblem { x: &self.x, y: self.y.clone(), s: &self.s }
    }
}

/// A binary problem, with classes −1 and +1.
#[derive(Clone, Debug)]
pub struct BinaryProblem<'a> {
    x: &'a Design,
    y: Vec<f64>,
    s: &'a [f64],
}

impl<'a> BinaryProblem<'a> {
    /// The design matrix.
    pub fn x(&self) -> &'a Design {
        self.x
    }

    /// yᵢ: −1 or +1.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// sᵢ.
    pub fn s(&self) -> &'a [f64] {
        self.s
    }

    /// S = Σ sᵢ > 0.
    pub fn total_weight(&self) -> f64 {
        self.s.iter().copied().collect::<Sum>().value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_weights(weights: Option<Vec<f64>>) -> Result<Vec<f64>, String> {
        let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let labels = Labels::parse(["a", "b", "b"]);
        let class_weights = Problem::new(&x, &labels, weights).map(|p| p.class_weights());
        class_weights.map_err(|e| e.to_string())
    }

    #[test]
    fn sample_weights_are_validated() {
        assert_eq!(try_weights(None), Ok(vec![1.0, 2.0]));
        assert_eq!(try_weights(Some(vec![2.0, 0.0, 0.5])), Ok(vec![2.0, 0.5]));
        let message = |w| try_weights(Some(w)).unwrap_err();
        assert!(message(vec![1.0, -1.0, 1.0]).ends_with("found -1"));
        assert!(message(vec![1.0, 1.0, f64::NAN]).ends_with("found NaN"));
        for strange in [1e300, 1e-320, f64::INFINITY] {
            let error = message(vec![1.0, strange, 1.0]);
            assert!(
                error.starts_with("row 1: expected a sample weight of 0, or from 1e-100 to 1e100"),
                "{error}"
            );
        }
        assert!(
            message(vec![1.0, 0.0, 0.0]).starts_with("every row of class b has sample weight 0")
        );
        assert_eq!(message(vec![1.0]), "sample weights: expected 3, found 1");
    }

    #[test]
    fn a_single_class_is_rejected() {
        let x = Design::dense(2, 1, vec![0.0, 1.0]).unwrap();
        let error = Problem::new(&x, &Labels::parse(["a", "a"]), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "all rows have class a; classification needs at least two classes"
        );
    }

    #[test]
    fn class_factors_balance_total_weights() {
        let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let labels = Labels::parse(["a", "b", "b"]);
        let mut problem = Problem::new(&x, &labels, None).unwrap();
        problem.scale_class_weights(&problem.balancing_factors()).unwrap();
        assert_eq!(problem.weights(), [1.5, 0.75, 0.75]);
        assert!(
            problem.scale_class_weights(&[1.0]).is_err()
                && problem.scale_class_weights(&[1.0, 0.0]).is_err()
        );
        assert!(
            problem.scale_class_weights(&[1e200, 1.0]).is_err(),
            "1.5e200 is not a valid \
            weight"
        );
    }

    #[test]
    fn class_against_rest_and_row_subsets() {
        let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        assert_eq!(problem.against_rest(1).y(), [-1.0, 1.0, -1.0]);
        assert_eq!(problem.rows_by_class(), [[0], [1], [2]]);
        let part = problem.among(&[0, 2], 2);
        assert_eq!((part.binary().y(), part.binary().s()), (&[-1.0, 1.0][..], &[1.0, 1.0][..]));
        assert_eq!(part.binary().x().row(1), [2.0]);
        assert_eq!(problem.class(&Label::Text("c".into())), Ok(2));
        let error = problem.class(&Label::Text("z".into())).unwrap_err();
        assert_eq!(error.to_string(), "class: expected one of a, b, c, found z");
    }
}
