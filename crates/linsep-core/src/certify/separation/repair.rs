//! Converts the result of the search in doubles into an exact witness.
//!
//! **Dependences.** A step of the chain is a set of rows whose positive combination lies in the
//! span of the earlier steps. With B a basis of those steps and S the rows of the step, choose a
//! basis of B ∪ S, first from B and then from S by decreasing multiplier. The remaining rows of S
//! keep their multipliers; those of the basis follow from
//!
//! ```text
//!   Σ over the basis  xₚ aₚ  =  −Σ over the rest  λₚ aₚ,
//! ```
//!
//! solved exactly. Usually one row remains, and x is determined up to scale. The x of S must be
//! positive, those of B may have any sign. A large enough multiple of the previous dependence makes
//! the latter positive too. The sum is one dependence of all rows so far. The first step alone is
//! the short dependence.
//!
//! **Direction.** h must be exactly 0 on the basis B. Its entries in the free columns of B are
//! those of the direction found, at first rounded to a few bits to keep the certificate short. The
//! other entries follow from B h = 0. Without a chain, h is the direction itself.

use crate::certify::check::{self, check};
use crate::certify::{PositiveDependence, SeparationKind, SignedRows, Witness};
use crate::math::exact::{Basis, BigInt, LinearForm, Matrix, Rational};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A chain, made exact.
struct Chain {
    /// Rows of the first step with their multipliers.
    few: Vec<(usize, Rational)>,
    /// Rows of all steps, with positive multipliers.
    all: Vec<(usize, Rational)>,
    /// A basis of their span.
    basis: Vec<usize>,
}

/// Returns a verified witness, or `None`: from the steps of a chain and candidate directions in raw
/// units.
pub(super) fn repair(
    signed: &SignedRows<'_>,
    steps: &[Vec<(usize, f64)>],
    directions: &[Vec<Rational>],
) -> Option<Witness> {
    let holds = |evidence: Witness| check(signed, &evidence).is_ok().then_some(evidence);
    if steps.is_empty() {
        return directions.iter().find_map(|h| holds(complete(signed, h)));
    }
    let chain = Chain::new(signed, steps)?;
    if directions.is_empty() {
        return holds(chain.evidence(signed, None));
    }
    const BITS: [i32; 3] = [4, 12, 30];
    let rounded = BITS.iter().filter_map(|&bits| directions.first().map(|h| round(h, bits)));
    rounded.chain(directions.iter().cloned()).find_map(|h| {
        let h = chain.flatten(signed, &h)?;
        let h = sparse(signed, &chain.basis, h);
        holds(chain.evidence(signed, Some(&h)))
    })
}

/// Returns the witness that h separates completely.
fn complete(signed: &SignedRows<'_>, h: &[Rational]) -> Witness {
    let hyperplanes = Some(h.chunks(signed.stride()).map(<[_]>::to_vec).collect());
    Witness { verdict: SeparationKind::Complete, hyperplanes, dependence: None, spanning: None }
}

/// Rounds the entries to `bits` bits relative to the largest.
fn round(h: &[Rational], bits: i32) -> Vec<Rational> {
    let near: Vec<f64> = h.iter().map(Rational::to_f64).collect();
    let largest = near.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return h.to_vec();
    }
    let unit = 2_f64.powi((largest.log2().floor() as i32 - bits).max(-1000));
    near.iter().map(|v| Rational::of((v / unit).round() * unit)).collect()
}

/// Returns a direction with the same products on all rows and more zeros. h is moved along each
/// vector orthogonal to every row, to the point with most zeros. With collinear columns, for
/// example all levels of a categorical column and the intercept, only few nonzero entries remain.
fn sparse(signed: &SignedRows<'_>, basis: &[usize], mut h: Vec<Rational>) -> Vec<Rational> {
    for _ in 0..2 {
        for v in orthogonal(signed, basis).map(|(_, null)| null).unwrap_or_default() {
            let mut shifts: HashMap<Rational, usize> = HashMap::new();
            for (h, v) in h.iter().zip(&v).filter(|(_, v)| v.sign() != 0) {
                let (num, den) = v.parts();
                let shift = h.times(&Rational::new(-den.clone(), num.clone()));
                *shifts.entry(shift).or_default() += 1;
            }
            let now = shifts.get(&Rational::whole(0)).copied().unwrap_or(0);
            let most = shifts.into_iter().max_by_key(|(shift, count)| (*count, shift.to_string()));
            if let Some((shift, _)) = most.filter(|(_, count)| *count > now) {
                h = h.iter().zip(&v).map(|(h, v)| h.plus(&v.times(&shift))).collect();
            }
        }
    }
    h
}

