//! Separation: kind, witness and margins, in exact arithmetic.
//!
//! A direction must have the sign of its kind on every signed row; a positive combination must be
//! exactly zero. Cells are integers times 2⁻¹⁰⁷⁴.

use super::Report;
use crate::case::Case;
use crate::claims::rows::{Combination, Fraction, Kind, Separated};
use crate::reference::margin::margin;
use crate::reference::separation::{self, kesler_rows, separation, signed_rows};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Signed rows of positive weight.
fn live_rows(case: &Case) -> Vec<Vec<f64>> {
    let live: Vec<usize> = (0..case.rows.x.len()).filter(|&i| case.rows.s[i] > 0.0).collect();
    let x: Vec<Vec<f64>> = live.iter().map(|&i| case.rows.x[i].clone()).collect();
    let class: Vec<usize> = live.iter().map(|&i| case.rows.class[i]).collect();
    kesler_rows(&x, &class, case.rows.k)
}

/// Compares the kind of separation, its witness and the margins.
pub fn check(case: &Case, claims: &Separated) -> Report {
    let mut report = Report { compared: 1, ..Report::default() };
    if claims.kind == Kind::Undecided {
        report.skipped += 1;
        return report;
    }
    let rows = live_rows(case);
    let truth = separation(&rows).map(|(kind, _)| kind);
    report.skipped += u64::from(truth.is_none());
    if let Some(truth) = truth.filter(|truth| !same(claims.kind, *truth)) {
        report.violate(1.0, format!("{:?} is claimed, but the rows are {truth:?}", claims.kind));
    }
    if !claims.accepted {
        report.violate(1.0, "the checker rejects the certificate".to_owned());
    }
    if let Some(direction) = &claims.direction {
        let wrong = wrong_side(case, direction, claims.kind);
        if let Some(i) = wrong {
            report.violate(1.0, format!("the direction has row {i} on the wrong side"));
        }
    }
    for combination in [&claims.dependence, &claims.spanning].into_iter().flatten() {
        if !is_zero(case, combination) {
            report.violate(1.0, "a combination is not positive or not zero".to_owned());
        }
    }
    margins(case, claims, &rows, &mut report);
    report
}

/// Whether a kind of linsep equals that of the reference; undecided is compatible with every kind.
pub fn same(kind: Kind, truth: separation::Kind) -> bool {
    match kind {
        Kind::Complete => truth == separation::Kind::Complete,
        Kind::QuasiComplete => truth == separation::Kind::QuasiComplete,
        Kind::Overlap => truth == separation::Kind::Overlap,
        Kind::Undecided => true,
    }
}

fn margins(case: &Case, claims: &Separated, rows: &[Vec<f64>], report: &mut Report) {
    if case.rows.k != 2 {
        return;
    }
    let mut compare = |what: &str, claimed: Option<(f64, f64)>, exact: Option<(f64, f64)>| {
        let Some((least, most)) = claimed else { return };
        report.compared += 1;
        let Some((low, high)) = exact else {
            report.skipped += 1;
            return;
        };
        if least > high || most < low {
            let size = ((least - high) / high).max((low - most) / low);
            let text = format!("{what} in [{least:?}, {most:?}] is claimed, but it is {low:?}");
            report.violate(size, text);
        }
    };
    if claims.gamma.is_some() {
        compare("γ", claims.gamma, margin(rows));
    }
    if claims.distance.is_some() {
        let of = |c: usize| {
            let rows = (0..case.rows.x.len()).filter(move |&i| case.rows.s[i] > 0.0);
            rows.filter(move |&i| case.rows.class[i] == c).map(|i| &case.rows.x[i])
        };
        let difference = |a: &[f64], b: &[f64]| -> Option<Vec<f64>> {
            let all: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            // Only differences without rounding error.
            let exact = all.iter().zip(a).zip(b).all(|((d, a), b)| d + b == *a && a - d == *b);
            exact.then_some(all)
        };
        let pairs: Option<Vec<Vec<f64>>> =
            of(1).flat_map(|a| of(0).map(move |b| difference(a, b))).collect();
        let half = pairs.and_then(|pairs| margin(&pairs)).map(|(l, h)| (l / 2.0, h / 2.0));
        compare("distance", claims.distance, half);
    }
}

