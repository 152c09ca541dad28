//! How good predictions are: one measure per file. All of them count sample weights.

mod accuracy;
mod auc;
mod brier;
mod confusion;
mod interval;
mod levels;
mod log_loss;
mod majority;
mod precision_recall;
mod reliability;
mod roc;

pub use accuracy::accuracy;
pub use auc::auc;
pub use brier::brier;
pub use confusion::{ClassScore, Confusion};
pub use interval::{auc_interval, share_interval};
pub use levels::{Level, levels};
pub use log_loss::log_loss;
pub use majority::majority;
pub use precision_recall::{PrPoint, average_precision, precision_recall};
pub use reliability::{Bin, calibration_error, reliability};
pub use roc::{RocPoint, roc};
