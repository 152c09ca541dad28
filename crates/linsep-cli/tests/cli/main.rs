//! The program as its users meet it: commands in, text and exit codes out.

#![allow(clippy::unwrap_used)] // a test may

mod bad_input;
mod certificates;
mod check;
mod classes;
mod closed;
mod convex;
mod explain;
mod export;
mod golden;
mod harness;
mod help;
mod hostile;
mod inference;
mod lectures;
mod logic;
mod pictures;
mod plot;
mod report;
mod scales;
mod schemes;
mod separation;
mod trust;
mod words;
mod workflow;
