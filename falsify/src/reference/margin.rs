//! The largest margin of signed rows through the origin: γ* = max over unit u of minᵢ aᵢ·u.
//!
//! If the rows are separable, γ* is the distance of 0 from their convex hull:
//!
//! ```text
//!   minᵢ aᵢ·x/‖x‖ ≤ γ* ≤ ‖x‖,   x = Σ λᵢaᵢ, λ ≥ 0, Σλ = 1
//! ```
//!
//! with equality at the nearest point. Wolfe's method finds this point in double-double. Both sides
//! are computed from its x, so the bounds hold regardless of the method (up to the rounding of
//! double-double).
//!
//! Source: Wolfe, *Finding the nearest point in a polytope*, Math. Programming 11 (1976).

use crate::double_double::{DoubleDouble, dd, dot};
use crate::linear_system::solve;

/// Returns a lower and an upper bound on γ*; `None` if the method does not converge, or finds no
/// positive margin.
pub fn margin(rows: &[Vec<f64>]) -> Option<(f64, f64)> {
    let rows: Vec<Vec<DoubleDouble>> =
        rows.iter().map(|row| row.iter().map(|v| dd(*v)).collect()).collect();
    let square = |i: usize| dot(&rows[i], &rows[i]);
    let first = (0..rows.len())
        .min_by(|&a, &b| square(a).partial_cmp(&square(b)).expect("rows are finite"))?;
    let mut set = vec![first];
    let mut lambda = vec![DoubleDouble::ONE];
    for _ in 0..10 * rows.len() + 100 {
        let x = combine(&rows, &set, &lambda);
        let products: Vec<DoubleDouble> = rows.iter().map(|row| dot(row, &x)).collect();
        let (next, least) = products
            .iter()
            .enumerate()
            .fold((0, dd(f64::MAX)), |least, (i, p)| if *p < least.1 { (i, *p) } else { least });
        let length = dot(&x, &x).sqrt();
        if length == DoubleDouble::ZERO {
            return None;
        }
        let (low, high) = ((least / length).value(), length.value());
        if set.contains(&next) || least >= dot(&x, &x) * dd(1.0 - 1e-14) {
            let found = low > 0.0 && low >= high * (1.0 - 1e-9);
            return found.then_some((low * (1.0 - 1e-15), high * (1.0 + 1e-15)));
        }
        set.push(next);
        lambda.push(DoubleDouble::ZERO);
        minor_cycle(&rows, &mut set, &mut lambda)?;
    }
    None
}

/// Moves to the nearest point of the affine hull, and drops rows from the set until all λ are
/// positive.
fn minor_cycle(
    rows: &[Vec<DoubleDouble>],
    set: &mut Vec<usize>,
    lambda: &mut Vec<DoubleDouble>,
) -> Option<()> {
    loop {
        let gram: Vec<Vec<DoubleDouble>> = set
            .iter()
            .map(|&i| set.iter().map(|&j| dot(&rows[i], &rows[j]) + DoubleDouble::ONE).collect())
            .collect();
        let raw = solve(&gram, &vec![DoubleDouble::ONE; set.len()])?;
        let all: DoubleDouble = raw.iter().copied().sum();
        let mu: Vec<DoubleDouble> = raw.iter().map(|v| *v / all).collect();
        if mu.iter().all(|mu| mu.value() > 0.0) {
            *lambda = mu;
            return Some(());
        }
        let ratios = lambda.iter().zip(&mu).filter(|(_, mu)| mu.value() <= 0.0);
        let t = ratios
            .map(|(l, mu)| *l / (*l - *mu))
            .fold(DoubleDouble::ONE, |least, t| if t < least { t } else { least });
        lambda.iter_mut().zip(&mu).for_each(|(l, mu)| *l += t * (*mu - *l));
        let (least, _) = lambda
            .iter()
            .enumerate()
            .filter(|(i, _)| mu[*i].value() <= 0.0)
            .fold((0, dd(f64::MAX)), |least, (i, l)| if *l < least.1 { (i, *l) } else { least });
        set.remove(least);
        lambda.remove(least);
        if set.is_empty() {
            return None;
        }
    }
}

fn combine(
    rows: &[Vec<DoubleDouble>],
    set: &[usize],
    lambda: &[DoubleDouble],
) -> Vec<DoubleDouble> {
    let mut x = vec![DoubleDouble::ZERO; rows[0].len()];
    for (&i, l) in set.iter().zip(lambda) {
        x.iter_mut().zip(&rows[i]).for_each(|(x, a)| *x += *l * *a);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::separation::signed_rows;

    #[test]
    fn margin_of_the_logical_and() {
        let x: Vec<Vec<f64>> =
            [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(|x| x.to_vec()).to_vec();
        let rows = signed_rows(&x, &[-1.0, -1.0, -1.0, 1.0], true);
        let (low, high) = margin(&rows).unwrap();
        // u = (2, 2, −3)/√17.
        let exact = 1.0 / 17.0_f64.sqrt();
        assert!((low - exact).abs() < 1e-15 && (high - exact).abs() < 1e-15);
        let rows = signed_rows(&x, &[-1.0, 1.0, 1.0, -1.0], true);
        assert_eq!(margin(&rows), None);
    }
}
