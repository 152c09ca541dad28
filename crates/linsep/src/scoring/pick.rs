//! Selection of a few rows of a file.

use super::{ClassColumns, Scoring};
use crate::error::Error;
use crate::labels::RowLabels;
use linsep_core::Label;
use linsep_io::csv::Force;
use linsep_io::input::{Format, Input, format_of, read_source, stream_table};
use linsep_io::libsvm::stream_libsvm;
use linsep_io::source::Source;
use linsep_io::table::Table;
use std::sync::Arc;

/// A single row of a file.
#[derive(Clone, Debug)]
pub struct SelectedRow {
    /// Index of the row, from 0.
    pub row: usize,
    /// The row.
    pub input: Input,
    /// True class, if the file has it.
    pub label: Option<Label>,
}

/// State of the selection, as blocks pass.
struct RowSelection<'a> {
    wanted: &'a [usize],
    seen: usize,
    found: Vec<SelectedRow>,
}

impl RowSelection<'_> {
    fn take(&mut self, input: &Input, labels: Option<&RowLabels>) {
        let here = self.seen..self.seen + input.rows();
        for &row in self.wanted.iter().filter(|row| here.contains(row)) {
            let at = row - self.seen;
            let label = labels.and_then(|labels| labels.get(at)).cloned();
            self.found.push(SelectedRow { row, input: input.select_rows(&[at]), label });
        }
        self.seen = here.end;
    }
}

impl Scoring<'_> {
    /// Returns the rows with these indices, in the given order, and the number of rows of the file.
    /// Classes are included if the file has them.
    pub fn pick(
        &self,
        mut source: Source,
        rows: &[usize],
    ) -> Result<(Vec<SelectedRow>, usize), Error> {
        let name = source.name().to_owned();
        let format = format_of(&mut source, self.read)?;
        let mut picking = RowSelection { wanted: rows, seen: 0, found: Vec::new() };
        match (&self.recipe().pairs, format) {
            (Some(pairs), Format::Libsvm) => {
                let zero_based = Some(pairs.base == 0);
                let options = linsep_io::LibsvmOptions { zero_based, ..self.read.libsvm.clone() };
                stream_libsvm(source, &options, Ok, |mut sparse| {
                    let labels = RowLabels::of_sparse(&sparse).renamed(self.map);
                    sparse.renumber_for(&pairs.columns);
                    picking.take(&Input::Sparse(Arc::new(sparse)), Some(&labels));
                    Ok::<(), Error>(())
                })?;
            }
            (None, Format::Csv | Format::Parquet | Format::Arrow) => {
                let choose =
                    |names: &[String], header: bool| self.column_types(&name, names, header);
                let take = |table: Table| {
                    let labels = self.target_labels(&table);
                    picking.take(&Input::Table(table), labels.as_ref());
                    Ok::<(), Error>(())
                };
                stream_table(source, format, &self.read.csv, choose, Ok, take)?;
            }
            // Data of another kind; `read_source` returns its own error if the data is invalid.
            (None, Format::Libsvm) | (Some(_), _) => {
                return Err(self.recipe().other_kind(&read_source(source, self.read)?));
            }
        }
        let RowSelection { seen, mut found, .. } = picking;
        found.sort_by_key(|picked| rows.iter().position(|row| *row == picked.row));
        Ok((found, seen))
    }

    /// As [`Scoring::pick`], from rows in memory.
    pub fn pick_from(&self, input: &Input, rows: &[usize]) -> Vec<SelectedRow> {
        let mut picking = RowSelection { wanted: rows, seen: 0, found: Vec::new() };
        let labels = match input {
            Input::Table(table) => self.target_labels(table),
            Input::Sparse(sparse) => Some(RowLabels::of_sparse(sparse).renamed(self.map)),
        };
        picking.take(input, labels.as_ref());
        picking.found.sort_by_key(|picked| rows.iter().position(|row| *row == picked.row));
        picking.found
    }

    /// Selects the type of each column: as in scoring, with the target if the file has it.
    fn column_types(
        &self,
        file: &str,
        names: &[String],
        header: bool,
    ) -> Result<Vec<Option<Force>>, linsep_io::Error> {
        let labels = match self.classes() {
            ClassColumns::By(target) => names.iter().any(|name| name == target),
            ClassColumns::Counts(_) => false,
        };
        let mut extra = Vec::new();
        let scoring = Self { labels, weights: None, ..*self };
        scoring.type_chooser(file, &mut extra)(names, header)
    }

    /// Returns the classes of a table, if it has a target column.
    fn target_labels(&self, table: &Table) -> Option<RowLabels> {
        let ClassColumns::By(target) = self.classes() else { return None };
        let column = table.column(target)?;
        Some(RowLabels::of_column(table, column).renamed(self.map))
    }
}
