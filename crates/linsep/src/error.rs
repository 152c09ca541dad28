//! Every way a caller can be wrong, in one enum.
//!
//! A message says what was got, what was wanted, where, and what to do next; the parts are
//! fields, so that a face can show them its own way. Rows and columns are counted from 0, as in
//! the arrays that were passed in. Not reaching an optimum is no error: see
//! [`Stop`](crate::control::Stop).

use crate::data::Label;

/// What the caller asked for cannot be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is outside its range.
    #[error("{name} is {}, but must be {want}", plain(*.got))]
    Setting {
        /// Name of the setting, as in every face.
        name: &'static str,
        /// The value that was given.
        got: f64,
        /// The range it has to lie in.
        want: &'static str,
    },

    /// A setting was given that the chosen method does not have.
    #[error("{method} has no setting {name}: it belongs to {}", .takers.join(", "))]
    NoSuchSetting {
        /// The method that was chosen.
        method: &'static str,
        /// The setting that was given.
        name: &'static str,
        /// The methods that have it.
        takers: Vec<&'static str>,
    },

    /// Two settings that say the same thing.
    #[error("{one} and {other} say the same thing: give one of them")]
    Both {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },

    /// A setting that the chosen penalty has no use for.
    #[error("{name} has no place beside penalty {penalty}: {instead}")]
    Misplaced {
        /// The setting.
        name: &'static str,
        /// The penalty.
        penalty: &'static str,
        /// What to do.
        instead: &'static str,
    },

    /// A scheme for a method that has no choice of schemes.
    #[error(
        "{method} finds the planes of all classes at once, whatever their number, so that it has no choice of schemes: \
         leave multiclass out"
    )]
    AllAtOnce {
        /// The method.
        method: &'static str,
    },

    /// A name is not in its family's list.
    #[error("there is no {family} called {got:?}; choose one of {}", .known.join(", "))]
    UnknownName {
        /// The family, such as "method".
        family: &'static str,
        /// The name that was given.
        got: String,
        /// The names there are.
        known: Vec<&'static str>,
    },

    /// A method to compare that is not in the list.
    #[error("there is no contender called {got:?}; choose from {}", .known.join(", "))]
    UnknownContender {
        /// The name that was given.
        got: String,
        /// The names there are.
        known: Vec<String>,
    },

    /// A way of minimising that cannot do what was asked of it.
    #[error("{solver} needs {lacks}; {} would do", .able.join(", "))]
    Combination {
        /// The way that was chosen.
        solver: &'static str,
        /// What the loss, the penalty or the data lacks for it.
        lacks: &'static str,
        /// The ways that can do it.
        able: Vec<&'static str>,
    },

    /// Work without a result before its end was to end early.
    #[error(
        "{} before {what} were complete, and there is no result without them: {}",
        if *.time { "the time limit ended training" } else { "training was interrupted" },
        if *.time { "give --timeout more seconds, or use fewer columns" } else { "start again" }
    )]
    Ended {
        /// What was not complete.
        what: &'static str,
        /// Whether the time limit ended it, and not the user.
        time: bool,
    },

    /// A setting of solvers that work on a single hyperplane, where a scheme learns all of them jointly.
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
        /// The solvers that the scheme has.
        solvers: &'static [&'static str],
    },

    /// A scheme for many classes that the chosen method cannot follow.
    #[error("{scheme} needs {needs}; {method} as it is set up can do {}", .able.join(", "))]
    Scheme {
        /// The scheme that was asked for.
        scheme: &'static str,
        /// What it takes.
        needs: &'static str,
        /// The method that was chosen.
        method: &'static str,
        /// The schemes that the method can follow.
        able: Vec<&'static str>,
    },

    /// Two lengths that must agree do not.
    #[error("{what}: got {got}, but {want} are needed")]
    Shape {
        /// What was counted.
        what: &'static str,
        /// How many there were.
        got: usize,
        /// How many there must be.
        want: usize,
    },

    /// More rows or columns than the storage can number.
    #[error("{got} {what} are too many: at most {most} are supported")]
    TooLarge {
        /// "rows" or "columns".
        what: &'static str,
        /// How many there were.
        got: usize,
        /// How many there may be.
        most: usize,
    },

    /// A matrix without rows or without columns.
    #[error("the data has no {what}: there is nothing to learn from")]
    NothingThere {
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

    /// The parts of a sparse matrix contradict one another.
    #[error("sparse row {row}: {problem}")]
    Sparse {
        /// The row.
        row: usize,
        /// What is wrong with it.
        problem: &'static str,
    },

    /// A sample weight that is negative, NaN or outside [`WEIGHTS`](crate::data::WEIGHTS).
    #[error("the weight of row {row} is {}, but weights must be 0, or from 1e-100 to 1e100", plain(*.got))]
    Weight {
        /// The row.
        row: usize,
        /// Its weight.
        got: f64,
    },

    /// A class whose rows all weigh nothing.
    #[error("every row of class {class} has weight 0: leave those rows out, or give one a weight")]
    WeightlessClass {
        /// The class.
        class: Label,
    },

    /// Numbers whose squares are not doubles any more.
    #[error(
        "column {column} has numbers such as {got:e}, and sums of such squares leave the range of doubles: \
         standardise the columns, or multiply this one by a power of ten"
    )]
    Range {
        /// The column.
        column: usize,
        /// The number that is too large or too small.
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
        /// What to do.
        instead: &'static str,
    },

    /// Only one class: nothing to tell apart.
    #[error("all rows are of class {class}, but telling classes apart takes at least two")]
    OneClass {
        /// The only class.
        class: Label,
    },

    /// A setting that makes sense with two classes only.
    #[error("{name} is for two classes, and there are {got}")]
    TwoClasses {
        /// Name of the setting.
        name: &'static str,
        /// How many classes there are.
        got: usize,
    },

    /// Something that takes a score for each class.
    #[error(
        "{what} takes a score for each class, and votes and k − 1 planes have none: learn the classes one-vs-rest"
    )]
    OwnScores {
        /// What was asked for.
        what: &'static str,
    },

    /// Something that takes probabilities.
    #[error("{what} takes probabilities, and {method} has none: calibrate it, or {instead}")]
    NoProbabilities {
        /// What was asked for.
        what: &'static str,
        /// What has none.
        method: &'static str,
        /// What can be done without.
        instead: &'static str,
    },

    /// A goal that no threshold reaches.
    #[error(
        "no threshold reaches {rule} on rows that were held out; the best is {best:.4}. Ask for less"
    )]
    Unreachable {
        /// The goal.
        rule: String,
        /// How near one comes.
        best: f64,
    },

    /// A class that the data does not have.
    #[error("there is no class {got}; the classes are {}", list(.known))]
    UnknownClass {
        /// The class asked for.
        got: Label,
        /// The classes there are.
        known: Vec<Label>,
    },

    /// A Boolean expression that cannot be understood.
    #[error("column {column}: found {found} where {want} belongs\n  {excerpt}\n  {:>caret$}", "^")]
    Expression {
        /// The expression around the fault.
        excerpt: String,
        /// Where the fault is in the excerpt, counted from 1.
        caret: usize,
        /// Where the fault is in the expression, counted from 1.
        column: usize,
        /// What is there.
        found: String,
        /// What belongs there.
        want: &'static str,
    },

    /// A truth table whose length is no power of two.
    #[error(
        "a truth table has 1, 2, 4, 8, … outputs, one for each row of inputs, but here are {got}"
    )]
    TableLength {
        /// How many there are.
        got: usize,
    },

    /// The parts of a model contradict one another.
    #[error("this is not a linear model: {problem}")]
    Model {
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// Looks a word up in a family of named values.
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

/// A number without a row of zeros.
fn plain(v: f64) -> String {
    let size = v.abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e15).contains(&size) {
        format!("{v:e}")
    } else {
        format!("{v}")
    }
}

/// The first ten of a list, in words.
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
    fn a_message_names_got_and_wanted() {
        let error = Error::Setting { name: "eta", got: f64::NAN, want: "finite and above 0" };
        assert_eq!(error.to_string(), "eta is NaN, but must be finite and above 0");
    }

    #[test]
    fn long_lists_are_cut() {
        let known = (0..12).map(|c| Label::Number(f64::from(c))).collect();
        let error = Error::UnknownClass { got: Label::Text("x".into()), known };
        assert_eq!(
            error.to_string(),
            "there is no class x; the classes are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"
        );
    }
}
