//! The error type of the crate: one variant for each kind of invalid call.
//!
//! A message states the place, the value found, the value expected and the remedy. Its parts are
//! fields, so an interface can format them itself. Rows and columns are counted from 0, as in the
//! arrays passed in. A run that does not converge is no error: see
//! [`StopReason`](crate::control::StopReason).
//!
//! A setting is named in backticks, with or without a value: `` `penalty=l2` ``. Each interface
//! replaces it by its own spelling. A backtick in other text is [doubled](literal).
//!
//! Over 400 lines: one enum, every variant with its message and its documented fields.

use crate::control::literal;
use crate::data::Label;

/// An invalid argument, or a combination of arguments without a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is outside its range.
    #[error("{}: expected {want}, found {}", setting(.name), plain(*.got))]
    Setting {
        /// Name of the setting, the same in every interface.
        name: &'static str,
        /// The value given.
        got: f64,
        /// The allowed range.
        want: &'static str,
    },

    /// A setting that the chosen method does not have.
    #[error("{} does not apply to {method}; it applies to {}", setting(.name), .takers.join(", "))]
    NoSuchSetting {
        /// The chosen method.
        method: &'static str,
        /// The setting.
        name: &'static str,
        /// The methods that have it.
        takers: Vec<&'static str>,
    },

    /// Two settings with the same meaning.
    #[error("{} cannot be combined with {}", setting(.one), setting(.other))]
    SynonymousSettings {
        /// The first setting.
        one: &'static str,
        /// The second setting.
        other: &'static str,
    },

    /// A setting that does not apply to the chosen penalty.
    #[error("{} cannot be combined with `penalty={penalty}`{instead}", setting(.name))]
    InapplicableSetting {
        /// The setting.
        name: &'static str,
        /// The penalty.
        penalty: &'static str,
        /// The remedy, after "; ", or nothing.
        instead: &'static str,
    },

    /// A multiclass scheme for a method that has only one.
    #[error(
        "`multiclass` cannot be combined with `method={method}`, which has a single multiclass \
         scheme"
    )]
    NoSchemeChoice {
        /// The method.
        method: &'static str,
    },

    /// A name that is not in the registry of its family.
    #[error("{family}: expected one of {}, found {:?}", .known.join(", "), literal(.got))]
    UnknownName {
        /// The family, or the setting in backticks.
        family: &'static str,
        /// The name given.
        got: String,
        /// The registered names.
        known: Vec<&'static str>,
    },

    /// A method to compare that is not among the contenders.
    #[error("contender: expected one of {}, found {:?}", literal(&.known.join(", ")), literal(.got))]
    UnknownContender {
        /// The name given.
        got: String,
        /// The contenders.
        known: Vec<String>,
    },

    /// A choice, usually of a solver, whose requirements the problem or the settings do not meet.
    #[error("`{setting}={solver}` requires {lacks}; use {}", either(.able))]
    UnmetRequirement {
        /// Name of the setting, for example "solver".
        setting: &'static str,
        /// The chosen value.
        solver: &'static str,
        /// The requirement that is not met.
        lacks: &'static str,
        /// The values whose requirements are met.
        able: Vec<&'static str>,
    },

    /// A run without partial results that was ended early.
    #[error(
        "{} before {what} were complete, and the method has no partial result. {}",
        if *.time { "the time limit was reached" } else { "the run was interrupted" },
        if *.time { "Increase `timeout`, or drop columns" } else { "Run it again" }
    )]
    Ended {
        /// The incomplete part.
        what: &'static str,
        /// Whether the time limit ended the run; otherwise the user did.
        time: bool,
    },

    /// A setting of binary solvers, given for a scheme that trains all hyperplanes jointly.
    #[error(
        "`{name}={got}` cannot be combined with `multiclass={scheme}`, which trains all \
         hyperplanes jointly (solvers: {}). Remove it, or use `multiclass=one-vs-rest`", .solvers.join(", ")
    )]
    JointSolver {
        /// The scheme.
        scheme: &'static str,
        /// The setting.
        name: &'static str,
        /// Its value.
        got: String,
        /// The solvers of the scheme.
        solvers: &'static [&'static str],
    },

    /// A multiclass scheme that the chosen method does not support.
    #[error("`multiclass={scheme}` requires {needs}; {method} with these settings supports {}", .able.join(", "))]
    Scheme {
        /// The chosen scheme.
        scheme: &'static str,
        /// The requirement of the scheme.
        needs: &'static str,
        /// The chosen method.
        method: &'static str,
        /// The schemes that the method supports.
        able: Vec<&'static str>,
    },

    /// Two lengths that differ and must be equal.
    #[error("{what}: expected {want}, found {got}")]
    Shape {
        /// The counted items.
        what: &'static str,
        /// The count found.
        got: usize,
        /// The count expected.
        want: usize,
    },

    /// More rows or columns than the index type can represent.
    #[error("expected at most {most} {what}, found {got}")]
    TooLarge {
        /// "rows" or "columns".
        what: &'static str,
        /// The count found.
        got: usize,
        /// The largest count supported.
        most: usize,
    },

    /// A design matrix without rows or without columns.
    #[error("{what}: expected at least one, found none")]
    EmptyDesign {
        /// "rows" or "columns".
        what: &'static str,
    },

    /// A value that is NaN or infinite.
    #[error("row {row}, column {column}: expected a finite number, found {got}")]
    NotFinite {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// NaN or an infinity.
        got: f64,
    },

    /// A sparse row whose parts are inconsistent.
    #[error("sparse row {row}: {problem}")]
    Sparse {
        /// The row.
        row: usize,
        /// The fault.
        problem: &'static str,
    },

    /// A sample weight that is negative, NaN or outside [`WEIGHTS`](crate::data::WEIGHTS).
    #[error("row {row}: expected a sample weight of 0, or from 1e-100 to 1e100, found {}", plain(*.got))]
    Weight {
        /// The row.
        row: usize,
        /// Its sample weight.
        got: f64,
    },

    /// A class whose rows all have sample weight 0.
    #[error(
        "every row of class {} has sample weight 0. Remove these rows, or give one a positive weight",
        name(.class)
    )]
    WeightlessClass {
        /// The class.
        class: Label,
    },

    /// A column whose sums of squares overflow or underflow `f64`.
    #[error(
        "column {column}: sums of squares of values such as {got:e} overflow or underflow. \
         Standardize the columns, or multiply this one by a power of ten"
    )]
    Range {
        /// The column.
        column: usize,
        /// The value that is too large or too small.
        got: f64,
    },

    /// A problem that is too large for a method.
    #[error(
        "{method}: expected at most 5000 features or at most 3000 rows, found {d} features and \
         {n} rows. {instead}"
    )]
    TooWide {
        /// The method.
        method: &'static str,
        /// Number of columns.
        d: usize,
        /// Number of rows.
        n: usize,
        /// The remedy.
        instead: &'static str,
    },

    /// Data with a single class: classification needs two or more.
    #[error("all rows have class {}; classification needs at least two classes", name(.class))]
    OneClass {
        /// The only class.
        class: Label,
    },

    /// A setting for two classes, given with more.
    #[error("`{name}` requires two classes, found {got}")]
    TwoClasses {
        /// Name of the setting.
        name: &'static str,
        /// Number of classes.
        got: usize,
    },

    /// A request that needs one score per class.
    #[error(
        "{what} requires one score per class, which one-vs-one and one-vs-rest-but-last do not \
         provide. Use `multiclass=one-vs-rest`"
    )]
    NoClassScores {
        /// The request.
        what: &'static str,
    },

    /// A request that needs probabilities.
    #[error(
        "{what} requires probabilities, which {method} does not provide. Add `calibrate`, or \
        {instead}"
    )]
    NoProbabilities {
        /// The request.
        what: &'static str,
        /// The method without probabilities.
        method: &'static str,
        /// An alternative that needs no probabilities.
        instead: &'static str,
    },

    /// A constraint on the threshold that no threshold meets.
    #[error(
        "no threshold reaches {rule} on out-of-fold rows; the best value is {best:.4}. Relax the \
         constraint"
    )]
    Unreachable {
        /// The constraint
        rule: String,
        /// The closest value that a threshold reaches.
        best: f64,
    },

    /// A class that does not occur in the data.
    #[error("class: expected one of {}, found {}", list(.known), name(.got))]
    UnknownClass {
        /// The class given.
        got: Label,
        /// The classes of the data.
        known: Vec<Label>,
    },

    /// A model whose parts are inconsistent.
    #[error("invalid linear model: {problem}")]
    Model {
        /// The fault.
        problem: &'static str,
    },
}

