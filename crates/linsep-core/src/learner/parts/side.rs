//! Choice of the system to solve: d × d, or n × n with more columns than rows.
//!
//! All hyperplanes of the closed forms lie in the span of the centered rows, and their objectives
//! depend on lengths and angles alone. With more columns than rows, the rows are first rotated into
//! that span:
//!
//! ```text
//!   zᵢ = (xᵢ − m)/u,    K = ZZᵀ = QΛQᵀ,    coordinates A = QΛ^½  (n × rank)
//! ```
//!
//! A hyperplane fitted to A with coefficients v corresponds to w = U⁻¹ Zᵀ QΛ^-½ v in the data: a
//! combination of rows. The units u are 1, or the standard deviations of the columns if lengths are
//! measured in those.
//!
//! Cost: n²/2 products of rows and about 9 n³; no d × d matrix is formed.

use super::ClosedFormResult;
use crate::data::{Combination, Design, Hyperplane, Moments, Problem};
use crate::error::Error;
use crate::math::linalg::eigen;

/// Largest number of columns for the d × d system: the matrix takes 200 MB.
const MOST_COLUMNS: usize = 5_000;
/// Largest number of rows for the n × n system.
const MOST_ROWS: usize = 3_000;
/// Number of columns up to which the d × d system is always cheap.
const FEW: usize = 256;

/// Units of lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frame {
    /// The given data: standard deviations of columns come from their moments.
    Columns,
    /// Rotated rows, in units of the original columns, with the number of nonconstant ones.
    Rotated(usize),
}

impl Frame {
    /// Whether the columns are rotated, no longer those of the data.
    pub(crate) fn is_rotated(&self) -> bool {
        matches!(self, Self::Rotated(_))
    }

    /// Units u; 0 for a constant column.
    pub(crate) fn units(self, moments: &Moments) -> Vec<f64> {
        match self {
            Self::Rotated(_) => vec![1.0; moments.d()],
            Self::Columns => {
                let n = moments.total_weight();
                moments.total_squares().into_iter().map(|square| (square / n).sqrt()).collect()
            }
        }
    }

    /// Number of nonconstant columns.
    pub(crate) fn columns(self, units: &[f64]) -> f64 {
        match self {
            Self::Rotated(columns) => columns as f64,
            Self::Columns => units.iter().filter(|u| **u > 0.0).count() as f64,
        }
    }
}

/// Solves the smaller system; `None` if both are too large. With `scaled`, lengths are measured in
/// standard deviations of the columns.
pub(crate) fn on_side(
    problem: &Problem<'_>,
    scaled: bool,
    compute: impl FnOnce(&Problem<'_>, Frame) -> Result<ClosedFormResult, Error>,
) -> Option<Result<ClosedFormResult, Error>> {
    let (n, d) = (problem.x().n(), problem.x().d());
    if d > n && d > FEW && n <= MOST_ROWS {
        return Some(
            RotatedRows::new(problem, scaled).and_then(|turned| turned.compute(problem, compute)),
        );
    }
    (d <= MOST_COLUMNS).then(|| compute(problem, Frame::Columns))
}

/// Rows rotated into their span.
struct RotatedRows {
    /// n × rank, in row-major order.
    coordinates: Design,
    /// QΛ^-½, direction by direction: n numbers each.
    back: Vec<f64>,
    mean: Vec<f64>,
    units: Vec<f64>,
    columns: usize,
}

impl RotatedRows {
    fn new(problem: &Problem<'_>, scaled: bool) -> Result<Self, Error> {
        let (x, s) = (problem.x(), problem.weights());
        let (n, d) = (x.n(), x.d());
        let (mean, deviation) = x.spread(s);
        if let Some(column) = deviation.iter().position(|v| !v.is_finite()) {
            return Err(Error::Range { column, got: mean[column] });
        }
        let columns = deviation.iter().filter(|u| **u > 0.0).count();
        // A constant column takes no part.
        let units: Vec<f64> = deviation
            .iter()
            .map(|u| {
                if *u == 0.0 {
                    f64::INFINITY
                } else if scaled {
                    *u
                } else {
                    1.0
                }
            })
            .collect();
        let gram = x.row_products(&mean, &units);
        let column = || deviation.iter().position(|u| *u > 0.0).unwrap_or(0);
        let (values, vectors) = eigen(&gram, n)
            .ok_or_else(|| Error::Range { column: column(), got: mean[column()] })?;
        let most = values.last().copied().unwrap_or(0.0);
        let none = 16.0 * n as f64 * f64::EPSILON * most;
        let gone = values.iter().take_while(|v| **v <= none).count();
        let (values, vectors) = (&values[gone..], &vectors[gone * n..]);
        let rank = values.len();
        let mut coordinates = vec![0.0; n * rank.max(1)];
        let mut back = Vec::with_capacity(n * rank);
        for (j, (value, vector)) in values.iter().zip(vectors.chunks_exact(n)).enumerate() {
            let root = value.sqrt();
            vector.iter().enumerate().for_each(|(i, q)| coordinates[i * rank + j] = q * root);
            back.extend(vector.iter().map(|q| q / root));
        }
        debug_assert_eq!(d, mean.len());
        let coordinates = Design::dense(n, rank.max(1), coordinates)?;
        Ok(Self { coordinates, back, mean, units, columns })
    }

    fn compute(
        &self,
        problem: &Problem<'_>,
        compute: impl FnOnce(&Problem<'_>, Frame) -> Result<ClosedFormResult, Error>,
    ) -> Result<ClosedFormResult, Error> {
        let weights = Some(problem.weights().to_vec());
        let inner = Problem::new(&self.coordinates, problem.labels(), weights)?;
        let answer = compute(&inner, Frame::Rotated(self.columns))?;
        let mut combination = Combination::new(problem.x());
        Ok(answer.map(|hyperplane| self.turn_back(problem.x(), hyperplane, &mut combination)))
    }

    /// Converts a hyperplane of the coordinates to one of the data.
    fn turn_back(
        &self,
        x: &Design,
        hyperplane: &Hyperplane,
        combination: &mut Combination,
    ) -> Hyperplane {
        let mut a = vec![0.0; x.n()];
        for (direction, v) in self.back.chunks_exact(x.n()).zip(&hyperplane.w) {
            crate::math::kernels::axpy(*v, direction, &mut a);
        }
        let mut w = vec![0.0; x.d()];
        combination.of(x, &a, &mut w);
        let total: f64 = a.iter().sum();
        for ((w, mean), u) in w.iter_mut().zip(&self.mean).zip(&self.units) {
            *w = (*w - total * mean) / u / u;
        }
        let nothing = vec![0.0; w.len()];
        Hyperplane { b: super::intercept_at(&w, &(self.mean.clone(), nothing), hyperplane.b), w }
    }
}
