//! The program as its users meet it: commands in, text and exit codes out.

#![allow(clippy::unwrap_used)] // a test may

mod bad_input;
mod closed;
mod convex;
mod explain;
mod golden;
mod harness;
mod help;
mod lectures;
mod pictures;
mod plot;
mod report;
mod schemes;
mod separation;
mod trust;
mod workflow;
