//! Checksums that compare two readings of one file.
//!
//! Over the features x (n rows, d columns) and the numeric labels y:
//!
//! ```text
//!   sum        Σ xᵢⱼ                 squares   Σ xᵢⱼ²
//!   by_column  Σ (j + 1) xᵢⱼ         by_row    Σ (i + 1) xᵢⱼ / n
//!   labels     Σ (i + 1) yᵢ / n      columns   Σᵢ xᵢⱼ for each j, if d ≤ 256
//! ```
//!
//! A wrong value, or a value in the wrong row or column, changes at least one of the sums. They are
//! sums in f64, in any order of summation, so they are compared within a tolerance.

use linsep::core::data::Rows;
use linsep::core::{Design, Label, Labels};
use linsep::io::table::{MISSING, Table, Values};
use serde::Serialize;

/// Maximum number of columns with printed column sums.
const MOST: usize = 256;

/// Checksums of a data set; see the head of this file.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Fingerprint {
    rows: usize,
    cols: usize,
    sum: f64,
    squares: f64,
    by_column: f64,
    by_row: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<f64>>,
    /// Number of non-missing categorical cells and their total length in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<(u64, u64)>,
}

impl Fingerprint {
    /// Returns the checksums of a matrix with labels.
    pub(crate) fn of_design(x: &Design, labels: &Labels) -> Result<Self, String> {
        let mut found = match x {
            Design::DenseF64(x) => of_rows(x),
            Design::DenseF32(x) => of_rows(x),
            Design::SparseF64(x) => of_rows(x),
            Design::SparseF32(x) => of_rows(x),
            _ => return Err("unknown storage".to_owned()),
        };
        let numbers: Option<Vec<f64>> = labels
            .classes()
            .iter()
            .map(|class| if let Label::Number(y) = class { Some(*y) } else { None })
            .collect();
        found.labels = numbers.map(|y| {
            let terms = labels.codes().iter().enumerate();
            let sum: f64 = terms.map(|(i, &code)| (i + 1) as f64 * y[code as usize]).sum();
            sum / found.rows as f64
        });
        Ok(found)
    }

    /// Returns the checksums of a table with numeric and categorical columns.
    pub(crate) fn of_table(table: &Table) -> Self {
        let (n, width) = (table.rows, table.width);
        let mut columns = vec![0.0; width];
        let mut found = Self { rows: n, cols: table.columns.len(), ..Self::default() };
        for i in 0..n {
            let mut sum = 0.0;
            for (total, &value) in columns.iter_mut().zip(table.row(i)) {
                let value = if value.is_nan() { 0.0 } else { value };
                *total += value;
                sum += value;
                found.squares += value * value;
            }
            found.by_row += (i + 1) as f64 * sum / n as f64;
        }
        let (mut count, mut bytes) = (0, 0);
        for column in &table.columns {
            if let Values::Categorical { codes, levels } = &column.values {
                let words = codes.iter().filter(|code| **code != MISSING);
                let lengths = words.map(|&code| levels[code as usize].len() as u64);
                lengths.for_each(|length| (count, bytes) = (count + 1, bytes + length));
            }
        }
        found.words = Some((count, bytes));
        found.with_columns(columns)
    }

    fn with_columns(mut self, columns: Vec<f64>) -> Self {
        self.sum = columns.iter().sum();
        self.by_column = columns.iter().zip(1..).map(|(sum, j)| f64::from(j) * sum).sum();
        self.columns = (columns.len() <= MOST).then_some(columns);
        self
    }
}

fn of_rows(x: &impl Rows) -> Fingerprint {
    let (n, d) = (x.n(), x.d());
    let (mut columns, ones) = (vec![0.0; d], vec![1.0; d]);
    let mut found = Fingerprint { rows: n, cols: d, ..Fingerprint::default() };
    for i in 0..n {
        x.axpy(1.0, i, &mut columns);
        found.squares += x.norm_sq(i);
        found.by_row += (i + 1) as f64 * x.dot(i, &ones) / n as f64;
    }
    found.with_columns(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsep::TrainingData;
    use linsep::io::{Input, ReadOptions, Source, read_source};

    fn input(text: &str) -> Input {
        read_source(Source::from_bytes("t", text), &ReadOptions::default()).unwrap()
    }

    fn of(text: &str) -> Fingerprint {
        let training = TrainingData::new(input(text), &crate::read::raw_settings()).unwrap();
        Fingerprint::of_design(&training.x, &training.labels).unwrap()
    }

    #[test]
    fn sums_match_the_definitions_of_the_header() {
        let found = of("a,b,y\n1,2,0\n3,5,1\n");
        assert_eq!((found.rows, found.cols), (2, 2));
        assert_eq!((found.sum, found.squares), (11.0, 39.0));
        assert_eq!((found.by_column, found.by_row), (4.0 + 14.0, 9.5));
        assert_eq!((found.labels, found.columns), (Some(1.0), Some(vec![4.0, 7.0])));
    }

    #[test]
    fn sums_depend_on_positions_but_not_on_storage() {
        assert_eq!(of("0 1:1 2:2\n1 1:3 2:5\n"), of("a,b,y\n1,2,0\n3,5,1\n"));
        assert_ne!(of("0 1:2 2:1\n1 1:3 2:5\n").by_column, of("0 1:1 2:2\n1 1:3 2:5\n").by_column);
        assert_ne!(of("0 1:3 2:5\n1 1:1 2:2\n").by_row, of("0 1:1 2:2\n1 1:3 2:5\n").by_row);
    }

    #[test]
    fn missing_cells_are_not_counted() {
        let Input::Table(table) = input("a,b\n1,xy\n,?\n4,z\n") else { panic!("a table") };
        let found = Fingerprint::of_table(&table);
        assert_eq!((found.sum, found.words), (5.0, Some((2, 3))));
    }
}
