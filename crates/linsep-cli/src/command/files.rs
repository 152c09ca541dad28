//! The files that a command reads and writes, checked before its work begins.

use crate::failure::Failure;
use linsep_io::outputs::{self, Kind, OutputFile};
use std::path::{Path, PathBuf};

/// What a command reads and writes.
#[derive(Default)]
pub struct Files<'a> {
    inputs: Vec<&'a Path>,
    outputs: Vec<OutputFile>,
}

impl<'a> Files<'a> {
    /// Adds files that are read, or may be: what names no file does no harm.
    pub fn reads<P: AsRef<Path> + ?Sized + 'a>(
        mut self,
        paths: impl IntoIterator<Item = &'a P>,
    ) -> Self {
        self.inputs.extend(paths.into_iter().map(AsRef::as_ref));
        self
    }

    /// Adds the file that an option names, if it is given.
    pub fn writes(mut self, flag: &'static str, path: Option<PathBuf>, kind: Kind) -> Self {
        self.outputs.extend(path.map(|path| OutputFile { flag, path, kind }));
        self
    }

    /// Refuses to overwrite inputs, and without `force` what is of another kind.
    pub fn check(&self, force: bool) -> Result<(), Failure> {
        Ok(outputs::check(&self.inputs, &self.outputs, force)?)
    }
}
