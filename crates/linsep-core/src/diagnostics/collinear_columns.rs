//! Collinear columns: exact or approximate linear combinations of others.
//!
//! With R the correlation matrix, columns enter a basis one by one (Cholesky factorization, in the
//! order of the data). The share of a column's variance that the basis does not explain is
//! ```text
//!   1 − ρⱼ²  =  1 − rᵀ R⁻¹ r         with r its correlations with the basis,
//! ```
//!
//! and 1/(1 − ρⱼ²) is the variance inflation factor of its coefficient. A column with almost no
//! unexplained variance does not enter the basis. It is reported with the combination c = R⁻¹r, in
//! raw units: xⱼ = a + Σ aᵢ xᵢ.
//!
//! * **Exactly**: the coefficients, rounded to simple fractions, give the column in every row of
//!   positive weight, in exact arithmetic ([`LinearForm`]).
//! * **Up to rounding**: the error of every row is at most 10⁻⁹ of the column's standard deviation.
//! * **Nearly**: 1 − ρ² ≤ 0.01, with a few columns.
//!
//! The levels of a category always sum to 1, so one of them is left out. Equal and constant columns
//! have their own checks, and one of each set represents all here.
//!
//! Cost: n d² multiplications for dense rows, so the check is for some hundreds of columns.

use super::duplicate_columns::sets;
use super::finding::{figure, percent};
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;
use crate::data::{Moments, Rows, on_rows};
use crate::math::exact::{LinearForm, Rational};
use crate::math::kernels::Value;
use std::cmp::Ordering;

pub(super) const CHECK: Check = Check {
    name: "collinear-columns",
    about: "columns that are linear combinations of others",
    run,
};

/// Limits on columns and multiplications.
const MOST_COLUMNS: usize = 1_000;
const MOST_WORK: f64 = 1e11;
/// Largest share of unexplained variance that is reported.
const LEFT: f64 = 1e-2;
/// Largest share of unexplained variance that is due to rounding.
const NOTHING: f64 = 1e-9;
/// Largest rounding error, relative to the standard deviation of the column.
const ROUNDING: f64 = 1e-9;
/// Smallest term shown of an approximate combination, relative to the column's standard deviation.
/// Combinations of more than `MANY` terms are not reported.
const SMALL: f64 = 0.05;
const MANY: usize = 8;

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    // 1. Limits.
    let x = subject.problem.x();
    let d = x.d();
    if d > MOST_COLUMNS {
        report.skip(CHECK.name, format!("{d} columns; the limit is {MOST_COLUMNS}"));
        return;
    }
    if x.stored() as f64 * d as f64 > MOST_WORK {
        report.skip(CHECK.name, "the data is too large");
        return;
    }
    let Ok(moments) = Moments::of(subject.problem) else {
        report.skip(CHECK.name, "squares of some values overflow or underflow");
        return;
    };

    // 2. One column after the other: into the basis, or a finding.
    let total = moments.total();
    let columns = candidates(subject);
    let scatter = |i: usize, j: usize| total[i.min(j) * d + i.max(j)];
    let mut basis = Basis::default();
    for &j in columns.iter().filter(|&&j| scatter(j, j) > 0.0) {
        let correlation = |i: usize| scatter(i, j) / (scatter(i, i).sqrt() * scatter(j, j).sqrt());
        let (row, left) = basis.reduce(correlation);
        if left > LEFT {
            basis.push(j, row, left);
            continue;
        }
        let combination = Combination::new(subject, j, &basis.columns, &basis.solve(row.clone()));
        if left > NOTHING && combination.terms.len() > MANY {
            basis.push(j, row, left); // approximate, with too many terms to be useful
        } else {
            report.add(combination.finding(subject, left));
        }
    }
}

/// Columns that take part: not constant, one of each set of equal ones, all levels of a category
/// but one.
fn candidates(subject: &Subject<'_>) -> Vec<usize> {
    let all = subject.summaries();
    let mut out = vec![false; all.len()];
    sets(subject).iter().flat_map(|set| &set[1..]).for_each(|&j| out[j] = true);
    for levels in &subject.layout.choices {
        // The most frequent level is left out, as reference level.
        if let Some(most) = levels.clone().max_by_key(|&j| all[j].nonzero) {
            out[most] = true;
        }
    }
    (0..all.len()).filter(|&j| !out[j] && !all[j].is_constant()).collect()
}

