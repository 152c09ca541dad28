//! Evaluation of predictions against known classes, as JSON and as text.

mod show;

use linsep_report::number::below_majority;
use std::ops::Deref;

/// An evaluation with its text and JSON forms.
pub struct Evaluation<'a>(pub linsep::Evaluation<'a>);

impl<'a> Deref for Evaluation<'a> {
    type Target = linsep::Evaluation<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Evaluation<'_> {
    /// Returns a warning if the majority class alone is more accurate than the model.
    pub fn below_majority(&self) -> Option<String> {
        let (class, share) = self.majority()?;
        below_majority(self.accuracy, &self.classes()[class].to_string(), share)
    }
}
