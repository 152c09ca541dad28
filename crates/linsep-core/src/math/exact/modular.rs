//! Gaussian elimination modulo a 31-bit prime.
//!
//! The rank modulo p is at most the rank over the rationals, and rows that are independent modulo p
//! are independent. The converse fails only for primes that divide a certain determinant.

use super::Matrix;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// The four largest primes below 2³¹.
pub(super) const PRIMES: [u64; 4] = [2_147_483_647, 2_147_483_629, 2_147_483_587, 2_147_483_579];

/// v mod p.
pub(super) fn residue(v: &BigInt, p: u64) -> u64 {
    let rest = v.magnitude() % p;
    let rest = rest.to_u64().unwrap_or(0);
    if v.is_negative() && rest > 0 { p - rest } else { rest }
}

fn power(mut base: u64, mut exponent: u64, p: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % p;
        }
        base = base * base % p;
        exponent >>= 1;
    }
    result
}

/// The lexicographically first rows that are independent modulo p, and a column for each so that
/// the square submatrix is invertible. Both are empty once the token of the matrix is set.
pub(super) fn independent(m: &Matrix, p: u64) -> (Vec<usize>, Vec<usize>) {
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    let mut echelon: Vec<Vec<u64>> = Vec::new();
    for i in 0..m.rows() {
        if rows.len() == m.columns() {
            break;
        }
        if m.is_ended() {
            return (Vec::new(), Vec::new());
        }
        let mut row: Vec<u64> = (0..m.columns()).map(|j| residue(m.at(i, j), p)).collect();
        for (done, &column) in echelon.iter().zip(&columns) {
            let factor = row[column];
            if factor != 0 {
                subtract(&mut row, done, factor, p);
            }
        }
        if let Some(column) = row.iter().position(|&v| v != 0) {
            let inverse = power(row[column], p - 2, p);
            row.iter_mut().for_each(|v| *v = *v * inverse % p);
            echelon.push(row);
            columns.push(column);
            rows.push(i);
        }
    }
    (rows, columns)
}

/// row ← row − factor·other modulo p.
fn subtract(row: &mut [u64], other: &[u64], factor: u64, p: u64) {
    let factor = p - factor;
    for (v, o) in row.iter_mut().zip(other) {
        *v = (*v + factor * o) % p;
    }
}

/// The inverse of an r × r matrix modulo p, row-major; `None` if it is singular, or `is_ended`
/// returns true.
pub(super) fn inverse(
    square: &[u64],
    r: usize,
    p: u64,
    is_ended: impl Fn() -> bool,
) -> Option<Vec<u64>> {
    // [A | 1] → [1 | A⁻¹].
    let mut rows: Vec<Vec<u64>> = (0..r)
        .map(|i| {
            let mut row = square[i * r..][..r].to_vec();
            row.extend((0..r).map(|j| u64::from(i == j)));
            row
        })
        .collect();
    for k in 0..r {
        if is_ended() {
            return None;
        }
        let pivot = (k..r).find(|&i| rows[i][k] != 0)?;
        rows.swap(k, pivot);
        let scale = power(rows[k][k], p - 2, p);
        rows[k].iter_mut().for_each(|v| *v = *v * scale % p);
        let pivot = std::mem::take(&mut rows[k]);
        for row in &mut rows {
            if !row.is_empty() && row[k] != 0 {
                // The pivot row is zero left of column k.
                let factor = row[k];
                subtract(&mut row[k..], &pivot[k..], factor, p);
            }
        }
        rows[k] = pivot;
    }
    Some(rows.into_iter().flat_map(|row| row[r..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_and_inverse_match_hand_computation() {
        let m = Matrix::new(&[
            vec![1.0, 2.0, 3.0],
            vec![2.0, 4.0, 6.0],
            vec![0.0, 1.0, 1.0],
            vec![1.0, 3.0, 4.0],
        ]);
        assert_eq!(independent(&m, PRIMES[0]), (vec![0, 2], vec![0, 1]));

        for p in PRIMES {
            let square = [3, p - 1, 4, 1, 5, p - 9, 2, 6, 5];
            let inverse = inverse(&square, 3, p, || false).unwrap();
            for i in 0..3 {
                for j in 0..3 {
                    let sum =
                        (0..3).map(|k| square[i * 3 + k] * inverse[k * 3 + j] % p).sum::<u64>();
                    assert_eq!(sum % p, u64::from(i == j));
                }
            }
        }
        assert_eq!(inverse(&[1, 2, 2, 4], 2, PRIMES[0], || false), None);
    }

    #[test]
    fn inverse_pivots_by_row_exchanges() {
        let p = PRIMES[1];
        let square = [0, 1, 0, 0, 0, 1, 1, 0, 0];
        assert_eq!(inverse(&square, 3, p, || false), Some(vec![0, 0, 1, 1, 0, 0, 0, 1, 0]));
    }

    #[test]
    fn the_primes_are_prime() {
        for p in PRIMES {
            assert!((2..46_341).all(|q| p % q != 0), "{p}");
        }
    }
}
