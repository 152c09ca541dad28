//! Balanced accuracy: mean recall over the classes that have rows.

use super::{Metric, Of};

/// The metric.
pub(super) const METRIC: Metric = Metric {
    name: "balanced-accuracy",
    title: "balanced accuracy",
    summary: Some(("balanced", Some("balanced accuracy"))),
    is_share: true,
    larger_is_better: true,
    has_interval: false,
    compared: Some(1),
    of: Of::Confusion(super::Confusion::balanced_accuracy),
};
