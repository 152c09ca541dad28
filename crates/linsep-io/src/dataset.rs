//! From what was in a file to what is learned from or scored: features and classes.

use crate::bundle::Schema;
use crate::error::Error;
use crate::input::Input;
use crate::place::Place;
use crate::table::{Column, Sparse, Table, Values};
use linsep::{Design, Label, Labels};
use std::collections::{HashMap, HashSet};

/// Names by which the column with the classes is known.
const TARGETS: [&str; 4] = ["target", "label", "class", "y"];

/// Rows with classes, to learn from.
#[derive(Debug)]
pub struct Training {
    /// The features.
    pub x: Design,
    /// The classes.
    pub labels: Labels,
    /// What a row looks like.
    pub schema: Schema,
}

impl Training {
    /// Takes the classes from the target column and everything else as features. Without a name the
    /// target is the column called target, label, class or y, else the last one.
    pub fn new(input: Input, target: Option<&str>) -> Result<Self, Error> {
        match input {
            Input::Table(table) => {
                let at = target_column(&table, target)?;
                let target = table.columns[at].name.clone();
                let labels = labels(&table, at)?;
                let names = table.columns.iter().map(|column| column.name.clone());
                let features: Vec<String> = names.filter(|name| *name != target).collect();
                if features.is_empty() {
                    let place = Box::new(Place::file(&table.name));
                    return Err(Error::OnlyTarget { place, target });
                }
                let header = table.header;
                let x = design(table, &features)?;
                Ok(Self { x, labels, schema: Schema::Table { features, header, target } })
            }
            Input::Sparse(sparse) => {
                let labels = Labels::from_levels(&sparse.levels, &sparse.codes);
                let schema = Schema::Sparse { columns: sparse.cols, base: sparse.base };
                let x = sparse_design(sparse)?;
                Ok(Self { x, labels, schema })
            }
        }
    }
}

/// Rows to score with a model.
#[derive(Debug)]
pub struct Scoring {
    /// The features, in the order of the model's.
    pub x: Design,
    /// The classes, where the data has them.
    pub labels: Option<Labels>,
    /// What the user should know about how the two were matched.
    pub notes: Vec<String>,
}

impl Scoring {
    /// Matches the columns of the data with those of the model, by name; those of a file without
    /// header by place, where there are just as many.
    pub fn new(input: Input, schema: &Schema, target: Option<&str>) -> Result<Self, Error> {
        match (input, schema) {
            (Input::Table(table), Schema::Table { features, target: own, .. }) => {
                Self::from_table(table, features, target.unwrap_or(own))
            }
            (Input::Sparse(sparse), Schema::Sparse { columns, base }) => {
                Self::from_sparse(sparse, *columns, *base)
            }
            (Input::Table(table), Schema::Sparse { .. }) => Err(Error::OtherKind {
                place: Box::new(Place::file(&table.name)),
                found: "a table with columns",
                want: "numbered pairs (LIBSVM)",
            }),
            (Input::Sparse(sparse), Schema::Table { .. }) => Err(Error::OtherKind {
                place: Box::new(Place::file(&sparse.name)),
                found: "numbered pairs (LIBSVM)",
                want: "a table with named columns",
            }),
        }
    }

    fn from_table(mut table: Table, features: &[String], target: &str) -> Result<Self, Error> {
        if !table.header && table.columns.len() == features.len() {
            for (column, name) in table.columns.iter_mut().zip(features) {
                column.name.clone_from(name);
            }
        }
        let mut notes = Vec::new();
        let at = table.columns.iter().position(|column| column.name == target);
        let labels = at.map(|at| labels(&table, at)).transpose()?;
        let known: HashSet<&str> = features.iter().map(String::as_str).chain([target]).collect();
        let names = table.columns.iter().map(|column| column.name.as_str());
        let extra: Vec<&str> = names.filter(|name| !known.contains(name)).collect();
        if !extra.is_empty() {
            notes.push(format!("columns the model does not know are left out: {}", few(&extra)));
        }
        Ok(Self { x: design(table, features)?, labels, notes })
    }

