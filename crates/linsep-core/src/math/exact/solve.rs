//! Exact solution of linear systems with integer coefficients: Dixon's p-adic lifting.
//!
//! For an invertible M and a prime p that does not divide its determinant, let C = M⁻¹ mod p. From
//! c = b, repeat
//!
//! ```text
//!   x⁽ᵏ⁾ = C c mod p,      c ← (c − M x⁽ᵏ⁾)/p      (an integer each time)
//! ```
//!
//! After K steps y = Σ x⁽ᵏ⁾ pᵏ solves M y = b modulo pᴷ. Each coordinate of the exact solution is a
//! fraction whose numerator and denominator are determinants (Cramer's rule). Once pᴷ is more than
//! twice their product, only one such fraction has the given residue, and Euclid's algorithm finds
//! it. Solutions are often much shorter than the bound, so reconstruction is tried early, and **a
//! solution is verified by multiplication before it is returned**.
//!
//! Cost: r³ once, then r² per step. The number of steps is about the length of the solution in
//! 31-bit digits.
//!
//! Source: Dixon, *Exact solution of linear equations using p-adic expansions*, Numer. Math. 40
//! (1982).

use super::modular::{PRIMES, independent, inverse, residue};
use super::{Matrix, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Independent rows of a matrix, and a column for each. Earlier rows take precedence over later
/// ones.
pub struct Basis {
    rows: Vec<usize>,
    columns: Vec<usize>,
    inverse: Vec<u64>,
    p: u64,
}

/// The solution, over one common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Numerators.
    pub num: Vec<BigInt>,
    /// The common denominator, positive.
    pub den: BigInt,
}

impl Solved {
    /// The solution as fractions.
    pub fn numbers(&self) -> Vec<Rational> {
        self.num.iter().map(|num| Rational::new(num.clone(), self.den.clone())).collect()
    }
}

