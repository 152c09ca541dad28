//! Selection of a few rows of a file.

use super::{ClassColumns, Scoring, other};
use crate::error::Error;
use crate::labels::RowLabels;
use crate::recipe::{Recipe, TableRecipe};
use linsep_core::Label;
use linsep_io::csv::Force;
use linsep_io::input::{Format, Input, format_of, read_source, stream_table};
use linsep_io::libsvm::stream_libsvm;
use linsep_io::source::Source;
use linsep_io::table::Table;

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
        match (&self.model_file.header.recipe, format) {
            (Recipe::Sparse { columns, base }, Format::Libsvm) => {
                let options = crate::LibsvmOptions {
                    zero_based: Some(*base == 0),
                    ..self.read.libsvm.clone()
                };
                stream_libsvm(source, &options, Ok, |mut sparse| {
                    let labels = RowLabels::of_sparse(&sparse).renamed(self.map);
                    sparse.renumber_for(columns);
                    picking.take(&Input::Sparse(sparse), Some(&labels));
                    Ok::<(), Error>(())
                })?;
            }
            (Recipe::Table(recipe), Format::Csv | Format::Parquet | Format::Arrow) => {
                let choose = |names: &[String], header: bool| {
                    self.column_types(recipe, &name, names, header)
                };
                let take = |table: Table| {
                    let labels = self.target_labels(recipe, &table);
                    picking.take(&Input::Table(table), labels.as_ref());
                    Ok::<(), Error>(())
                };
                stream_table(source, format, &self.read.csv, choose, Ok, take)?;
            }
            // Data of another kind; `read_source` returns its own error if the data is invalid.
            (Recipe::Table(_), Format::Libsvm) | (Recipe::Sparse { .. }, _) => {
                return match read_source(source, self.read)? {
                    Input::Table(table) => Err(other(&table.name, super::TABLE, super::LIBSVM)),
                    Input::Sparse(sparse) => Err(other(&sparse.name, super::LIBSVM, super::TABLE)),
                };
            }
        }
        let RowSelection { seen, mut found, .. } = picking;
        found.sort_by_key(|picked| rows.iter().position(|row| *row == picked.row));
        Ok((found, seen))
    }

    /// As [`Scoring::pick`], from rows in memory.
    pub fn pick_from(&self, input: &Input, rows: &[usize]) -> Vec<SelectedRow> {
        let mut picking = RowSelection { wanted: rows, seen: 0, found: Vec::new() };
        let labels = match (&self.model_file.header.recipe, input) {
            (Recipe::Table(recipe), Input::Table(table)) => self.target_labels(recipe, table),
            (_, Input::Sparse(sparse)) => Some(RowLabels::of_sparse(sparse).renamed(self.map)),
            _ => None,
        };
        picking.take(input, labels.as_ref());
        picking.found.sort_by_key(|picked| rows.iter().position(|row| *row == picked.row));
        picking.found
    }

    /// Selects the type of each column: as in scoring, with the target if the file has it.
    fn column_types(
        &self,
        recipe: &TableRecipe,
        file: &str,
        names: &[String],
        header: bool,
    ) -> Result<Vec<Option<Force>>, linsep_io::Error> {
        let labels = match self.classes(recipe) {
            ClassColumns::By(target) => names.iter().any(|name| name == target),
            ClassColumns::Counts(_) => false,
        };
        let mut extra = Vec::new();
        let scoring = Self { labels, weights: None, ..*self };
        scoring.type_chooser(recipe, file, &mut extra)(names, header)
    }

    /// Returns the classes of a table, if it has a target column.
    fn target_labels(&self, recipe: &TableRecipe, table: &Table) -> Option<RowLabels> {
        let ClassColumns::By(target) = self.classes(recipe) else { return None };
        let column = table.column(target)?;
        Some(RowLabels::of_column(table, column).renamed(self.map))
    }
}