/// Returns v 2¹⁰⁷⁴.
pub(super) fn scaled_integer(v: f64) -> BigInt {
    if v == 0.0 {
        return BigInt::zero();
    }
    let bits = v.abs().to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let size = match exponent {
        0 => BigInt::from(fraction),
        _ => BigInt::from(fraction | 1 << 52) << (exponent - 1),
    };
    if v < 0.0 { -size } else { size }
}

/// Returns (x, 1) 2¹⁰⁷⁴.
fn augmented(x: &[f64]) -> Vec<BigInt> {
    x.iter().copied().chain([1.0]).map(scaled_integer).collect()
}

/// Multiplies fractions by their least common denominator.
fn common<'a>(all: impl Iterator<Item = &'a Fraction> + Clone) -> Vec<BigInt> {
    let least = all.clone().fold(BigInt::one(), |least, (_, den)| least.lcm(den));
    all.map(|(num, den)| num * (&least / den)).collect()
}

fn wrong_side(case: &Case, direction: &[Vec<Fraction>], kind: Kind) -> Option<usize> {
    let width = case.rows.x[0].len() + 1;
    let flat = common(direction.iter().flatten());
    let mut hyperplanes = vec![vec![BigInt::zero(); width]];
    hyperplanes.extend(flat.chunks(width).map(<[BigInt]>::to_vec));
    let mut strict = false;
    for i in (0..case.rows.x.len()).filter(|&i| case.rows.s[i] > 0.0) {
        let row = augmented(&case.rows.x[i]);
        let score =
            |c: usize| -> BigInt { hyperplanes[c].iter().zip(&row).map(|(h, x)| h * x).sum() };
        let own = score(case.rows.class[i]);
        for rival in (0..case.rows.k).filter(|&c| c != case.rows.class[i]) {
            let lead = &own - score(rival);
            strict |= lead.is_positive();
            if lead.is_negative() || kind == Kind::Complete && lead.is_zero() {
                return Some(i);
            }
        }
    }
    (!strict).then_some(0)
}

fn is_zero(case: &Case, combination: &Combination) -> bool {
    let width = case.rows.x[0].len() + 1;
    let weights = common(combination.iter().map(|(_, weight)| weight));
    let mut sum = vec![vec![BigInt::zero(); width]; case.rows.k];
    for (((i, rival), _), weight) in combination.iter().zip(&weights) {
        let own = case.rows.class[*i];
        if !weight.is_positive() || own == *rival || case.rows.s[*i] == 0.0 {
            return false;
        }
        for (j, x) in augmented(&case.rows.x[*i]).iter().enumerate() {
            let part = weight * x;
            sum[*rival][j] -= &part;
            sum[own][j] += part;
        }
    }
    !combination.is_empty() && sum[1..].iter().flatten().all(BigInt::is_zero)
}

/// Reference for the rows of one hyperplane.
pub fn of_two(x: &[Vec<f64>], y: &[f64], s: &[f64], intercept: bool) -> Option<separation::Kind> {
    let live: Vec<usize> = (0..s.len()).filter(|&i| s[i] > 0.0).collect();
    let x: Vec<Vec<f64>> = live.iter().map(|&i| x[i].clone()).collect();
    let y: Vec<f64> = live.iter().map(|&i| y[i]).collect();
    separation(&signed_rows(&x, &y, intercept)).map(|(kind, _)| kind)
}

/// Reference for the rows of all classes.
pub fn of_all(case: &Case) -> Option<separation::Kind> {
    separation(&live_rows(case)).map(|(kind, _)| kind)
}
