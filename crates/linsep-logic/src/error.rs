//! Errors of Boolean functions, networks and automata.

use linsep_core::control::literal;

/// Reason why a function, a network or an automaton is rejected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A Boolean expression with a syntax error.
    #[error(
        "column {column}: expected {want}, found {}\n  {}\n  {:>caret$}",
        literal(.found), literal(.excerpt), "^"
    )]
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
    #[error("truth table: expected 1, 2, 4, 8, … outputs, one per row of inputs, found {got}")]
    TableLength {
        /// Number of outputs.
        got: usize,
    },

    /// A size that is not supported, or sizes that do not match.
    #[error(transparent)]
    Size(#[from] linsep_core::Error),
}

impl Error {
    /// Whether the request is at fault: an expression or a table in an argument.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Expression { .. } | Self::TableLength { .. })
    }
}