impl Error {
    /// Whether the request is at fault, and not the data.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Setting { .. }
            | Self::UnmetRequirement { .. }
            | Self::JointSolver { .. }
            | Self::Scheme { .. }
            | Self::SynonymousSettings { .. }
            | Self::NoSuchSetting { .. }
            | Self::InapplicableSetting { .. }
            | Self::NoSchemeChoice { .. }
            | Self::UnknownName { .. }
            | Self::UnknownContender { .. }
            | Self::NoClassScores { .. }
            | Self::NoProbabilities { .. }
            | Self::TwoClasses { .. }
            | Self::UnknownClass { .. } => true,
            Self::Shape { .. }
            | Self::TooLarge { .. }
            | Self::EmptyDesign { .. }
            | Self::NotFinite { .. }
            | Self::Sparse { .. }
            | Self::Weight { .. }
            | Self::WeightlessClass { .. }
            | Self::Range { .. }
            | Self::TooWide { .. }
            | Self::Unreachable { .. }
            | Self::OneClass { .. }
            | Self::Ended { .. }
            | Self::Model { .. } => false,
        }
    }
}

/// Looks up a name in a family of named values.
pub(crate) fn named<T: Copy>(
    family: &'static str,
    word: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, Error> {
    all.iter().copied().find(|&v| name(v) == word).ok_or_else(|| {
        let known = all.iter().map(|&v| name(v)).collect();
        Error::UnknownName { family, got: word.to_owned(), known }
    })
}

/// Formats a name as a setting, if interfaces have a setting of this name.
fn setting(name: &str) -> String {
    match name {
        "sweeps" | "window" | "a path of λ values" => name.to_owned(),
        _ => format!("`{name}`"),
    }
}

/// Formats a class within a message.
fn name(class: &Label) -> String {
    literal(&class.to_string()).into_owned()
}

/// Joins alternatives: "a, b or c".
fn either(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} or {last}", some.join(", ")),
    }
}

/// Formats a number, in scientific notation if many zeros would be needed otherwise.
fn plain(v: f64) -> String {
    let size = v.abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e15).contains(&size) {
        format!("{v:e}")
    } else {
        format!("{v}")
    }
}

/// Joins the first ten labels and the number of the others.
fn list(labels: &[Label]) -> String {
    const SHOWN: usize = 10;
    let shown = labels.iter().take(SHOWN).map(name).collect::<Vec<_>>().join(", ");
    match labels.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_states_the_value_and_the_allowed_range() {
        let error = Error::Setting { name: "eta", got: f64::NAN, want: "a finite number above 0" };
        assert_eq!(error.to_string(), "`eta`: expected a finite number above 0, found NaN");
    }

    #[test]
    fn long_lists_are_truncated() {
        let known = (0..12).map(|c| Label::Number(f64::from(c))).collect();
        let error = Error::UnknownClass { got: Label::Text("x".into()), known };
        assert_eq!(
            error.to_string(),
            "class: expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more, found x"
        );
    }
}
