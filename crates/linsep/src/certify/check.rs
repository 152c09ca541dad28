//! The independent checker: does the evidence prove the verdict?
//!
//! With signed rows a (see [`Signed`]) and h all planes in one vector, the verdicts of Albert & Anderson are
//!
//! | verdict | there is an h with a·h … for all rows | evidence |
//! |---|---|---|
//! | complete | > 0 | h |
//! | quasi-complete | ≥ 0, and > 0 for some; but no complete one | h, and two dependences |
//! | overlap | ≥ 0 only if all are 0 | two dependences |
//!
//! A **dependence** is a set of rows with weights λ > 0 and Σ λₚ aₚ = 0, exactly.
//!
//! * *Any dependence* forbids complete separation: a·h > 0 on its rows would make Σ λₚ aₚ·h positive (Gordan). At most
//!   N + 1 rows are needed, N the length of a signed row (Carathéodory); as the bias is one of its numbers, no dependence is of one
//!   class alone.
//! * A **spanning** dependence: for an h with a·h ≥ 0 everywhere, Σ λₚ aₚ·h = 0 has no negative term, so a·h = 0 on its rows, and
//!   on every row in their span. If that is every row, there is overlap (Stiemke). If it is every row with
//!   a·h = 0 for the given h, then no other h is positive on more rows: h is a maximal direction of recession, and the
//!   rows on which it is 0 are just those on which the likelihood has something to fit.
//!
//! Whether row a lies in the span of the rows B of a dependence: the rank of B modulo a prime is at most its rank; vectors v with
//! B v = 0, as many as N less that rank and independent by their form, are computed and multiplied out, so the ranks are equal
//! and the v span all that is orthogonal to B. Then a is in the span of B just if a·v = 0 for each of them, exactly.
//!
//! Nothing here comes from the search for the evidence but the evidence; what both share is the exact arithmetic and
//! what the signed rows are.
//!
//! Source: Albert & Anderson, *On the existence of maximum likelihood estimates in logistic regression models*,
//! Biometrika 71 (1984); Gordan (1873) and Stiemke (1915), in Schrijver, *Theory of Linear and Integer
//! Programming*, §7.8.

use super::signed::{Against, Signed};
use crate::math::exact::{Basis, BigInt, Form, Matrix, Rational};
use std::cmp::Ordering;

/// Can planes separate the classes?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every row strictly on its own side.
    Complete,
    /// No row on a wrong side, some strictly on their own, and more is not possible.
    QuasiComplete,
    /// Whatever leaves no row on a wrong side leaves all of them on the plane.
    Overlap,
    /// It could not be settled with what was allowed.
    Undecided,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 4] =
        [Self::Complete, Self::QuasiComplete, Self::Overlap, Self::Undecided];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::QuasiComplete => "quasi-complete",
            Self::Overlap => "overlap",
            Self::Undecided => "undecided",
        }
    }

    /// What it means, in words for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Complete => "a plane has every row strictly on its own side",
            Self::QuasiComplete => {
                "a plane has no row on a wrong side, but every such plane has rows on it"
            }
            Self::Overlap => "every plane has rows on a wrong side, unless all rows lie on it",
            Self::Undecided => "it could not be settled with what was allowed",
        }
    }
}

/// Rows whose positive combination is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The rows, each against another class.
    pub rows: Vec<Against>,
    /// Their weights, above 0.
    pub weights: Vec<Rational>,
}

/// What proves a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// What is proved.
    pub verdict: Verdict,
    /// Weights and bias of every class's plane but the first's, which is 0: in the order of [`Signed::order`].
    pub planes: Option<Vec<Vec<Rational>>>,
    /// A few rows that forbid complete separation.
    pub dependence: Option<Dependence>,
    /// Rows that forbid any separation of the rows in their span.
    pub spanning: Option<Dependence>,
}

