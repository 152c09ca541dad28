//! Matthews correlation coefficient of the confusion matrix.

use super::{Metric, Of};

/// The metric.
pub(super) const METRIC: Metric = Metric {
    name: "correlation",
    title: "Matthews correlation",
    summary: None,
    is_share: false,
    larger_is_better: true,
    has_interval: false,
    compared: None,
    of: Of::Confusion(super::Confusion::correlation),
};
