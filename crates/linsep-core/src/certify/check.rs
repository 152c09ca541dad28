//! The independent checker: decides whether a witness proves its separation kind.
//!
//! With signed rows a (see [`SignedRows`]) and h all hyperplanes in one vector, the cases of Albert
//! & Anderson are
//!
//! | case | there is an h with a·h … for all rows | witness |
//! |---|---|---|
//! | complete | > 0 | h |
//! | quasi-complete | ≥ 0, and > 0 for some; but no complete one | h, and two dependences |
//! | overlap | ≥ 0 only if all are 0 | two dependences |
//!
//! A **positive dependence** is a set of rows with multipliers λ > 0 and Σ λₚ aₚ = 0, exactly.
//!
//! * *Any dependence* rules out complete separation: a·h > 0 on its rows would make Σ λₚ aₚ·h
//!   positive (Gordan). At most N + 1 rows are needed, N the length of a signed row (Carathéodory).
//!   The intercept is one entry of a signed row, so a dependence contains rows of at least two
//!   classes.
//! * A **spanning** dependence: for an h with a·h ≥ 0 everywhere, Σ λₚ aₚ·h = 0 has no negative
//!   term. So a·h = 0 on its rows, and on every row in their span. If that span contains every row,
//!   there is overlap (Stiemke). If it contains every row with a·h = 0 for the given h, then no
//!   other h is positive on more rows. In that case h is a maximal direction of recession, and only
//!   the rows with a·h = 0 determine the finite part of the likelihood.
//!
//! Membership of row a in the span of the rows B of a dependence is decided as follows. The rank of
//! B is computed modulo a prime, which is at most the rank of B. With r the rank modulo the prime,
//! N − r vectors v with B v = 0, independent by their form, are computed and verified by exact
//! multiplication. So the two ranks are equal, and the v span the orthogonal complement of B. Row a
//! is in the span of B if and only if a·v = 0 for each v, exactly.
//!
//! The checker takes only the witness from the search. The shared code is the exact arithmetic and
//! the definition of the signed rows.
//!
//! Source: Albert & Anderson, *On the existence of maximum likelihood estimates in logistic
//! regression models*, Biometrika 71 (1984); Gordan (1873) and Stiemke (1915), in Schrijver,
//! *Theory of Linear and Integer Programming*, §7.8.

use super::signed::{SignedRow, SignedRows};
use crate::math::exact::{Basis, BigInt, LinearForm, Rational};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Separation of the classes by hyperplanes: the three cases of Albert & Anderson, or undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeparationKind {
    /// A hyperplane classifies every row correctly, with margin > 0.
    Complete,
    /// A hyperplane misclassifies no row and has some margins > 0; no hyperplane has all
    /// margins > 0.
    QuasiComplete,
    /// Every hyperplane without misclassified rows has margin 0 on all rows.
    Overlap,
    /// Not decided within the limits.
    Undecided,
}

impl SeparationKind {
    /// Every variant, in the order of this definition.
    pub const ALL: [Self; 4] =
        [Self::Complete, Self::QuasiComplete, Self::Overlap, Self::Undecided];

    /// Returns the name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::QuasiComplete => "quasi-complete",
            Self::Overlap => "overlap",
            Self::Undecided => "undecided",
        }
    }

    /// Returns the meaning as a sentence fragment for messages.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Complete => "a hyperplane has every row strictly on its correct side",
            Self::QuasiComplete => {
                "a hyperplane has no row on the wrong side, but none has all rows strictly on the \
                 correct side"
            }
            Self::Overlap => "every hyperplane has rows on the wrong side or contains all rows",
            Self::Undecided => "not decided within the limits",
        }
    }
}

/// Rows with a positive combination equal to zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositiveDependence {
    /// The rows, each paired with another class.
    pub rows: Vec<SignedRow>,
    /// Multipliers of the rows, above 0.
    pub weights: Vec<Rational>,
}

/// Witness that proves a separation kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The proved separation kind.
    pub verdict: SeparationKind,
    /// Coefficients and intercept of every class but the first, whose hyperplane is 0; in the order
    /// of [`SignedRows::order`].
    pub hyperplanes: Option<Vec<Vec<Rational>>>,
    /// At most N + 1 rows that rule out complete separation.
    pub dependence: Option<PositiveDependence>,
    /// Rows that rule out any separation of the rows in their span.
    pub spanning: Option<PositiveDependence>,
}

