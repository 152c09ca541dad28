//! Model selection and post-processing by cross-validation.
//!
//! | file | contents |
//! |---|---|
//! | `folds` | training and test rows: stratified, by group, by time |
//! | `paired` | significance of the difference between two methods on the same folds |
//! | `choose` | selection of λ: the best, or the largest within one standard error |
//! | `threshold`, `abstain` | decision threshold of two classes, and the reject option |
//! | `trust` | post-processing (calibration, threshold, abstention), evaluated out of fold |
//! | `contender` | methods in a comparison, from the registries of methods, losses and penalties |
//!
//! Only the folds are random, and they depend on nothing but a seed.

mod abstain;
mod choose;
mod contender;
mod folds;
mod paired;
mod postprocess;
mod threshold;

pub use abstain::AbstainRule;
pub use choose::{LambdaRule, Mean, choose, mean};
pub use contender::{BASELINE, Contender, contenders, pick};
pub use folds::{Split, by_group, in_time, splits, stratified};
pub use paired::{Paired, holm, paired};
pub use postprocess::{FittedPostProcessing, PostProcessing, PostProcessingMetrics};
pub use threshold::{ConfusionCounts, ThresholdRule};
