//! Learning and judging on different rows, from the table to the score.
//!
//! A recipe is learned like planes are: means, deviations, which words there are, which columns are of use. So it is learned
//! **inside** every fold, from the rows that the fold learns from and from no others; a row that is judged on has told neither
//! planes nor recipe anything ([`Folded`]). On that stand
//!
//! | file | what |
//! |---|---|
//! | `compare` | methods side by side on the same folds |
//! | `tune` | the strength of a penalty, from the path of every fold |
//! | `held` | scores of all rows by planes that have not seen them, for calibration and thresholds |
//! | `jobs` | folds on several threads, same results and same bits for any number |
//! | `kept` | what a model file keeps of all that: plain data, with the numbers that a plot needs |

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
