//! From a path to what is in it, whatever the format.

use crate::csv::{CsvOptions, read_csv};
use crate::error::Error;
use crate::libsvm::{LibsvmOptions, looks_like_libsvm, read_libsvm};
use crate::source::Source;
use crate::table::{Sparse, Table};
use std::io::Read;
use std::path::Path;

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Fields between delimiters.
    Csv,
    /// A label and index:value pairs.
    Libsvm,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Libsvm];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Libsvm => "libsvm",
        }
    }
}

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format; `None`: told from the content.
    pub format: Option<Format>,
    /// For CSV.
    pub csv: CsvOptions,
    /// For LIBSVM.
    pub libsvm: LibsvmOptions,
}

/// What was in a file.
#[derive(Debug)]
pub enum Input {
    /// Columns with names and types.
    Table(Table),
    /// Sparse rows with labels.
    Sparse(Sparse),
}

/// Reads a file; `-` is stdin.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Input, Error> {
    read_source(Source::open(path)?, options)
}

/// Reads a source.
pub fn read_source(mut source: Source, options: &ReadOptions) -> Result<Input, Error> {
    let format = match options.format {
        Some(format) => format,
        None => sniff(&mut source)?,
    };
    match format {
        Format::Csv => read_csv(source, &options.csv).map(Input::Table),
        Format::Libsvm => read_libsvm(source, &options.libsvm).map(Input::Sparse),
    }
}

/// Tells the format from the first bytes.
fn sniff(source: &mut Source) -> Result<Format, Error> {
    const LOOK: u64 = 64 << 10;
    let name = source.name().to_owned();
    let mut head = Vec::new();
    let look = source.pass(false)?.take(LOOK).read_to_end(&mut head);
    look.map_err(|e| Error::from_io(&name, e))?;
    Ok(if looks_like_libsvm(&head) { Format::Libsvm } else { Format::Csv })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_from_the_content() {
        let read = |text: &str| {
            let once = Source::from_reader("x", std::io::Cursor::new(text.to_owned()));
            read_source(once, &ReadOptions::default()).unwrap()
        };
        assert!(matches!(read("+1 1:2 3:0.5\n-1 2:1\n"), Input::Sparse(s) if s.rows == 2));
        assert!(matches!(read("a,b\n1,x\n2,y\n"), Input::Table(t) if t.rows == 2));
    }
}
