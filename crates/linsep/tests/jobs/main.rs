//! Numbers, rules and claims of jobs: requests, runs and outcomes in process.

#![allow(clippy::unwrap_used)] // tests may panic

mod certificates;
mod closed;
mod convex;
mod harness;
mod schemes;