    fn from_sparse(mut sparse: Sparse, columns: usize, base: u8) -> Result<Self, Error> {
        let mut notes = Vec::new();
        if sparse.base > base {
            // No index 0 in this file, but the model's columns are counted from 0.
            sparse.indices.iter_mut().for_each(|i| *i += 1);
        } else if sparse.base < base {
            return Err(Error::OtherKind {
                place: Box::new(Place::file(&sparse.name)),
                found: "an index 0",
                want: "indices from 1, as in the data it was trained on",
            });
        }
        let labels = Labels::from_levels(&sparse.levels, &sparse.codes);
        let beyond = drop_beyond(&mut sparse, columns);
        if beyond > 0 {
            notes.push(format!("values in columns the model does not know are left out: {beyond}"));
        }
        Ok(Self { x: sparse_design(sparse)?, labels: Some(labels), notes })
    }
}

/// The column with the classes.
fn target_column(table: &Table, name: Option<&str>) -> Result<usize, Error> {
    let find = |f: &dyn Fn(&Column) -> bool| table.columns.iter().position(f);
    let Some(name) = name else {
        let known = TARGETS.iter().find_map(|t| find(&|c| c.name.eq_ignore_ascii_case(t)));
        return Ok(known.unwrap_or(table.columns.len() - 1));
    };
    find(&|c| c.name == name).ok_or_else(|| no_column(table, name))
}

fn no_column(table: &Table, name: &str) -> Error {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    Error::NoColumn {
        place: Box::new(Place::file(&table.name)),
        name: name.to_owned(),
        known: few(&names),
    }
}

