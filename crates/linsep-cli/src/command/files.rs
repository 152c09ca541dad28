//! Files that a command reads and writes, checked before the command runs.

use crate::failure::Failure;
use crate::output::Output;
use linsep::io::outputs::{self, Kind, OutputFile};
use std::path::{Path, PathBuf};

/// Inputs and outputs of a command.
#[derive(Default)]
pub struct Files<'a> {
    inputs: Vec<&'a Path>,
    outputs: Vec<OutputFile>,
}

impl<'a> Files<'a> {
    /// Adds paths that may be read; a path without a file is ignored.
    pub fn reads<P: AsRef<Path> + ?Sized + 'a>(
        mut self,
        paths: impl IntoIterator<Item = &'a P>,
    ) -> Self {
        self.inputs.extend(paths.into_iter().map(AsRef::as_ref));
        self
    }

    /// Adds the output file of an option, if the option is given.
    pub fn writes(mut self, flag: &'static str, path: Option<PathBuf>, kind: Kind) -> Self {
        self.outputs.extend(path.map(|path| OutputFile { setting: flag, path, kind }));
        self
    }

    /// Refuses to overwrite an input, and without `--force` a file of another kind.
    pub fn check(self, out: &Output) -> Result<(), Failure> {
        Ok(outputs::check(&self.inputs, &self.outputs, out.force)?)
    }
}