/// Columns of the basis, with the rows of the Cholesky factor L of their correlations.
#[derive(Default)]
struct Basis {
    columns: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Basis {
    /// L⁻¹r for the correlations r of a column with the basis, and the unexplained share of its
    /// variance.
    fn reduce(&self, correlation: impl Fn(usize) -> f64) -> (Vec<f64>, f64) {
        let mut row: Vec<f64> = Vec::with_capacity(self.columns.len());
        for (&i, l) in self.columns.iter().zip(&self.rows) {
            let sum: f64 = l.iter().zip(&row).map(|(l, v)| l * v).sum();
            row.push((correlation(i) - sum) / l[l.len() - 1]);
        }
        let left = 1.0 - row.iter().map(|v| v * v).sum::<f64>();
        (row, left)
    }

    fn push(&mut self, j: usize, mut row: Vec<f64>, left: f64) {
        row.push(left.sqrt());
        self.columns.push(j);
        self.rows.push(row);
    }

    /// Computes R⁻¹r from L⁻¹r.
    fn solve(&self, mut row: Vec<f64>) -> Vec<f64> {
        for k in (0..row.len()).rev() {
            let l = &self.rows[k];
            row[k] /= l[k];
            let value = row[k];
            row[..k].iter_mut().zip(l).for_each(|(v, l)| *v -= value * l);
        }
        row
    }
}

/// Column as a combination of others: xⱼ ≈ a + Σ aᵢ xᵢ.
struct Combination {
    column: usize,
    terms: Vec<(usize, f64)>,
    constant: f64,
    /// Largest error, in standard deviations of the column.
    worst: f64,
    exact: bool,
}

impl Combination {
    /// Converts coefficients c of standardized columns.
    fn new(subject: &Subject<'_>, column: usize, basis: &[usize], c: &[f64]) -> Self {
        let all = subject.summaries();
        let own = &all[column];
        let raw = |(&i, &c): (&usize, &f64)| (i, c * own.deviation / all[i].deviation);
        let constant = |terms: &[(usize, f64)]| {
            own.mean - terms.iter().map(|&(i, a)| a * all[i].mean).sum::<f64>()
        };
        // First all terms above rounding, as simple fractions.
        let named = |least: f64| -> Vec<(usize, f64)> {
            basis.iter().zip(c).filter(|(_, c)| c.abs() > least).map(raw).collect()
        };
        let terms = named(1e-6);
        let simple: Vec<(usize, f64)> = terms.iter().map(|&(i, a)| (i, fraction(a))).collect();
        let about = fraction(constant(&simple));
        let mut exact = Self { column, terms: simple, constant: about, worst: 0.0, exact: true };
        if exact.holds(subject) {
            return exact;
        }
        exact = Self { column, constant: constant(&terms), terms, worst: 0.0, exact: false };
        exact.worst = exact.error(subject) / own.deviation;
        if exact.worst <= ROUNDING {
            return exact;
        }
        let terms = named(SMALL);
        Self { constant: constant(&terms), terms, ..exact }
    }

    /// Whether the combination holds exactly in every row, with the fractions as exact rationals.
    fn holds(&self, subject: &Subject<'_>) -> bool {
        let d = subject.problem.x().d();
        let mut h = vec![Rational::whole(0); d + 1];
        for &(i, a) in &self.terms {
            h[i] = rational(a);
        }
        h[self.column] = Rational::whole(-1);
        h[d] = rational(self.constant);
        let form = LinearForm::new(&h);
        let s = subject.problem.weights();
        on_rows!(subject.problem.x(), x => (0..x.n()).filter(|&i| s[i] > 0.0).all(|i| {
            let mut row: Vec<(usize, f64)> = vec![(d, 1.0)];
            x.each(i, |j, v| row.push((j, v.get())));
            form.sign(|| row.iter().copied()) == Ordering::Equal
        }))
    }

