//! Numbers, rules and claims of jobs: requests, runs and outcomes in process.

#![allow(clippy::unwrap_used)] // tests may panic

mod arguments;
mod certificates;
mod check;
mod closed;
mod convex;
mod golden;
mod harness;
mod inference;
#[path = "../../../../golden/public_data.rs"]
mod public_data;
mod schemes;
mod separation;