impl Basis {
    /// Computes the basis of a matrix. Its rows are certainly independent. It misses an independent
    /// row only if the 31-bit prime divides a certain determinant. It is empty once the token of
    /// the matrix is set.
    pub fn of(m: &Matrix) -> Self {
        let p = PRIMES[0];
        let (rows, columns) = independent(m, p);
        let r = rows.len();
        let square: Vec<u64> = rows
            .iter()
            .flat_map(|&i| columns.iter().map(move |&j| residue(m.at(i, j), p)))
            .collect();
        match inverse(&square, r, p, || m.is_ended()) {
            Some(inverse) => Self { rows, columns, inverse, p },
            // Only the token can end the inversion: independent rows and their columns form an
            // invertible matrix.
            None => Self { rows: Vec::new(), columns: Vec::new(), inverse: Vec::new(), p },
        }
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The independent rows.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// A column for each independent row.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// The columns that are not in the basis.
    pub fn free(&self, m: &Matrix) -> Vec<usize> {
        let mut used = vec![false; m.columns()];
        self.columns.iter().for_each(|&j| used[j] = true);
        (0..m.columns()).filter(|&j| !used[j]).collect()
    }

    /// Solves Σⱼ Mᵢⱼ xⱼ = bᵢ over the rows and columns of the basis.
    pub fn solve(&self, m: &Matrix, b: &[BigInt]) -> Option<Solved> {
        let r = self.rank();
        let at = |i: usize, j: usize| (self.rows[i], self.columns[j]);
        lift(m, at, |i, j| self.inverse[i * r + j], b, self.p)
    }

    /// Solves Σᵢ xᵢ Mᵢⱼ = bⱼ: the combination of the basis rows equal to b in the basis columns.
    pub fn combine(&self, m: &Matrix, b: &[BigInt]) -> Option<Solved> {
        let r = self.rank();
        let at = |i: usize, j: usize| (self.rows[j], self.columns[i]);
        lift(m, at, |i, j| self.inverse[j * r + i], b, self.p)
    }

    /// A basis of { v : M v = 0 } over all rows of the matrix, in unscaled columns: one vector for
    /// each free column, which is positive in it and 0 in the other free ones. `None` if a system
    /// was not solved or a vector fails verification.
    pub fn null(&self, m: &Matrix) -> Option<Vec<Vec<Rational>>> {
        self.free(m)
            .into_iter()
            .map(|free| {
                let b: Vec<BigInt> = self.rows.iter().map(|&i| -m.at(i, free)).collect();
                let solved = self.solve(m, &b)?;
                let mut v = vec![BigInt::zero(); m.columns()];
                self.columns.iter().zip(solved.num).for_each(|(&j, num)| v[j] = num);
                v[free] = solved.den;
                let holds = |i: usize| {
                    let terms = (0..m.columns()).filter(|&j| !v[j].is_zero());
                    terms.map(|j| m.at(i, j) * &v[j]).sum::<BigInt>().is_zero()
                };
                let all = (0..m.rows()).all(|i| !m.is_ended() && holds(i));
                all.then(|| m.unscaled(v.into_iter().map(Rational::whole).collect()))
            })
            .collect()
    }
}

/// Solves the r × r system whose element (i, j) is that of the matrix at `at(i, j)`.
fn lift(
    m: &Matrix,
    at: impl Fn(usize, usize) -> (usize, usize),
    inverse: impl Fn(usize, usize) -> u64,
    b: &[BigInt],
    p: u64,
) -> Option<Solved> {
    let r = b.len();
    let inverse: Vec<u64> = (0..r * r).map(|k| inverse(k / r, k % r)).collect();
    let places = || (0..r * r).map(|k| at(k / r, k % r));
    let big: Vec<&BigInt> = places().map(|(i, j)| m.at(i, j)).collect();
    // Short values are multiplied in 128 bits: terms of 53 + 31 bits, and at most 2³¹ of them.
    let fits = |b: &BigInt| b.to_i128().filter(|b| b.unsigned_abs() < 1 << 100);
    let small = m
        .small()
        .map(|values| places().map(|(i, j)| values[i * m.columns() + j]).collect::<Vec<_>>());
    let mut state = match (small, b.iter().map(fits).collect::<Option<Vec<i128>>>()) {
        (Some(values), Some(c)) => State::Small { values, c },
        _ => State::Big { c: b.to_vec() },
    };

    let most = steps(&big, b, r);
    let mut digits: Vec<Vec<u64>> = Vec::new();
    let mut next = 4;
    loop {
        if m.is_ended() {
            return None;
        }
        digits.push(state.step(&big, &inverse, r, p));
        if digits.len() == next || digits.len() == most {
            let solved = reconstruct(m, &digits, r, p).filter(|solved| holds(&big, solved, b));
            if solved.is_some() || digits.len() == most {
                return solved;
            }
            next = (next * 3).div_ceil(2);
        }
    }
}

/// The remaining right-hand side c.
enum State {
    Small { values: Vec<i64>, c: Vec<i128> },
    Big { c: Vec<BigInt> },
}

impl State {
    /// Computes the next p-adic digit of every coordinate.
    fn step(&mut self, big: &[&BigInt], inverse: &[u64], r: usize, p: u64) -> Vec<u64> {
        let rest: Vec<u64> = match self {
            Self::Small { c, .. } => c.iter().map(|c| c.rem_euclid(i128::from(p)) as u64).collect(),
            Self::Big { c } => c.iter().map(|c| residue(c, p)).collect(),
        };
        let digit = |row: &[u64]| {
            let sum: u128 = row.iter().zip(&rest).map(|(a, b)| u128::from(a * b)).sum();
            (sum % u128::from(p)) as u64
        };
        let x: Vec<u64> = (0..r).map(|i| digit(&inverse[i * r..][..r])).collect();
        match self {
            Self::Small { values, c } => {
                for (i, c) in c.iter_mut().enumerate() {
                    let row = values[i * r..][..r].iter().zip(&x);
                    let sum: i128 = row.map(|(&v, &x)| i128::from(v) * i128::from(x)).sum();
                    *c = (*c - sum) / i128::from(p);
                }
            }
            Self::Big { c } => {
                for (i, c) in c.iter_mut().enumerate() {
                    let row = big[i * r..][..r].iter().zip(&x).filter(|(v, _)| !v.is_zero());
                    let sum: BigInt = row.map(|(&v, &x)| v * x).sum();
                    *c = (&*c - sum) / p;
                }
            }
        }
        x
    }
}

/// Number of steps after which the solution is unique. Numerators and denominators are determinants
/// of M with at most one column replaced by b; the modulus must exceed twice the square of the
/// longest (from Hadamard's bound, rounded up).
fn steps(big: &[&BigInt], b: &[BigInt], r: usize) -> usize {
    let length = u64::from(usize::BITS - r.leading_zeros());
    let row = |i: usize| big[i * r..][..r].iter().map(|v| v.bits()).max().unwrap_or(0) + length;
    let bits = (0..r).map(row).sum::<u64>() + b.iter().map(BigInt::bits).max().unwrap_or(0);
    (2 * (bits + length) + 2) as usize / 30 + 2
}

/// Fractions over one common denominator with the given residues.
fn reconstruct(m: &Matrix, digits: &[Vec<u64>], r: usize, p: u64) -> Option<Solved> {
    let modulus = (0..digits.len()).fold(BigInt::one(), |power, _| power * p);
    let bound = (&modulus >> 1_u32).sqrt();
    let value = |i: usize| digits.iter().rev().fold(BigInt::zero(), |sum, x| sum * p + x[i]);
    let near_zero = |v: BigInt| {
        let v = v.mod_floor(&modulus);
        if &v + &v > modulus { v - &modulus } else { v }
    };
    let mut den = BigInt::one();
    let mut num: Vec<BigInt> = Vec::with_capacity(r);
    for i in 0..r {
        if m.is_ended() {
            return None;
        }
        let scaled = near_zero(value(i) * &den);
        if scaled.magnitude() <= bound.magnitude() {
            num.push(scaled);
            continue;
        }
        let (n, d) = fraction(&scaled, &modulus, &bound)?;
        num.iter_mut().for_each(|v| *v *= &d);
        den *= d;
        num.push(n);
        if den > bound {
            return None;
        }
    }
    Some(Solved { num, den })
}

/// n/d ≡ v with |n| and d > 0 both within the bound, by Euclid's algorithm stopped half way.
fn fraction(v: &BigInt, modulus: &BigInt, bound: &BigInt) -> Option<(BigInt, BigInt)> {
    let (mut r0, mut r1) = (modulus.clone(), v.mod_floor(modulus));
    let (mut t0, mut t1) = (BigInt::zero(), BigInt::one());
    while r1 > *bound {
        let (quotient, rest) = r0.div_rem(&r1);
        let t = &t0 - quotient * &t1;
        (r0, r1) = (r1, rest);
        (t0, t1) = (t1, t);
    }
    if t1.is_zero() || t1.magnitude() > bound.magnitude() {
        return None;
    }
    Some(if t1.is_negative() { (-r1, -t1) } else { (r1, t1) })
}

/// Whether M num = den b.
fn holds(big: &[&BigInt], solved: &Solved, b: &[BigInt]) -> bool {
    let r = b.len();
    let row = |i: usize| {
        let terms = big[i * r..][..r].iter().zip(&solved.num).filter(|(v, _)| !v.is_zero());
        terms.map(|(&v, num)| v * num).sum::<BigInt>()
    };
    (0..r).all(|i| row(i) == &solved.den * &b[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    fn random(rng: &mut Rng, n: usize, d: usize, round: u64) -> Matrix {
        let mut draw = || match round % 3 {
            0 => rng.below(7) as f64 - 3.0,
            1 => rng.unit() - 0.5,
            _ => (rng.unit() - 0.5) * 10_f64.powi(rng.below(120) as i32 - 60),
        };
        Matrix::new(&(0..n).map(|_| (0..d).map(|_| draw()).collect()).collect::<Vec<_>>())
    }

    #[test]
    fn solutions_satisfy_their_systems() {
        let mut rng = Rng::new(9, 9);
        for round in 0..60 {
            let r = 1 + rng.below(12) as usize;
            let m = random(&mut rng, r, r, round);
            let basis = Basis::of(&m);
            let b: Vec<BigInt> =
                (0..basis.rank()).map(|_| BigInt::from(rng.below(100)) - 50).collect();
            let solved = basis.solve(&m, &b).expect("a basis is invertible");
            for (&i, b) in basis.rows().iter().zip(&b) {
                let sum: BigInt =
                    basis.columns().iter().zip(&solved.num).map(|(&j, x)| m.at(i, j) * x).sum();
                assert_eq!(sum, b * &solved.den);
            }
            let combined = basis.combine(&m, &b).expect("and so is its transpose");
            for (&j, b) in basis.columns().iter().zip(&b) {
                let sum: BigInt =
                    basis.rows().iter().zip(&combined.num).map(|(&i, x)| m.at(i, j) * x).sum();
                assert_eq!(sum, b * &combined.den);
            }
        }
    }

    #[test]
    fn null_vectors_match_hand_computation() {
        let m = Matrix::new(&[
            vec![1.0, 1.0, 0.0, -1.0],
            vec![0.0, 0.5, 0.5, 0.5],
            vec![1.0, 2.0, 1.0, 0.0],
        ]);
        let basis = Basis::of(&m);
        assert_eq!((basis.rank(), basis.rows(), basis.free(&m)), (2, &[0, 1][..], vec![2, 3]));
        let null = basis.null(&m).unwrap();
        let numbers = |v: &[Rational]| v.iter().map(Rational::to_f64).collect::<Vec<_>>();
        // All columns but the first were doubled; here are multiples of (1, −1, 1, 0) and
        // (2, −1, 0, 1), in terms of the given columns.
        assert_eq!(numbers(&null[0]), [2.0, -2.0, 2.0, 0.0]);
        assert_eq!(numbers(&null[1]), [4.0, -2.0, 0.0, 2.0]);
    }

    #[test]
    fn solves_the_hilbert_matrix_exactly() {
        // The Hilbert matrix of order 4 times 420: its inverse has integer entries.
        let rows: Vec<Vec<f64>> =
            (1..5).map(|i| (0..4).map(|j| 420.0 / f64::from(i + j)).collect()).collect();
        let m = Matrix::new(&rows);
        let basis = Basis::of(&m);
        let e = [1, 0, 0, 0].map(BigInt::from);
        let solved = basis.solve(&m, &e).unwrap();
        let raw: Vec<f64> =
            m.unscaled(solved.numbers()).iter().map(|x| x.to_f64() * 420.0).collect();
        assert_eq!(raw, [16.0, -120.0, 240.0, -140.0]);
    }
}
