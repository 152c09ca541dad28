//! Tests of the program: commands, output and exit codes.

#![allow(clippy::unwrap_used)] // tests may panic

mod bad_input;
mod check;
mod classes;
mod closed;
mod color;
mod convex;
mod explain;
mod export;
mod features;
mod golden;
mod harness;
mod help;
mod hostile;
mod inference;
mod interrupt;
mod lectures;
mod limits;
mod logic;
mod memory;
mod messages;
mod options;
mod outcomes;
mod outputs;
mod plot;
mod plots;
#[path = "../../../../golden/public_data.rs"]
mod public_data;
mod report;
mod saving;
mod scales;
mod schemes;
mod separation;
mod text;
mod validation;
mod width;
mod workflow;
