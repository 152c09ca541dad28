//! A few rows of a file as they were read, to be looked at one by one.

use super::{Scoring, Told, other};
use crate::arrow::stream_arrow;
use crate::columns::ColumnarOptions;
use crate::csv::{Force, stream_csv};
use crate::error::Error;
use crate::input::{Format, Input, format_of, read_source};
use crate::labels::RowLabels;
use crate::libsvm::stream_libsvm;
use crate::parquet::stream_parquet;
use crate::recipe::{Recipe, TableRecipe};
use crate::source::Source;
use crate::table::Table;
use linsep::Label;

/// A row of a file, alone.
#[derive(Clone, Debug)]
pub struct Picked {
    /// Its number, counted from 0.
    pub row: usize,
    /// The row.
    pub input: Input,
    /// Its class, where the file tells it.
    pub label: Option<Label>,
}

/// Rows that are wanted, among those that go by.
struct Picking<'a> {
    wanted: &'a [usize],
    seen: usize,
    found: Vec<Picked>,
}

impl Picking<'_> {
    fn take(&mut self, input: &Input, labels: Option<&RowLabels>) {
        let here = self.seen..self.seen + input.rows();
        for &row in self.wanted.iter().filter(|row| here.contains(row)) {
            let at = row - self.seen;
            let label = labels.and_then(|labels| labels.get(at)).cloned();
            self.found.push(Picked { row, input: input.select_rows(&[at]), label });
        }
        self.seen = here.end;
    }
}

impl Scoring<'_> {
    /// The rows of these numbers, in the order asked for, and how many rows there are. Classes are told where the file has them.
    pub fn pick(&self, mut source: Source, rows: &[usize]) -> Result<(Vec<Picked>, usize), Error> {
        let name = source.name().to_owned();
        let format = format_of(&mut source, self.read)?;
        let columnar = ColumnarOptions::from(&self.read.csv);
        let mut picking = Picking { wanted: rows, seen: 0, found: Vec::new() };
        match (&self.bundle.header.recipe, format) {
            (Recipe::Sparse { columns, base }, Format::Libsvm) => {
                let options = crate::LibsvmOptions {
                    zero_based: Some(*base == 0),
                    ..self.read.libsvm.clone()
                };
                stream_libsvm(source, &options, Ok, |mut sparse| {
                    let labels = RowLabels::of_sparse(&sparse).renamed(self.map);
                    sparse.number_as(columns);
                    picking.take(&Input::Sparse(sparse), Some(&labels));
                    Ok(())
                })?;
            }
            (Recipe::Table(recipe), Format::Csv | Format::Parquet | Format::Arrow) => {
                let choose =
                    |names: &[String], header: bool| self.types(recipe, &name, names, header);
                let take = |table: Table| {
                    let labels = self.told(recipe, &table);
                    picking.take(&Input::Table(table), labels.as_ref());
                    Ok(())
                };
                match format {
                    Format::Parquet => stream_parquet(source, &columnar, choose, Ok, take)?,
                    Format::Arrow => stream_arrow(source, &columnar, choose, Ok, take)?,
                    _ => stream_csv(source, &self.read.csv, choose, Ok, take)?,
                }
            }
            // Data of another kind: what is in it, or what is wrong with it, is said there.
            (Recipe::Table(_), Format::Libsvm) | (Recipe::Sparse { .. }, _) => {
                return match read_source(source, self.read)? {
                    Input::Table(table) => Err(other(&table.name, super::TABLE, super::PAIRS)),
                    Input::Sparse(sparse) => Err(other(&sparse.name, super::PAIRS, super::TABLE)),
                };
            }
        }
        let Picking { seen, mut found, .. } = picking;
        found.sort_by_key(|picked| rows.iter().position(|row| *row == picked.row));
        Ok((found, seen))
    }

    /// The same from rows that are in memory.
    pub fn pick_from(&self, input: &Input, rows: &[usize]) -> Vec<Picked> {
        let mut picking = Picking { wanted: rows, seen: 0, found: Vec::new() };
        let labels = match (&self.bundle.header.recipe, input) {
            (Recipe::Table(recipe), Input::Table(table)) => self.told(recipe, table),
            (_, Input::Sparse(sparse)) => Some(RowLabels::of_sparse(sparse).renamed(self.map)),
            _ => None,
        };
        picking.take(input, labels.as_ref());
        picking.found.sort_by_key(|picked| rows.iter().position(|row| *row == picked.row));
        picking.found
    }

    /// How columns are read: as for scoring, and the classes where they are.
    fn types(
        &self,
        recipe: &TableRecipe,
        file: &str,
        names: &[String],
        header: bool,
    ) -> Result<Vec<Option<Force>>, Error> {
        let labels = match self.classes(recipe) {
            Told::By(target) => names.iter().any(|name| name == target),
            Told::Counts(_) => false,
        };
        let mut extra = Vec::new();
        let scoring = Self { labels, weights: None, ..*self };
        scoring.choose(recipe, file, &mut extra)(names, header)
    }

    /// The classes of a table, where it has a column for them.
    fn told(&self, recipe: &TableRecipe, table: &Table) -> Option<RowLabels> {
        let Told::By(target) = self.classes(recipe) else { return None };
        let column = table.column(target)?;
        Some(RowLabels::of_column(table, column).renamed(self.map))
    }
}
