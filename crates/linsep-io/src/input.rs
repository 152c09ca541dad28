//! From a path to what is in it, whatever the format.

use crate::csv::{CsvOptions, read_csv};
use crate::error::Error;
use crate::libsvm::{LibsvmOptions, looks_like_libsvm, read_libsvm};
use crate::source::Source;
use crate::table::{Sparse, Table};
use linsep::Label;
use linsep::math::rng::Rng;
use std::collections::BTreeMap;
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

impl Input {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Table(table) => table.rows,
            Self::Sparse(sparse) => sparse.rows,
        }
    }

    /// The rows at these places, in this order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::Table(table) => Self::Table(table.select_rows(rows)),
            Self::Sparse(sparse) => Self::Sparse(sparse.select_rows(rows)),
        }
    }

    /// Sets a share of the rows aside: in each class about that share, drawn from the seed. Returns
    /// the rest and what was set aside, both in the order of the data.
    pub fn hold_out(
        &self,
        share: f64,
        seed: u64,
        target: Option<&str>,
    ) -> Result<(Self, Self), Error> {
        let classes = crate::dataset::class_of_rows(self, target)?;
        let mut by_class: BTreeMap<Option<&Label>, Vec<usize>> = BTreeMap::new();
        for i in 0..self.rows() {
            by_class.entry(classes.get(i)).or_default().push(i);
        }
        let mut aside = Vec::new();
        for (stream, rows) in by_class.values_mut().enumerate() {
            Rng::new(seed, stream as u64).shuffle(rows);
            // At least one row of each class stays.
            let n = ((rows.len() as f64 * share).round() as usize).min(rows.len() - 1);
            aside.extend_from_slice(&rows[..n]);
        }
        aside.sort_unstable();
        if aside.is_empty() {
            let (name, got) = ("holdout", share.to_string());
            return Err(Error::Setting { name, got, want: "large enough to hold a row" });
        }
        let rest: Vec<usize> =
            (0..self.rows()).filter(|i| aside.binary_search(i).is_err()).collect();
        Ok((self.select_rows(&rest), self.select_rows(&aside)))
    }
}

/// Reads a file; `-` is stdin.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Input, Error> {
    read_source(Source::open(path)?, options)
}

/// Reads a source.
pub fn read_source(mut source: Source, options: &ReadOptions) -> Result<Input, Error> {
    match format_of(&mut source, options)? {
        Format::Csv => read_csv(source, &options.csv).map(Input::Table),
        Format::Libsvm => read_libsvm(source, &options.libsvm).map(Input::Sparse),
    }
}

/// The format that was asked for, or what the first bytes tell.
pub(crate) fn format_of(source: &mut Source, options: &ReadOptions) -> Result<Format, Error> {
    if let Some(format) = options.format {
        return Ok(format);
    }
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
    fn rows_are_held_out_class_by_class() {
        let mut text = String::from("a,y\n");
        for i in 0..100 {
            text += &format!("{i},{}\n", if i % 10 == 0 { "rare" } else { "usual" });
        }
        let source = Source::from_bytes("x", text);
        let input = read_source(source, &ReadOptions::default()).unwrap();
        let (rest, aside) = input.hold_out(0.2, 3, None).unwrap();
        assert_eq!((rest.rows(), aside.rows()), (80, 20));
        let Input::Table(aside) = aside else { panic!("a table") };
        let rare = (0..20).filter(|&i| aside.row(i)[0] % 10.0 == 0.0).count();
        assert_eq!(rare, 2);
        let (_, again) = input.hold_out(0.2, 3, None).unwrap();
        let Input::Table(again) = again else { panic!("a table") };
        assert_eq!(aside.numbers, again.numbers, "the same seed, the same rows");
        assert!(input.hold_out(0.001, 3, None).is_err());
    }

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
