//! Metrics of predictions: one per file, and those of the confusion matrix. All of them respect
//! sample weights.
//!
//! A metric of an evaluation is a constant of its file and a line in [`ALL`].
//!
//! A metric takes all rows at once, row by row, or, if it depends on the order of scores, a
//! [`Ranking`]. So a file larger than memory gives the same bits as one in memory.

mod accuracy;
mod auc;
mod brier;
mod confusion;
mod interval;
mod levels;
mod log_loss;
mod majority;
mod measure;
mod precision_recall;
mod reliability;
mod roc;

pub use accuracy::accuracy;
pub use auc::{auc, ranked_auc};
pub use brier::brier;
pub use confusion::{ClassScore, Confusion};
pub use interval::{auc_interval, ranked_auc_interval, share_interval};
pub use levels::{Level, LevelBuilder, Ranking, levels, totals};
pub use log_loss::log_loss;
pub use majority::{largest_share, majority};
pub use measure::{ALL, Measure, Measured, Measures, Metric, Of, Row, compared, value_of};
pub use precision_recall::{
    PrPoint, average_precision, precision_recall, ranked_average_precision, ranked_precision_recall,
};
pub use reliability::{Bin, Reliability, calibration_error, reliability};
pub use roc::{RocPoint, ranked_roc, roc};
