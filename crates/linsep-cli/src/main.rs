//! The `linsep` program: linear classification from the command line.
//!
//! Results go to stdout, notes and progress to stderr. Exit code 0: success; 1: failure; 2: invalid
//! usage; 130: interrupted.

// A binary crate exports nothing.
#![allow(unreachable_pub)]

mod command;
mod data;
mod failure;
mod folds;
mod interrupt;
mod lists;
mod method;
mod output;
mod peers;
mod progress;

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser};
use command::Command;
use failure::Failure;
use linsep::io::Memory;
use linsep_report::escape::one_line;
use output::Output;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Thread limit: above the processors of any machine, and quick to start.
const MOST_THREADS: i64 = 1024;

/// Groups of options in the help.
const OUTPUT: &str = "Output";
const LIMITS: &str = "Limits";

/// Workbench for linear classification
#[derive(Parser)]
#[command(name = "linsep", version, term_width = 80, disable_help_flag = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print one JSON object instead of text
    #[arg(long, global = true, help_heading = OUTPUT)]
    json: bool,

    /// Print text without the limit of 80 columns
    #[arg(long, global = true, help_heading = OUTPUT, hide_short_help = true)]
    wide: bool,

    /// Print details such as objective and lower bound
    #[arg(short, long, global = true, help_heading = OUTPUT, conflicts_with = "quiet", hide_short_help = true)]
    verbose: bool,

    /// Suppress notes and progress
    #[arg(short, long, global = true, help_heading = OUTPUT, hide_short_help = true)]
    quiet: bool,

    /// Print help; --help lists all options
    #[arg(short, long, global = true, help_heading = OUTPUT, action = ArgAction::Help)]
    help: Option<bool>,

    /// Number of threads, at most 1024 [default: all processors]
    #[arg(long, global = true, value_name = "N", help_heading = LIMITS, hide_short_help = true, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,

    /// Memory limit, such as 4GB [default: 75 % of the memory]
    #[arg(long, global = true, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    memory: Option<Memory>,

    /// Folder for temporary files [default: that of the system]
    #[arg(long, global = true, value_name = "FOLDER", help_heading = LIMITS, hide_short_help = true)]
    temp_dir: Option<PathBuf>,

    /// Save the outcome of the job to this file, for `linsep render`
    #[arg(long, global = true, value_name = "FILE", help_heading = OUTPUT, hide = true)]
    outcome: Option<PathBuf>,

    /// Overwrite a file of another kind, save an unfinished model, or train on a numeric target
    /// with very many values
    #[arg(long, global = true, help_heading = OUTPUT, hide_short_help = true)]
    force: bool,
}

/// The whole command line, for completions and man pages.
fn command_line() -> clap::Command {
    Cli::command()
}

fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let cli = match command.try_get_matches_from_mut(args) {
        Ok(mut matches) => Cli::from_arg_matches_mut(&mut matches),
        Err(error) => Err(error),
    };
    // Freeing the thousands of strings of `command` takes longer than scoring a small file.
    std::mem::forget(command);
    cli
}

/// Prints a usage error, with names of files escaped, or the help.
fn refuse(error: &clap::Error) -> ! {
    if let Some(text) = peers::answer(error, &Cli::command()) {
        output::print_error(&one_line(&text));
        std::process::exit(error.exit_code());
    }
    let escaped = |arg: OsString| one_line(&arg.to_string_lossy()).into_owned().into();
    let escaped_error = parse(std::env::args_os().map(escaped)).err();
    escaped_error.as_ref().unwrap_or(error).exit()
}

fn main() -> ExitCode {
    linsep::io::quiet::install();
    let cli = parse(std::env::args_os()).unwrap_or_else(|error| refuse(&error));
    if cli.quiet {
        output::set_quiet();
    }
    interrupt::listen();
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cli.threads.map_or(all.min(MOST_THREADS as usize), usize::from);
    let (memory, temp_dir) = (cli.memory.unwrap_or_default(), cli.temp_dir);
    let out = Output {
        json: cli.json,
        threads,
        memory,
        temp_dir,
        force: cli.force,
        verbose: cli.verbose,
        wide: cli.wide,
        outcome: cli.outcome,
    };
    // The core runs on the global pool. It cannot be initialized already: nothing ran before.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(out.threads).build_global();
    match command::run(cli.command, &out) {
        Ok(()) if interrupt::received() => ExitCode::from(interrupt::EXIT),
        Ok(()) | Err(Failure::Silent) => ExitCode::SUCCESS,
        Err(Failure::Found) => ExitCode::from(Failure::Found.code()),
        Err(failure) => {
            out.failure(&failure);
            ExitCode::from(if interrupt::received() { interrupt::EXIT } else { failure.code() })
        }
    }
}
