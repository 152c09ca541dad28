//! Numbers, rules and claims of jobs: requests, runs and outcomes in process.

#![allow(clippy::unwrap_used)] // tests may panic

mod arguments;
mod certificates;
mod check;
mod classes;
mod closed;
mod convex;
mod explain;
mod golden;
mod harness;
mod inference;
mod lectures;
mod logic;
#[path = "../../../../golden/public_data.rs"]
mod public_data;
mod scales;
mod schemes;
mod scorecard;
mod separation;
mod validation;
