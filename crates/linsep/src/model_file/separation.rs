//! Record of separable classes in a model file.

use linsep_core::certify::SeparationKind;
use linsep_core::learner::SeparationEffect;
use serde::{Deserialize, Serialize};

/// Separable classes of a fit whose estimates they affect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeparationRecord {
    /// Effect on the minimizer; `None` for Firth's penalty, which keeps the estimates finite.
    #[serde(default, rename = "minimizer", skip_serializing_if = "Option::is_none")]
    pub effect: Option<SeparationEffect>,
    /// The problems with separable classes.
    pub problems: Vec<SeparableProblem>,
    /// Number of problems: one per hyperplane, or one for joint training.
    pub of: usize,
}

/// A problem with separable classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeparableProblem {
    /// Position of the hyperplane.
    pub hyperplane: usize,
    /// The kind of separation.
    pub kind: SeparationKind,
    /// Columns with an infinite estimate; if not `sure`, some of these columns have one.
    pub infinite: Vec<String>,
    /// Whether every column of the list has an infinite estimate.
    pub sure: bool,
}

/// Name of the intercept among the columns.
const BIAS: &str = "(bias)";

/// The name of a column; `None` is the intercept.
pub(crate) fn column_name(features: &[String], column: Option<usize>) -> String {
    column.map_or_else(|| BIAS.to_owned(), |j| features[j].clone())
}

/// The name of a column in text.
pub(crate) fn text_name(name: &str) -> &str {
    if name == BIAS { "(intercept)" } else { name }
}

/// A noun phrase for the coefficients of these columns, or for some of them if not `sure`, and its
/// verb.
pub(crate) fn named_coefficients(names: &[String], sure: bool) -> (String, &'static str) {
    const SHOWN: usize = 8;
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (noun, verb) = match names.len() {
        _ if !sure => ("some coefficients", "are"),
        1 => ("the coefficient", "is"),
        _ => ("the coefficients", "are"),
    };
    (format!("{noun} of {}{more}", names[..names.len().min(SHOWN)].join(", ")), verb)
}

impl SeparableProblem {
    /// A noun phrase for the infinite coefficients, and its verb.
    pub fn coefficients(&self) -> (String, &'static str) {
        let names = self.infinite.iter().map(|name| text_name(name).to_owned());
        named_coefficients(&names.collect::<Vec<_>>(), self.sure)
    }
}
