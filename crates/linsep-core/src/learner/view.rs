//! Two directions for a scatter plot: the one that best separates the classes, and a second one.
//!
//! The first is Fisher's first direction. With three classes or more the second is Fisher's second.
//! With two classes the second is the direction v of largest variance within classes after the
//! first coordinate f is projected out. It is the first eigenvector of
//!
//! ```text
//!   S_W − (S_W f)(S_W f)ᵀ/(fᵀ S_W f).
//! ```
//!
//! Both have mean 0 over all rows and variance 1 within classes.
//! Cost: one pass, and O(d³).

use super::{Fisher, Learner, too_wide};
use crate::data::{Hyperplane, Moments, Problem};
use crate::error::Error;
use crate::math::kernels::dot;
use crate::math::linalg::eigen;

/// Two directions; the coordinates of a row are its scores.
pub fn view(problem: &Problem<'_>) -> Result<[Hyperplane; 2], Error> {
    const MOST: usize = 2_000;
    let d = problem.x().d();
    if d > MOST {
        return Err(too_wide("a view along two directions", problem));
    }
    let mut directions = Fisher::default().learn(problem, None, None, &mut ())?.directions;
    directions.truncate(2);
    match <[Hyperplane; 2]>::try_from(directions) {
        Ok(two) => Ok(two),
        Err(fewer) => {
            let first = fewer.into_iter().next().unwrap_or_else(|| Hyperplane::zero(d));
            let second = second(&Moments::of(problem)?, &first);
            Ok([first, second])
        }
    }
}

/// Direction of largest variance within classes, with the first direction projected out.
fn second(moments: &Moments, first: &Hyperplane) -> Hyperplane {
    let d = moments.d();
    let mut within = moments.within().to_vec();
    for column in 0..d {
        for row in 0..column {
            within[column * d + row] = within[row * d + column];
        }
    }
    let times = |v: &[f64]| -> Vec<f64> { within.chunks_exact(d).map(|row| dot(row, v)).collect() };
    let along = times(&first.w);
    let square = dot(&first.w, &along);
    let mut rest = within.clone();
    if square > 0.0 {
        for (column, a) in rest.chunks_exact_mut(d).zip(&along) {
            column.iter_mut().zip(&along).for_each(|(v, b)| *v -= a * b / square);
        }
    }
    let Some((_, vectors)) = eigen(&rest, d) else { return Hyperplane::zero(d) };
    let mut w = vectors[(d - 1) * d..].to_vec();
    let variance = dot(&w, &times(&w)) / moments.total_weight();
    // The sign of an eigenvector is arbitrary: the largest coefficient is positive.
    let largest = w.iter().fold(0.0_f64, |most, v| if v.abs() > most.abs() { *v } else { most });
    let scale = if variance > 0.0 { largest.signum() / variance.sqrt() } else { 0.0 };
    w.iter_mut().for_each(|v| *v *= scale);
    let (center, offset) = moments.grand_mean();
    let b = -(dot(&w, &center) + dot(&w, &offset));
    Hyperplane { w, b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};

    #[test]
    fn both_directions_have_mean_0_and_variance_1_within_classes() {
        let mut values = Vec::new();
        let mut names = Vec::new();
        for i in 0..90 {
            let c = i % 3;
            let t = f64::from(i);
            values.extend([
                f64::from(c) * 4.0 + (t * 0.7).sin(),
                9.0 * (t * 1.3).cos(),
                1e3 + (t * 2.9).sin(),
            ]);
            names.push(["a", "b", "c"][c as usize]);
        }
        for k in [2, 3] {
            let rows: Vec<usize> = (0..90).filter(|i| i % 3 < k).collect();
            let x = Design::dense(90, 3, values.clone()).unwrap().select_rows(&rows);
            let labels = Labels::parse(rows.iter().map(|&i| names[i]));
            let problem = Problem::new(&x, &labels, None).unwrap();
            let two = view(&problem).unwrap();
            for hyperplane in &two {
                let z = hyperplane.scores(&x);
                let n = z.len() as f64;
                assert!((z.iter().sum::<f64>() / n).abs() < 1e-9);
                let mut within = 0.0;
                for c in 0..k as u32 {
                    let own: Vec<f64> = z
                        .iter()
                        .zip(labels.codes())
                        .filter(|(_, l)| **l == c)
                        .map(|(z, _)| *z)
                        .collect();
                    let mean = own.iter().sum::<f64>() / own.len() as f64;
                    within += own.iter().map(|z| (z - mean).powi(2)).sum::<f64>();
                }
                assert!((within / n - 1.0).abs() < 1e-9, "{k}: {}", within / n);
            }
            // The first separates the classes; with two classes the second is the column of large
            // variance.
            assert!(two[0].w[0].abs() > 3.0 * two[0].w[1].abs());
            if k == 2 {
                assert!(two[1].w[1].abs() > 0.1 && two[1].w[1].abs() * 9.0 > two[1].w[0].abs());
            }
        }
    }
}