/// Why evidence does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A verdict without what proves it, or with more.
    #[error("a verdict of {} needs {need}", .verdict.name())]
    Parts {
        /// The verdict.
        verdict: Verdict,
        /// What proves such a one.
        need: &'static str,
    },
    /// Planes of another shape.
    #[error("the planes have {got} numbers, but {want} belong to this data")]
    Shape {
        /// How many there are.
        got: usize,
        /// How many there should be.
        want: usize,
    },
    /// A row on the wrong side, or on the plane.
    #[error("row {row} is {} the plane", if *.on { "on" } else { "on the wrong side of" })]
    Side {
        /// The row.
        row: usize,
        /// Whether it is just on the plane.
        on: bool,
    },
    /// A plane that has all rows on it.
    #[error("all rows are on the plane, which separates nothing")]
    Flat,
    /// A dependence that names a row that is not there.
    #[error(
        "there is no row {row} of another class and with a weight, but the certificate names it"
    )]
    NoRow {
        /// The row.
        row: usize,
    },
    /// A dependence that names a row twice, or whose lists differ in length.
    #[error("the certificate's list of rows is not one of different rows with a weight each")]
    List,
    /// A weight that is not positive.
    #[error("the certificate's weight of row {row} is not above 0")]
    Weight {
        /// The row.
        row: usize,
    },
    /// A combination that is not zero.
    #[error("the weighted sum of the certificate's rows is not zero in number {column}")]
    NotZero {
        /// Which of the numbers of a signed row.
        column: usize,
    },
    /// More rows than needed.
    #[error("the certificate lists {got} rows, but at most {most} are ever needed")]
    TooMany {
        /// How many there are.
        got: usize,
        /// How many there may be.
        most: usize,
    },
    /// A row outside the span.
    #[error("row {row} is not in the span of the certificate's rows, so they say nothing about it")]
    Outside {
        /// The row.
        row: usize,
    },
    /// A system that could not be solved. Never seen; a prime would have to divide a determinant.
    #[error("the span of the certificate's rows could not be computed")]
    Span,
}

/// Whether the evidence proves its verdict.
pub fn check(signed: &Signed<'_>, evidence: &Evidence) -> Result<(), Flaw> {
    let verdict = evidence.verdict;
    let parts = |need| Err(Flaw::Parts { verdict, need });
    match (verdict, &evidence.planes, &evidence.dependence, &evidence.spanning) {
        (Verdict::Complete, Some(planes), None, None) => {
            sides(signed, &form(signed, planes)?, false).map(|_| ())
        }
        (Verdict::QuasiComplete, Some(planes), Some(few), Some(spanning)) => {
            let h = form(signed, planes)?;
            let on = sides(signed, &h, true)?;
            zero_sum(signed, few, true)?;
            zero_sum(signed, spanning, false)?;
            spans(signed, spanning, |at| on[at])
        }
        (Verdict::Overlap, None, Some(few), Some(spanning)) => {
            zero_sum(signed, few, true)?;
            zero_sum(signed, spanning, false)?;
            spans(signed, spanning, |_| true)
        }
        (Verdict::Complete, ..) => parts("planes and nothing else"),
        (Verdict::QuasiComplete, ..) => parts("planes and two dependences"),
        (Verdict::Overlap, ..) => parts("two dependences and nothing else"),
        (Verdict::Undecided, ..) => parts("to be settled first"),
    }
}

/// All planes as one linear form.
fn form(signed: &Signed<'_>, planes: &[Vec<Rational>]) -> Result<Form, Flaw> {
    let (got, want) = (planes.iter().map(Vec::len).sum(), signed.width());
    if planes.len() != signed.planes() || planes.iter().any(|p| p.len() != signed.stride()) {
        return Err(Flaw::Shape { got, want });
    }
    Ok(Form::new(&planes.concat()))
}