/// The first few of many names.
fn few(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The classes of the rows.
fn labels(table: &Table, at: usize) -> Result<Labels, Error> {
    let column = &table.columns[at];
    if column.missing > 0 {
        let hint = "Fill it in, or take the row out.";
        return Err(missing_cell(&table.name, column, "a class", hint));
    }
    Ok(match &column.values {
        Values::Words { codes, levels } => Labels::from_levels(levels, codes),
        Values::Number { slot } => {
            Labels::from_labels((0..table.rows).map(|i| Label::Number(table.row(i)[*slot])))
        }
    })
}

/// The first missing cell of a column.
fn missing_cell(file: &str, column: &Column, want: &'static str, hint: &'static str) -> Error {
    let place = Place::column(file, column.number, &column.name);
    let place = Box::new(Place { line: column.first_missing, ..place });
    Error::MissingCell { place, want, hint }
}

/// The features as a dense matrix, in the order given. What is already in order is not copied.
fn design(mut table: Table, features: &[String]) -> Result<Design, Error> {
    let places: HashMap<&str, usize> =
        table.columns.iter().enumerate().map(|(at, column)| (column.name.as_str(), at)).collect();
    let mut slots = Vec::with_capacity(features.len());
    for name in features {
        let at = *places.get(name.as_str()).ok_or_else(|| no_column(&table, name))?;
        let Values::Number { slot } = table.columns[at].values else {
            let place = Place::column(&table.name, table.columns[at].number, name);
            return Err(Error::WordsAsFeature { place: Box::new(place), name: name.clone() });
        };
        if table.columns[at].missing > 0 {
            let hint = "Fill it in, or take the row or the column out.";
            return Err(missing_cell(&table.name, &table.columns[at], "a number", hint));
        }
        slots.push(slot);
    }
    let (n, d, width) = (table.rows, features.len(), table.width);
    let mut numbers = std::mem::take(&mut table.numbers);
    if !slots.iter().copied().eq(0..width) {
        let mut row = vec![0.0; d];
        for i in 0..n {
            for (value, slot) in row.iter_mut().zip(&slots) {
                *value = numbers[i * width + slot];
            }
            // d ≤ width, so what is overwritten has been read.
            numbers[i * d..][..d].copy_from_slice(&row);
        }
        numbers.truncate(n * d);
    }
    let name = &table.name;
    Design::dense(n, d, numbers).map_err(|source| core_error(name, source))
}

fn sparse_design(sparse: Sparse) -> Result<Design, Error> {
    let Sparse { name, cols, starts, indices, values, .. } = sparse;
    Design::sparse(cols, starts, indices, values).map_err(|source| core_error(&name, source))
}

fn core_error(name: &str, source: linsep::Error) -> Error {
    Error::Core { place: Box::new(Place::file(name)), source }
}

/// Leaves out the values of columns from `columns` on; returns how many.
fn drop_beyond(sparse: &mut Sparse, columns: usize) -> usize {
    let before = sparse.values.len();
    let mut kept = 0;
    for i in 0..sparse.rows {
        let range = sparse.starts[i]..sparse.starts[i + 1];
        sparse.starts[i] = kept;
        for at in range {
            if (sparse.indices[at] as usize) < columns {
                sparse.indices[kept] = sparse.indices[at];
                sparse.values[kept] = sparse.values[at];
                kept += 1;
            }
        }
    }
    sparse.starts[sparse.rows] = kept;
    sparse.indices.truncate(kept);
    sparse.values.truncate(kept);
    sparse.cols = columns;
    before - kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{ReadOptions, read_source};
    use crate::source::Source;

    fn input(text: &str) -> Input {
        let source = Source::from_bytes("t.csv", text.as_bytes());
        read_source(source, &ReadOptions::default()).unwrap()
    }

    fn training(text: &str, target: Option<&str>) -> Result<Training, String> {
        Training::new(input(text), target).map_err(|e| e.to_string())
    }

    #[test]
    fn the_target_is_found_by_name_or_is_the_last() {
        let of = |text| match training(text, None).unwrap().schema {
            Schema::Table { target, features, .. } => (target, features.join(" ")),
            Schema::Sparse { .. } => panic!("a table"),
        };
        assert_eq!(of("a,Class,c\n1,x,2\n3,y,4\n"), ("Class".into(), "a c".into()));
        assert_eq!(of("a,b,c\n1,5,2\n3,6,4\n").0, "c");
        assert_eq!(of("1,2,x\n3,4,y\n"), ("V3".into(), "V1 V2".into()));
        let named = training("a,b\n1,2\n3,4\n", Some("a")).unwrap();
        assert_eq!(named.labels.classes(), [Label::Number(1.0), Label::Number(3.0)]);
        assert_eq!(named.x.row(1), [4.0]);
    }

    #[test]
    fn what_cannot_be_learned_from_is_said() {
        let says = |text, target| training(text, target).unwrap_err();
        assert!(says("a,b\n1,2\n3,4\n", Some("c")).contains("no column called \"c\""));
        assert!(says("a,b,y\n1,u,0\n3,v,1\n", None).contains("column 2 (b)"));
        assert!(says("y\na\nb\n", None).contains("only one column"));
        assert!(says("a,y\n1,0\n,1\n", None).contains("t.csv, line 3, column 1 (a)"));
        assert!(says("a,y\n1,0\n2,\n", None).contains("where a class belongs"));
    }

    #[test]
    fn columns_are_matched_by_name_and_by_place_without_names() {
        let schema = Schema::Table {
            features: vec!["u".into(), "v".into()],
            header: true,
            target: "t".into(),
        };
        let scoring = |text| Scoring::new(input(text), &schema, None);
        let named = scoring("t,v,u,w\na,1,2,9\nb,3,4,9\n").unwrap();
        assert_eq!((named.x.row(0), named.x.row(1)), (vec![2.0, 1.0], vec![4.0, 3.0]));
        assert_eq!(named.labels.unwrap().k(), 2);
        assert_eq!(named.notes, ["columns the model does not know are left out: w"]);
        let placed = scoring("5,6\n7,8\n").unwrap();
        assert_eq!(placed.x.row(1), [7.0, 8.0]);
        let missing = scoring("u,w\n1,2\n").unwrap_err().to_string();
        assert!(missing.contains("no column called \"v\""), "{missing}");
    }

    #[test]
    fn sparse_columns_beyond_the_model_are_left_out() {
        let schema = Schema::Sparse { columns: 2, base: 1 };
        let scoring = Scoring::new(input("1 1:5 3:6\n-1 2:7\n"), &schema, None).unwrap();
        assert_eq!((scoring.x.row(0), scoring.x.row(1)), (vec![5.0, 0.0], vec![0.0, 7.0]));
        assert_eq!(scoring.notes.len(), 1);
        let zero = Scoring::new(input("1 0:5\n-1 1:7\n"), &schema, None).unwrap_err();
        assert!(zero.to_string().contains("an index 0"));
    }
}
