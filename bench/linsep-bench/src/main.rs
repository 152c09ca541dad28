//! What the benchmarks measure, through the library and not through the program.
//!
//! A process does one job, once, and prints one line of JSON: what it took, and a fingerprint of the
//! result by which the harness sees that all contenders did the same. Time is taken around the job
//! alone; the fingerprint comes after it. A new job is one file and one variant of [`Job`].

mod closed;
mod compare;
mod fingerprint;
mod fit;
mod npy;
mod process;
mod read;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// One measured job of linsep's library
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
    /// Fit a plane to a matrix
    Fit(fit::FitArgs),
    /// Compute planes of classes by a closed form
    Closed(closed::ClosedArgs),
    /// Compare methods by folds
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