/// Which signed rows have a product of 0 with h; a negative one is a flaw, and so is a 0 where there may be none or no
/// other.
fn sides(signed: &Signed<'_>, h: &Form, ties: bool) -> Result<Vec<bool>, Flaw> {
    let mut on = vec![false; signed.count()];
    let (mut flaw, mut strict) = (None, false);
    signed.signs(h, |at, sign| {
        on[at] = sign == Ordering::Equal;
        strict |= sign == Ordering::Greater;
        let wrong = sign == Ordering::Less || (on[at] && !ties);
        if wrong {
            flaw = Some(Flaw::Side { row: at / signed.planes(), on: on[at] });
        }
        !wrong
    });
    match flaw {
        Some(flaw) => Err(flaw),
        None if !strict => Err(Flaw::Flat),
        None => Ok(on),
    }
}

/// The rows of a dependence, by number; each there, and once.
fn numbers(signed: &Signed<'_>, dependence: &Dependence) -> Result<Vec<usize>, Flaw> {
    let Dependence { rows, weights } = dependence;
    if rows.is_empty() || rows.len() != weights.len() {
        return Err(Flaw::List);
    }
    let number = |&against| signed.number(against).ok_or(Flaw::NoRow { row: against.row });
    let numbers = rows.iter().map(number).collect::<Result<Vec<usize>, Flaw>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() == numbers.len() { Ok(numbers) } else { Err(Flaw::List) }
}

/// Whether a few rows forbid complete separation.
pub fn forbids(signed: &Signed<'_>, few: &Dependence) -> Result<(), Flaw> {
    zero_sum(signed, few, true)
}

/// Whether the weights are positive and the weighted sum of the rows is zero.
fn zero_sum(signed: &Signed<'_>, dependence: &Dependence, few: bool) -> Result<(), Flaw> {
    let rows = numbers(signed, dependence)?;
    let most = signed.width() + 1;
    if few && rows.len() > most {
        return Err(Flaw::TooMany { got: rows.len(), most });
    }
    let bad = dependence.weights.iter().position(|weight| weight.sign() <= 0);
    if let Some(bad) = bad {
        return Err(Flaw::Weight { row: dependence.rows[bad].row });
    }
    let weights = Rational::common(&dependence.weights);
    let rows: Vec<Vec<f64>> = rows.into_iter().map(|at| signed.row(at)).collect();
    let matrix = Matrix::new(&rows).until(signed.cancel());
    let zero = |j: &usize| {
        let terms = weights.iter().enumerate().map(|(i, weight)| matrix.at(i, *j) * weight);
        terms.sum::<BigInt>() == BigInt::ZERO
    };
    match (0..matrix.columns()).find(|j| !zero(j)) {
        Some(column) => Err(Flaw::NotZero { column }),
        None => Ok(()),
    }
}

/// Whether every signed row that matters lies in the span of those of a dependence.
fn spans(
    signed: &Signed<'_>,
    dependence: &Dependence,
    matters: impl Fn(usize) -> bool,
) -> Result<(), Flaw> {
    let rows: Vec<Vec<f64>> =
        numbers(signed, dependence)?.into_iter().map(|at| signed.row(at)).collect();
    let matrix = Matrix::new(&rows).until(signed.cancel());
    let basis = Basis::of(&matrix);
    let null = basis.null(&matrix).ok_or(Flaw::Span)?;
    for v in null {
        // Columns of the matrix were scaled, so what is orthogonal to its rows is scaled the other way.
        let unscaled = v.into_iter().enumerate().map(|(j, v)| {
            Rational::whole(v).times(&Rational::power_of_two(-i64::from(matrix.power(j))))
        });
        let v = Form::new(&unscaled.collect::<Vec<_>>());
        let mut outside = None;
        signed.signs(&v, |at, sign| {
            if sign != Ordering::Equal && matters(at) {
                outside = Some(at / signed.planes());
            }
            outside.is_none()
        });
        if let Some(row) = outside {
            return Err(Flaw::Outside { row });
        }
    }
    Ok(())
}