/// Returns rows that span all signed rows, starting from some, and a basis of their orthogonal
/// complement.
pub(super) fn orthogonal(
    signed: &SignedRows<'_>,
    some: &[usize],
) -> Option<(Vec<usize>, Vec<Vec<Rational>>)> {
    let mut numbers = some.to_vec();
    loop {
        let matrix = signed.matrix(&numbers);
        let null = Basis::of(&matrix).null(&matrix)?;
        let before = numbers.len();
        for v in &null {
            let mut outside = None;
            signed.signs(&LinearForm::new(v), |at, sign| {
                outside = (sign != Ordering::Equal).then_some(at);
                outside.is_none()
            });
            numbers.extend(outside);
        }
        if numbers.len() == before {
            return Some((numbers, null));
        }
        numbers[before..].sort_unstable();
        numbers.dedup();
    }
}

/// Returns rows as a matrix without columns that are 0 in all of them; linear dependences are
/// unchanged.
fn compressed(signed: &SignedRows<'_>, numbers: &[usize]) -> Matrix {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(numbers.len());
    let mut used = vec![false; signed.width()];
    for &at in numbers {
        let row = signed.row(at);
        used.iter_mut().zip(&row).for_each(|(used, v)| *used |= *v != 0.0);
        rows.push(row);
    }
    for row in &mut rows {
        let mut used = used.iter();
        row.retain(|_| used.next() == Some(&true));
    }
    Matrix::new(&rows).until(signed.cancel())
}

/// Returns the first step of a chain, made exact and verified: proof that no hyperplane separates
/// completely.
pub(super) fn first(signed: &SignedRows<'_>, step: &[(usize, f64)]) -> Option<PositiveDependence> {
    let chain = Chain::new(signed, &[step.to_vec()])?;
    let few = chain.evidence(signed, None).dependence?;
    check::rules_out_complete(signed, &few).is_ok().then_some(few)
}

impl Chain {
    /// Makes the steps exact; `None` if a multiplier is negative or the rows of a step are
    /// independent.
    fn new(signed: &SignedRows<'_>, steps: &[Vec<(usize, f64)>]) -> Option<Self> {
        let mut chain = Self { few: Vec::new(), all: Vec::new(), basis: Vec::new() };
        for step in steps {
            chain.add(signed, step)?;
        }
        Some(chain)
    }