/// Reason for rejecting a witness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WitnessError {
    /// Witness with missing or superfluous parts for its separation kind.
    #[error("separation {}: expected {need}", .verdict.name())]
    Parts {
        /// The claimed separation kind.
        verdict: SeparationKind,
        /// The parts that this kind requires.
        need: &'static str,
    },
    /// Hyperplanes with a wrong number of entries.
    #[error("hyperplanes: expected {want} numbers for this data, found {got}")]
    Shape {
        /// Entries found.
        got: usize,
        /// Entries expected.
        want: usize,
    },
    /// A misclassified row, or a row on the hyperplane.
    #[error("row {row} is {} the hyperplane", if *.on { "on" } else { "on the wrong side of" })]
    Side {
        /// The row.
        row: usize,
        /// Whether the row lies exactly on the hyperplane.
        on: bool,
    },
    /// Hyperplanes with margin 0 on all rows.
    #[error("all rows are on the hyperplane, which separates nothing")]
    ZeroMargins,
    /// A dependence that refers to a missing row.
    #[error(
        "the certificate refers to row {row}, which does not exist, has the same class or has \
         weight 0"
    )]
    NoRow {
        /// The row.
        row: usize,
    },
    /// A dependence that repeats a row, or whose lists differ in length.
    #[error("the certificate's rows: expected distinct rows with one multiplier each")]
    List,
    /// A multiplier that is not positive.
    #[error("the certificate's multiplier of row {row}: expected a positive number")]
    Weight {
        /// The row.
        row: usize,
    },
    /// A combination that is not zero.
    #[error("the combination of the certificate's rows is not zero in entry {column}")]
    NotZero {
        /// Index of the nonzero entry of the sum.
        column: usize,
    },
    /// More rows than Carathéodory's bound.
    #[error("the certificate's rows: expected at most {most}, found {got}")]
    TooMany {
        /// Rows found.
        got: usize,
        /// Largest possible number of rows.
        most: usize,
    },
    /// A row outside the span.
    #[error("row {row} is not in the span of the certificate's rows")]
    Outside {
        /// The row.
        row: usize,
    },
    /// A linear system without a computed solution. Never observed: a prime would have to divide a
    /// determinant.
    #[error("the span of the certificate's rows could not be computed")]
    Span,
    /// A verification that was ended by its token.
    #[error("the verification was interrupted")]
    Interrupted,
}

/// Verifies that the witness proves its separation kind. A verification that the token of the rows
/// ends proves nothing.
pub fn check(signed: &SignedRows<'_>, evidence: &Witness) -> Result<(), WitnessError> {
    let holds = verify(signed, evidence);
    if signed.cancel().is_set() { Err(WitnessError::Interrupted) } else { holds }
}

fn verify(signed: &SignedRows<'_>, evidence: &Witness) -> Result<(), WitnessError> {
    let verdict = evidence.verdict;
    let parts = |need| Err(WitnessError::Parts { verdict, need });
    match (verdict, &evidence.hyperplanes, &evidence.dependence, &evidence.spanning) {
        (SeparationKind::Complete, Some(hyperplanes), None, None) => {
            sides(signed, &form(signed, hyperplanes)?, false).map(|_| ())
        }
        (SeparationKind::QuasiComplete, Some(hyperplanes), Some(few), Some(spanning)) => {
            let h = form(signed, hyperplanes)?;
            let on = sides(signed, &h, true)?;
            zero_sum(signed, few, true)?;
            zero_sum(signed, spanning, false)?;
            spans(signed, spanning, |at| on[at])
        }
        (SeparationKind::Overlap, None, Some(few), Some(spanning)) => {
            zero_sum(signed, few, true)?;
            zero_sum(signed, spanning, false)?;
            spans(signed, spanning, |_| true)
        }
        (SeparationKind::Complete, ..) => parts("hyperplanes only"),
        (SeparationKind::QuasiComplete, ..) => parts("hyperplanes and two positive combinations"),
        (SeparationKind::Overlap, ..) => parts("two positive combinations only"),
        (SeparationKind::Undecided, ..) => parts("a decided separation"),
    }
}

