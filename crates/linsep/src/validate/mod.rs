//! Choosing and trusting: what is measured on rows that nothing was learned from.
//!
//! | file | what |
//! |---|---|
//! | `folds` | which rows are learned from and which are judged on: stratified, by groups, in the order of time |
//! | `paired` | does one method do better than another on the same folds, or is that chance? |
//! | `choose` | which point of a path: the best, or the simplest that is not worse |
//! | `threshold`, `abstain` | where two classes are told apart, and which rows are left to a person |
//! | `trust` | calibration, threshold and limit learned from held-out rows, and judged on others |
//! | `contender` | the methods that are compared (`ALL` of the methods, losses and penalties there are) |
//!
//! Nothing here draws at random but the folds, which depend on a seed and on nothing else.

mod abstain;
mod choose;
mod contender;
mod folds;
mod paired;
mod threshold;
mod trust;

pub use abstain::Limit;
pub use choose::{Choose, Mean, choose, mean};
pub use contender::{BASELINE, Contender, contenders, pick};
pub use folds::{Split, by_group, in_time, splits, stratified};
pub use paired::{Paired, holm, paired};
pub use threshold::{Counted, Rule};
pub use trust::{Judged, Trust, Trusted};