    /// Largest error over all rows.
    fn error(&self, subject: &Subject<'_>) -> f64 {
        let x = subject.problem.x();
        let mut w = vec![0.0; x.d()];
        self.terms.iter().for_each(|&(i, a)| w[i] = a);
        w[self.column] = -1.0;
        let mut off = vec![0.0; x.n()];
        x.scores_into(&w, self.constant, &mut off);
        let live = off.iter().enumerate().filter(|(i, _)| subject.is_live(*i));
        live.fold(0.0, |most, (_, v)| most.max(v.abs()))
    }

    /// Formula of the combination.
    fn text(&self, subject: &Subject<'_>) -> String {
        const SHOWN: usize = 6;
        let mut terms = self.terms.clone();
        let size = |&(i, a): &(usize, f64)| (a * subject.summaries()[i].deviation).abs();
        terms.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.0.cmp(&b.0)));
        let more = terms.len().saturating_sub(SHOWN);
        let mut sum: Vec<String> = Vec::new();
        for &(i, a) in terms.iter().take(SHOWN) {
            let factor = match figure(a.abs()).as_str() {
                "1" => String::new(),
                size => format!("{size} "),
            };
            let sign = if a < 0.0 { "−" } else { "+" };
            sum.push(format!("{sign} {factor}{}", called(subject, i)));
        }
        if more > 0 {
            sum.push(format!("+ {more} more term{}", if more == 1 { "" } else { "s" }));
        }
        let large = subject.summaries()[self.column].deviation;
        if self.constant.abs() > 1e-9 * large {
            let sign = if self.constant < 0.0 { "−" } else { "+" };
            sum.push(format!("{sign} {}", figure(self.constant.abs())));
        }
        let sum = sum.join(" ");
        let sum = match sum.strip_prefix("+ ") {
            Some(rest) => rest,
            None => &sum,
        };
        let sign = if self.exact { "=" } else { "≈" };
        format!("{} {sign} {sum}", called(subject, self.column))
    }

    fn finding(&self, subject: &Subject<'_>, left: f64) -> Finding {
        let (name, text) = (subject.name(self.column), self.text(subject));
        let how = if self.exact {
            ", exactly".to_owned()
        } else if self.worst <= ROUNDING {
            ", up to rounding".to_owned()
        } else {
            format!(" ({} of its variance explained)", percent((1.0 - left.max(0.0)).min(1.0)))
        };
        let nearly = if self.worst <= ROUNDING { "" } else { "nearly " };
        let what = format!("column {name} is {nearly}a linear combination of others{how}: {text}");
        // 0/1 columns that add up are the levels of a category, by intention.
        let level = |j: usize| {
            let own = &subject.summaries()[j];
            (own.min, own.max) == (0.0, 1.0)
        };
        let levels = level(self.column) && self.terms.iter().all(|&(i, _)| level(i));
        let plain = self.worst <= ROUNDING && !levels;
        let severity = if plain { Severity::Warning } else { Severity::Note };
        let others = self.terms.iter().map(|&(i, _)| subject.name(i));
        Finding::new(CHECK.name, severity, what)
            .columns([name].into_iter().chain(others))
            .number("left", left.max(0.0))
            .word("combination", text)
            .advice(
                "predictions are unaffected, but coefficients of collinear columns are not \
                identifiable; drop one of them, or keep the penalty",
            )
            .setting("drop", name)
    }
}

/// Name of a column in a formula, in brackets if it is a number.
fn called(subject: &Subject<'_>, j: usize) -> String {
    let name = subject.name(j);
    if name.parse::<f64>().is_ok() { format!("[{name}]") } else { name.to_owned() }
}

/// Simplest fraction n/m near a number, as a double, with m up to 1000 and within 10⁻⁷; else the
/// number.
fn fraction(v: f64) -> f64 {
    (1..=1000_u32)
        .map(|m| ((v * f64::from(m)).round(), f64::from(m)))
        .find(|(n, m)| (n / m - v).abs() <= 1e-7 * v.abs().max(1e-3))
        .map_or(v, |(n, m)| n / m)
}

/// Exact fraction that this double approximates.
fn rational(v: f64) -> Rational {
    let simple = (1..=1000_u32).find(|&m| {
        let n = (v * f64::from(m)).round();
        n.abs() < 2_f64.powi(53) && n / f64::from(m) == v
    });
    match simple {
        Some(m) => Rational::new(((v * f64::from(m)).round() as i64).into(), m.into()),
        None => Rational::of(v),
    }
}