    fn add(&mut self, signed: &SignedRows<'_>, step: &[(usize, f64)]) -> Option<()> {
        // 1. A basis of the old basis and the step, rows with large multipliers first.
        let mut step = step.to_vec();
        step.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let old = self.basis.len();
        let numbers: Vec<usize> =
            self.basis.iter().copied().chain(step.iter().map(|s| s.0)).collect();
        let matrix = compressed(signed, &numbers);
        let basis = Basis::of(&matrix);

        // 2. The rows outside the basis keep their multipliers; the others are solved for.
        let mut weights: Vec<Option<Rational>> = vec![None; numbers.len()];
        basis.rows().iter().for_each(|&i| weights[i] = Some(Rational::whole(0)));
        let mut left: Vec<usize> = (0..numbers.len()).filter(|&i| weights[i].is_none()).collect();
        if left.is_empty() {
            return None;
        }
        const STEPS: f64 = (1_u64 << 30) as f64;
        let whole: Vec<BigInt> = match left[..] {
            [_] => vec![BigInt::from(1)],
            _ => left.iter().map(|&i| ((step[i - old].1 * STEPS) as i64 + 1).into()).collect(),
        };
        let sum = |&j: &usize| -> BigInt {
            -left.iter().zip(&whole).map(|(&i, weight)| matrix.at(i, j) * weight).sum::<BigInt>()
        };
        let b: Vec<BigInt> = basis.columns().iter().map(sum).collect();
        let solved = basis.combine(&matrix, &b)?.numbers();
        basis.rows().iter().zip(solved).for_each(|(&i, x)| weights[i] = Some(x));
        left.drain(..).zip(whole).for_each(|(i, w)| weights[i] = Some(Rational::whole(w)));
        let weights: Vec<Rational> = weights.into_iter().flatten().collect();

        // 3. Multipliers of the step must be positive; those of the old basis are made positive.
        if weights[old..].iter().any(|w| w.sign() < 0) {
            return None;
        }
        let own = numbers[old..].iter().copied().zip(weights[old..].iter().cloned());
        let own: Vec<(usize, Rational)> = own.filter(|(_, w)| w.sign() > 0).collect();
        if own.len() < step.len() {
            // Rows with multiplier 0 are dropped; the remaining rows are still dependent.
            step.retain(|(at, _)| own.iter().any(|(row, _)| row == at));
            return if step.is_empty() { None } else { self.add(signed, &step) };
        }
        let mut times = Rational::whole(1);
        for (at, weight) in self.basis.iter().zip(&weights[..old]).filter(|(_, w)| w.sign() < 0) {
            // w + t λ > 0 for t = ⌈−w/λ⌉ + 1.
            let (_, lambda) = self.all.iter().find(|(row, _)| row == at)?;
            let (num, den) = lambda.parts();
            let need = weight.times(&Rational::new(-den.clone(), num.clone()));
            let (num, den) = need.parts();
            let whole = Rational::whole(num / den + 2);
            if whole.plus(&negative(&times)).sign() > 0 {
                times = whole;
            }
        }
        for (at, weight) in &mut self.all {
            *weight = weight.times(&times);
            if let Some(i) = self.basis.iter().position(|row| row == at) {
                *weight = weight.plus(&weights[i]);
            }
        }
        if self.few.is_empty() {
            self.few.clone_from(&own);
        }
        self.all.extend(own);
        self.basis = basis.rows().iter().map(|&i| numbers[i]).collect();
        Some(())
    }

    /// Returns h with unchanged entries in the free columns, and B h = 0.
    fn flatten(&self, signed: &SignedRows<'_>, h: &[Rational]) -> Option<Vec<Rational>> {
        let matrix = signed.matrix(&self.basis);
        let basis = Basis::of(&matrix);
        let free = basis.free(&matrix);
        // Columns of the matrix are 2⁻ᵏ times those of the data, so entries of h are multiplied by
        // 2ᵏ.
        let power = |j: usize| Rational::power_of_two(i64::from(matrix.power(j)));
        let scaled: Vec<Rational> = free.iter().map(|&j| h[j].times(&power(j))).collect();
        let whole = Rational::common(&scaled);
        let sum = |&i: &usize| -> BigInt {
            -free.iter().zip(&whole).map(|(&j, v)| matrix.at(i, j) * v).sum::<BigInt>()
        };
        let b: Vec<BigInt> = basis.rows().iter().map(sum).collect();
        let solved = basis.solve(&matrix, &b)?.numbers();
        let mut out = vec![Rational::whole(0); h.len()];
        free.iter().zip(whole).for_each(|(&j, v)| out[j] = Rational::whole(v));
        basis.columns().iter().zip(solved).for_each(|(&j, v)| out[j] = v);
        Some(matrix.unscaled(out))
    }

    /// Returns the witness of this chain, with or without a direction.
    fn evidence(&self, signed: &SignedRows<'_>, h: Option<&[Rational]>) -> Witness {
        let dependence = |rows: &[(usize, Rational)]| {
            let mut rows = rows.to_vec();
            rows.sort_by_key(|(at, _)| *at);
            let weights: Vec<Rational> = rows.iter().map(|(_, w)| w.clone()).collect();
            let weights = Rational::primitive(&weights);
            Some(PositiveDependence {
                rows: rows.iter().map(|(at, _)| signed.against(*at)).collect(),
                weights,
            })
        };
        let primitive = h.map(Rational::primitive);
        Witness {
            verdict: if h.is_some() {
                SeparationKind::QuasiComplete
            } else {
                SeparationKind::Overlap
            },
            hyperplanes: primitive.map(|h| h.chunks(signed.stride()).map(<[_]>::to_vec).collect()),
            dependence: dependence(&self.few),
            spanning: dependence(&self.all),
        }
    }
}

fn negative(r: &Rational) -> Rational {
    r.times(&Rational::whole(-1))
}
