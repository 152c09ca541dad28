//! Number of threshold functions of n inputs.

use crate::error::Error;
use linsep_core::Observer;
use linsep_logic::{Count, count};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Instant;

/// Request for the number of threshold functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CountThresholdFunctions {
    /// Largest number of inputs.
    pub inputs: u8,
}

/// Numbers of threshold functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountOutcome {
    /// For 0 inputs, 1 input, …
    pub counts: Vec<Counted>,
}

/// Number of threshold functions of n inputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// n.
    pub n: u32,
    /// The number.
    pub count: Count,
    /// Time of counting.
    pub seconds: f64,
}

impl CountThresholdFunctions {
    /// Counts the functions. The observer receives a stage for each n, and can end the count.
    pub fn run(self, watch: &mut dyn Observer) -> Result<CountOutcome, Error> {
        let (cancel, watch) = (watch.cancel(), Mutex::new(watch));
        let mut counts = Vec::new();
        for n in 0..=u32::from(self.inputs) {
            let (started, begun) = (Instant::now(), Once::new());
            let counted = count(n as usize, &|done, of| {
                let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
                begun.call_once(|| watch.stage(&format!("{n} inputs"), Some(of as usize)));
                watch.done(done as usize);
                !cancel.is_set()
            })?;
            let Some(count) = counted else {
                cancel.check("the count")?;
                break;
            };
            counts.push(Counted { n, count, seconds: started.elapsed().as_secs_f64() });
        }
        Ok(CountOutcome { counts })
    }
}