/// Returns all hyperplanes as one linear form.
fn form(
    signed: &SignedRows<'_>,
    hyperplanes: &[Vec<Rational>],
) -> Result<LinearForm, WitnessError> {
    let (got, want) = (hyperplanes.iter().map(Vec::len).sum(), signed.width());
    if hyperplanes.len() != signed.hyperplanes()
        || hyperplanes.iter().any(|p| p.len() != signed.stride())
    {
        return Err(WitnessError::Shape { got, want });
    }
    Ok(LinearForm::new(&hyperplanes.concat()))
}

/// Returns which signed rows have a·h = 0. A negative product is a flaw. So is a product of 0
/// unless `ties`, and so are products that are all 0.
fn sides(signed: &SignedRows<'_>, h: &LinearForm, ties: bool) -> Result<Vec<bool>, WitnessError> {
    let mut on = vec![false; signed.count()];
    let (mut flaw, mut strict) = (None, false);
    signed.signs(h, |at, sign| {
        on[at] = sign == Ordering::Equal;
        strict |= sign == Ordering::Greater;
        let wrong = sign == Ordering::Less || (on[at] && !ties);
        if wrong {
            flaw = Some(WitnessError::Side { row: at / signed.hyperplanes(), on: on[at] });
        }
        !wrong
    });
    match flaw {
        Some(flaw) => Err(flaw),
        None if !strict => Err(WitnessError::ZeroMargins),
        None => Ok(on),
    }
}

/// Returns the numbers of a dependence's rows, which must exist and be distinct.
fn numbers(
    signed: &SignedRows<'_>,
    dependence: &PositiveDependence,
) -> Result<Vec<usize>, WitnessError> {
    let PositiveDependence { rows, weights } = dependence;
    if rows.is_empty() || rows.len() != weights.len() {
        return Err(WitnessError::List);
    }
    let number = |&against| signed.number(against).ok_or(WitnessError::NoRow { row: against.row });
    let numbers = rows.iter().map(number).collect::<Result<Vec<usize>, WitnessError>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() == numbers.len() { Ok(numbers) } else { Err(WitnessError::List) }
}

/// Verifies that a few rows rule out complete separation.
pub(crate) fn rules_out_complete(
    signed: &SignedRows<'_>,
    few: &PositiveDependence,
) -> Result<(), WitnessError> {
    zero_sum(signed, few, true)
}

/// Verifies that the multipliers are positive and that the combination of the rows is zero.
fn zero_sum(
    signed: &SignedRows<'_>,
    dependence: &PositiveDependence,
    few: bool,
) -> Result<(), WitnessError> {
    let rows = numbers(signed, dependence)?;
    let most = signed.width() + 1;
    if few && rows.len() > most {
        return Err(WitnessError::TooMany { got: rows.len(), most });
    }
    let bad = dependence.weights.iter().position(|weight| weight.sign() <= 0);
    if let Some(bad) = bad {
        return Err(WitnessError::Weight { row: dependence.rows[bad].row });
    }
    let weights = Rational::common(&dependence.weights);
    let matrix = signed.matrix(&rows);
    let zero = |j: &usize| {
        let terms = weights.iter().enumerate().map(|(i, weight)| matrix.at(i, *j) * weight);
        terms.sum::<BigInt>() == BigInt::ZERO
    };
    match (0..matrix.columns()).find(|j| matrix.is_ended() || !zero(j)) {
        Some(column) => Err(WitnessError::NotZero { column }),
        None => Ok(()),
    }
}

/// Verifies that every signed row selected by `matters` lies in the span of a dependence's rows.
fn spans(
    signed: &SignedRows<'_>,
    dependence: &PositiveDependence,
    matters: impl Fn(usize) -> bool,
) -> Result<(), WitnessError> {
    let matrix = signed.matrix(&numbers(signed, dependence)?);
    for v in Basis::of(&matrix).null(&matrix).ok_or(WitnessError::Span)? {
        let v = LinearForm::new(&v);
        let mut outside = None;
        signed.signs(&v, |at, sign| {
            if sign != Ordering::Equal && matters(at) {
                outside = Some(at / signed.hyperplanes());
            }
            outside.is_none()
        });
        if let Some(row) = outside {
            return Err(WitnessError::Outside { row });
        }
    }
    Ok(())
}
