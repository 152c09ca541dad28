//! Benchmarks of the linsep library, without the command-line program.
//!
//! A process runs one job, once, and prints one line of JSON: time, memory, and a fingerprint of
//! the result, by which the harness verifies that all contenders did the same work. Only the job is
//! timed; the fingerprint is computed afterwards. A new job is one file and one variant of [`Job`].

mod closed;
mod compare;
mod fingerprint;
mod fit;
mod npy;
mod process;
mod read;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measured job of the library
#[derive(Parser)]
#[command(name = "linsep-bench", version)]
struct Cli {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Read a file into a matrix
    Read(read::ReadArgs),
    /// Fit coefficients to a matrix
    Fit(fit::FitArgs),
    /// Compute coefficients by a closed form
    Closed(closed::ClosedArgs),
    /// Compare methods by cross-validation
    Compare(compare::CompareArgs),
}

fn main() -> ExitCode {
    let done = match Cli::parse().job {
        Job::Read(args) => read::run(&args),
        Job::Fit(args) => fit::run(&args),
        Job::Closed(args) => closed::run(&args),
        Job::Compare(args) => compare::run(&args),
    };
    match done {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
