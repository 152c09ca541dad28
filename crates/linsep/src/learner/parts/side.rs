//! On which side of the matrix to work: d × d, or n × n where there are more columns than rows.
//!
//! All planes of the closed forms lie in the span of the centred rows, and what they minimise is measured by
//! lengths and angles alone. So with more columns than rows the rows are turned into that span first:
//!
//! ```text
//!   zᵢ = (xᵢ − m)/u,    K = ZZᵀ = QΛQᵀ,    coordinates A = QΛ^½  (n × rank)
//! ```
//!
//! The plane that is learned from A, whose weights are v, is the plane w = U⁻¹ Zᵀ QΛ^-½ v of the data: one
//! combination of rows. The units u are 1, or the deviations of the columns where those are what lengths are measured in.
//!
//! Cost: n²/2 products of rows and about 9 n³; no d × d matrix is ever there.

use super::Answer;
use crate::data::{Combination, Design, Moments, Plane, Problem};
use crate::error::Error;
use crate::math::linalg::eigen;

/// Columns up to which d × d is worked on: the matrix has 200 MB.
const MOST_COLUMNS: usize = 5_000;
/// Rows up to which n × n is.
const MOST_ROWS: usize = 3_000;
/// Columns below which d × d costs nothing.
const FEW: usize = 256;

/// What lengths are measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frame {
    /// The data as they are: deviations of columns are taken from their moments.
    Columns,
    /// Rows that were turned, in units of their columns; so many columns there were.
    Turned(usize),
}

impl Frame {
    /// Whether columns are no longer those of the data.
    pub(crate) fn is_turned(&self) -> bool {
        matches!(self, Self::Turned(_))
    }

    /// u; 0 where a column is the same everywhere.
    pub(crate) fn units(self, moments: &Moments) -> Vec<f64> {
        match self {
            Self::Turned(_) => vec![1.0; moments.d()],
            Self::Columns => {
                let n = moments.total_weight();
                moments.total_squares().into_iter().map(|square| (square / n).sqrt()).collect()
            }
        }
    }

    /// How many columns are not the same everywhere.
    pub(crate) fn columns(self, units: &[f64]) -> f64 {
        match self {
            Self::Turned(columns) => columns as f64,
            Self::Columns => units.iter().filter(|u| **u > 0.0).count() as f64,
        }
    }
}

/// Computes on the smaller side, if one is small enough; `None` where neither is. With `scaled`, lengths are measured in
/// deviations of the columns.
pub(crate) fn on_side(
    problem: &Problem<'_>,
    scaled: bool,
    compute: impl FnOnce(&Problem<'_>, Frame) -> Result<Answer, Error>,
) -> Option<Result<Answer, Error>> {
    let (n, d) = (problem.x().n(), problem.x().d());
    if d > n && d > FEW && n <= MOST_ROWS {
        return Some(
            Turned::new(problem, scaled).and_then(|turned| turned.compute(problem, compute)),
        );
    }
    (d <= MOST_COLUMNS).then(|| compute(problem, Frame::Columns))
}

/// Rows turned into their own span.
struct Turned {
    /// n × rank, row after row.
    coordinates: Design,
    /// QΛ^-½, one direction after the other: n numbers each.
    back: Vec<f64>,
    mean: Vec<f64>,
    units: Vec<f64>,
    columns: usize,
}

impl Turned {
    fn new(problem: &Problem<'_>, scaled: bool) -> Result<Self, Error> {
        let (x, s) = (problem.x(), problem.weights());
        let (n, d) = (x.n(), x.d());
        let (mean, deviation) = x.spread(s);
        if let Some(column) = deviation.iter().position(|v| !v.is_finite()) {
            return Err(Error::Range { column, got: mean[column] });
        }
        let columns = deviation.iter().filter(|u| **u > 0.0).count();
        // A column that is the same everywhere takes no part.
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
        compute: impl FnOnce(&Problem<'_>, Frame) -> Result<Answer, Error>,
    ) -> Result<Answer, Error> {
        let weights = Some(problem.weights().to_vec());
        let inner = Problem::new(&self.coordinates, problem.labels(), weights)?;
        let answer = compute(&inner, Frame::Turned(self.columns))?;
        let mut combination = Combination::new(problem.x());
        Ok(answer.map(|plane| self.turn_back(problem.x(), plane, &mut combination)))
    }

    /// The plane of the data that a plane of the coordinates is.
    fn turn_back(&self, x: &Design, plane: &Plane, combination: &mut Combination) -> Plane {
        let mut a = vec![0.0; x.n()];
        for (direction, v) in self.back.chunks_exact(x.n()).zip(&plane.w) {
            crate::math::kernels::axpy(*v, direction, &mut a);
        }
        let mut w = vec![0.0; x.d()];
        combination.of(x, &a, &mut w);
        let total: f64 = a.iter().sum();
        for ((w, mean), u) in w.iter_mut().zip(&self.mean).zip(&self.units) {
            *w = (*w - total * mean) / u / u;
        }
        let nothing = vec![0.0; w.len()];
        Plane { b: super::bias_at(&w, &(self.mean.clone(), nothing), plane.b), w }
    }
}
