//! Cross-validation, from the table to the metrics.
//!
//! A recipe is fitted to data as hyperplanes are: means, standard deviations, levels, dropped
//! columns. The recipe is therefore fitted **inside** every split, to the training fold alone. A
//! test row affects neither the hyperplanes nor the recipe ([`Folded`]).
//!
//! | file | content |
//! |---|---|
//! | `compare` | comparison of methods on common folds |
//! | `tune` | selection of the regularization strength, from the path on each fold |
//! | `held` | out-of-fold scores, for calibration and thresholds |
//! | `jobs` | folds on several threads, with the same bits for any thread count |
//! | `kept` | records of these results in a model file: plain data, with the numbers for plots |

mod compare;
mod folded;
mod held;
mod jobs;
mod kept;
mod tune;

pub use compare::{Compared, Comparison, Measure, Measured, Spread, compare};
pub use folded::{Cutting, Folded, Prepared, Test};
pub use held::hold_out;
pub use jobs::Jobs;
pub use kept::{
    Abstention, BinKept, Calibration, CutKept, Quality, Rates, ThresholdKept, TrustKept, Tuning,
    TuningPoint,
};
pub use tune::tune;
