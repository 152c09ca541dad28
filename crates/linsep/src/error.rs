//! The error type of the crate: one variant for each kind of invalid call.
//!
//! A message states the place, the value found, the value expected and the remedy. Its parts are
//! fields, so an interface can format them itself. Rows and columns are counted from 0, as in the
//! arrays passed in. A run that does not converge is no error: see
//! [`StopReason`](crate::control::StopReason).

use crate::data::Label;

/// An invalid argument, or a combination of arguments without a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is outside its range.
    #[error("{name} is {}, but must be {want}", plain(*.got))]
    Setting {
        /// Name of the setting, the same in every interface.
        name: &'static str,
        /// The value given.
        got: f64,
        /// The allowed range.
        want: &'static str,
    },

    /// A setting that the chosen method does not have.
    #[error("{method} has no setting {name}: it belongs to {}", .takers.join(", "))]
    NoSuchSetting {
        /// The chosen method.
        method: &'static str,
        /// The setting.
        name: &'static str,
        /// The methods that have it.
        takers: Vec<&'static str>,
    },

    /// Two settings with the same meaning.
    #[error("{one} and {other} say the same thing: give one of them")]
    SynonymousSettings {
        /// The first setting.
        one: &'static str,
        /// The second setting.
        other: &'static str,
    },

    /// A setting that does not apply to the chosen penalty.
    #[error("{name} has no place beside penalty {penalty}: {instead}")]
    InapplicableSetting {
        /// The setting.
        name: &'static str,
        /// The penalty.
        penalty: &'static str,
        /// The remedy.
        instead: &'static str,
    },

    /// A multiclass scheme for a method that has only one.
    #[error(
        "{method} finds the planes of all classes at once, whatever their number, so that it has no choice of schemes: \
         leave multiclass out"
    )]
    NoSchemeChoice {
        /// The method.
        method: &'static str,
    },

    /// A name that is not in the registry of its family.
    #[error("there is no {family} called {got:?}; choose one of {}", .known.join(", "))]
    UnknownName {
        /// The family, for example "method".
        family: &'static str,
        /// The name given.
        got: String,
        /// The registered names.
        known: Vec<&'static str>,
    },

    /// A method to compare that is not among the contenders.
    #[error("there is no contender called {got:?}; choose from {}", .known.join(", "))]
    UnknownContender {
        /// The name given.
        got: String,
        /// The contenders.
        known: Vec<String>,
    },

    /// A solver whose requirements the problem does not meet.
    #[error("{solver} needs {lacks}; {} would do", .able.join(", "))]
    UnmetRequirement {
        /// The chosen solver.
        solver: &'static str,
        /// The requirement that the loss, the penalty or the data does not meet.
        lacks: &'static str,
        /// The solvers whose requirements are met.
        able: Vec<&'static str>,
    },

    /// A run without partial results that was ended early.
    #[error(
        "{} before {what} were complete, and there is no result without them: {}",
        if *.time { "the time limit ended training" } else { "training was interrupted" },
        if *.time { "give --timeout more seconds, or use fewer columns" } else { "start again" }
    )]
    Ended {
        /// The incomplete part.
        what: &'static str,
        /// Whether the time limit ended the run; otherwise the user did.
        time: bool,
    },

    /// A setting of binary solvers, given for a scheme that trains all hyperplanes jointly.
    #[error(
        "--{name} {got} does not go with {scheme}, which learns the hyperplanes of more than two classes jointly: \
         leave it out (solvers of {scheme}: {}), or add --multiclass one-vs-rest", .solvers.join(", ")
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
    #[error("{scheme} needs {needs}; {method} as it is set up can do {}", .able.join(", "))]
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
    #[error("{what}: got {got}, but {want} are needed")]
    Shape {
        /// The counted items.
        what: &'static str,
        /// The count found.
        got: usize,
        /// The count expected.
        want: usize,
    },

    /// More rows or columns than the index type can represent.
    #[error("{got} {what} are too many: at most {most} are supported")]
    TooLarge {
        /// "rows" or "columns".
        what: &'static str,
        /// The count found.
        got: usize,
        /// The largest count supported.
        most: usize,
    },

    /// A design matrix without rows or without columns.
    #[error("the data has no {what}: there is nothing to learn from")]
    EmptyDesign {
        /// "rows" or "columns".
        what: &'static str,
    },

    /// A value that is NaN or infinite.
    #[error("row {row}, column {column} is {got}, but every value must be a finite number")]
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
    #[error("the weight of row {row} is {}, but weights must be 0, or from 1e-100 to 1e100", plain(*.got))]
    Weight {
        /// The row.
        row: usize,
        /// Its sample weight.
        got: f64,
    },

    /// A class whose rows all have sample weight 0.
    #[error("every row of class {class} has weight 0: leave those rows out, or give one a weight")]
    WeightlessClass {
        /// The class.
        class: Label,
    },

    /// A column whose sums of squares overflow or underflow `f64`.
    #[error(
        "column {column} has numbers such as {got:e}, and sums of such squares leave the range of doubles: \
         standardize the columns, or multiply this one by a power of ten"
    )]
    Range {
        /// The column.
        column: usize,
        /// The value that is too large or too small.
        got: f64,
    },

    /// A problem that is too large for a method.
    #[error(
        "{method} works on 5000 columns or 3000 rows at the most, and here are {d} columns and {n} rows: {instead}"
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
    #[error("all rows are of class {class}, but telling classes apart takes at least two")]
    OneClass {
        /// The only class.
        class: Label,
    },

    /// A setting for two classes, given with more.
    #[error("{name} is for two classes, and there are {got}")]
    TwoClasses {
        /// Name of the setting.
        name: &'static str,
        /// Number of classes.
        got: usize,
    },

    /// A request that needs one score per class.
    #[error(
        "{what} takes a score for each class, and votes and k − 1 planes have none: learn the classes one-vs-rest"
    )]
    NoClassScores {
        /// The request.
        what: &'static str,
    },

    /// A request that needs probabilities.
    #[error("{what} takes probabilities, and {method} has none: calibrate it, or {instead}")]
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
        "no threshold reaches {rule} on rows that were held out; the best is {best:.4}. Ask for less"
    )]
    Unreachable {
        /// The constraint.
        rule: String,
        /// The closest value that a threshold reaches.
        best: f64,
    },

    /// A class that does not occur in the data.
    #[error("there is no class {got}; the classes are {}", list(.known))]
    UnknownClass {
        /// The class given.
        got: Label,
        /// The classes of the data.
        known: Vec<Label>,
    },

    /// A Boolean expression with a syntax error.
    #[error("column {column}: found {found} where {want} belongs\n  {excerpt}\n  {:>caret$}", "^")]
    Expression {
        /// The part of the expression around the error.
        excerpt: String,
        /// Position of the error in the excerpt, counted from 1.
        caret: usize,
        /// Position of the error in the expression, counted from 1.
        column: usize,
        /// The text found.
        found: String,
        /// The syntax expected.
        want: &'static str,
    },

    /// A truth table whose length is no power of two.
    #[error(
        "a truth table has 1, 2, 4, 8, … outputs, one for each row of inputs, but here are {got}"
    )]
    TableLength {
        /// Number of outputs.
        got: usize,
    },

    /// A model whose parts are inconsistent.
    #[error("this is not a linear model: {problem}")]
    Model {
        /// The fault.
        problem: &'static str,
    },
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
    let shown = labels.iter().take(SHOWN).map(Label::to_string).collect::<Vec<_>>().join(", ");
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
        let error = Error::Setting { name: "eta", got: f64::NAN, want: "finite and above 0" };
        assert_eq!(error.to_string(), "eta is NaN, but must be finite and above 0");
    }

    #[test]
    fn long_lists_are_truncated() {
        let known = (0..12).map(|c| Label::Number(f64::from(c))).collect();
        let error = Error::UnknownClass { got: Label::Text("x".into()), known };
        assert_eq!(
            error.to_string(),
            "there is no class x; the classes are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"
        );
    }
}
