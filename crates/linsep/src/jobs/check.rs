//! The data check before a fit.

use super::Seconds;
use crate::dataset::TrainingSettings;
use crate::diagnostics::{DataCheck, check_data};
use crate::error::Error;
use linsep_core::Observer;
use linsep_core::certify::separation::Limits;
use linsep_io::Input;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Request for a data check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Check {
    /// Roles and preprocessing of the columns.
    pub data: TrainingSettings,
    /// Whether the separation test is run.
    pub separation: bool,
}

impl Default for Check {
    fn default() -> Self {
        Self { data: TrainingSettings::default(), separation: true }
    }
}

/// Outcome of a data check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckOutcome {
    /// Name of the data.
    pub data: String,
    /// The findings.
    pub found: DataCheck,
    /// Times of reading and checking.
    pub seconds: Seconds,
}

impl Check {
    /// Checks data. The observer may end the separation test.
    pub fn run(&self, data: Input, watch: &mut dyn Observer) -> Result<CheckOutcome, Error> {
        let (name, clock) = (data.name().to_owned(), Instant::now());
        let limits = self.separation.then(|| Limits { margin: false, ..Limits::default() });
        let found = check_data(data, &self.data, limits, watch)?;
        let work = clock.elapsed().as_secs_f64();
        Ok(CheckOutcome { data: name, found, seconds: Seconds { read: 0.0, work } })
    }
}
