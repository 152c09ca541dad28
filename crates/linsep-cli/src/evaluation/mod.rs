//! Predictions against known classes, shown: as JSON for programs, as text for people.

mod show;

use crate::text::below_majority;
use std::ops::Deref;

/// How good predictions are.
pub struct Evaluation<'a>(pub linsep_io::Evaluation<'a>);

impl<'a> Deref for Evaluation<'a> {
    type Target = linsep_io::Evaluation<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Evaluation<'_> {
    /// What the probabilities in the table of reliability are of.
    pub fn what_is_likely(&self) -> String {
        match self.classes() {
            [_, positive] => format!("probability of {positive}"),
            _ => "probability of the likeliest class".to_owned(),
        }
    }

    /// That the model is worse than predicting the majority class, where it is.
    pub fn below_majority(&self) -> Option<String> {
        let (class, share) = self.majority()?;
        below_majority(self.accuracy, &self.classes()[class].to_string(), share)
    }
}
