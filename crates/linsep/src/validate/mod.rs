//! Cross-validation, from the table to the metrics.
//!
//! A recipe is fitted to data as hyperplanes are: means, standard deviations, levels, dropped
//! columns. The recipe is therefore fitted **inside** every split, to the training fold alone. A
//! test row affects neither the hyperplanes nor the recipe ([`FoldedData`]).
//!
//! | file | content |
//! |---|---|
//! | `compare` | comparison of methods on common folds |
//! | `tune` | selection of the regularization strength, from the path on each fold |
//! | `out_of_fold` | out-of-fold scores, for calibration and thresholds |
//! | `cross_validation` | the part that these two have in common |
//! | `parallel` | folds on several threads, with the same bits for any thread count |
//! | `records` | records of these results in a model file: plain data, with the numbers for plots |

mod compare;
mod cross_validation;
mod folded;
mod hold_out;
mod out_of_fold;
mod parallel;
mod records;
mod tune;

pub use compare::{Comparison, ContenderResult, FoldResult, Spread, compare};
pub(crate) use cross_validation::CrossValidation;
pub use folded::{FoldSettings, FoldedData};
pub(crate) use hold_out::hold_out;
pub use linsep_core::validate::*;
pub use records::{
    Abstention, BinRecord, Calibration, OperatingPointRecord, PostProcessingRecord, Quality, Rates,
    ThresholdRecord, Tuning, TuningPoint,
};

use cross_validation::Fold;
