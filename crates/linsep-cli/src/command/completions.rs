//! `linsep completions` and `linsep man`: shell completions and man pages, generated from the
//! definition of the options.

use crate::command_line;
use crate::failure::Failure;
use crate::output::print;
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell
    shell: Shell,
}

/// Prints the script that completes commands, options and values.
pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_line(), "linsep", &mut script);
    print(&script)
}

#[derive(Args)]
pub struct ManArgs {
    /// Folder of the pages, one per command
    folder: PathBuf,
}

/// Writes a man page for every command.
pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let failed = |error| Failure::Refused(format!("{}: {error}", args.folder.display()));
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(command_line().disable_help_subcommand(true), &args.folder)
        .map_err(failed)
}
