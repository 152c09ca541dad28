//! From what was in a file to what is learned from: features, classes, weights, and the recipe for
//! doing the same again.

use crate::csv::{CsvOptions, read_csv};
use crate::error::Error;
use crate::input::Input;
use crate::labels::{LabelMap, RowLabels};
use crate::place::Place;
use crate::reals::Reals;
use crate::recipe::{Encoded, Recipe, RecipeSettings, Roles, Scaling, TableRecipe};
use crate::source::Source;
use crate::table::{Column, Sparse, Table, Values};
use linsep::data::Csr;
use linsep::{Design, Labels};
use std::path::Path;

/// Names by which the column with the classes is known.
const TARGETS: [&str; 4] = ["target", "label", "class", "y"];

/// What to learn from.
#[derive(Clone, Debug, Default)]
pub struct TrainingSettings {
    /// Column with the classes. Without a name it is the column called target, label, class or y,
    /// else the last one.
    pub target: Option<String>,
    /// Column with the sample weights, or a file with one weight per row.
    pub weights: Option<String>,
    /// Classes to rename, as `OLD=NEW`.
    pub label_map: Vec<String>,
    /// How columns become numbers.
    pub recipe: RecipeSettings,
}

/// Rows with classes, to learn from.
#[derive(Debug)]
pub struct Training {
    /// The features, standardised if the recipe says so.
    pub x: Design,
    /// The classes.
    pub labels: Labels,
    /// The sample weights, if there are any.
    pub weights: Option<Vec<f64>>,
    /// How a row becomes numbers.
    pub recipe: Recipe,
    /// Rows that were left out for what they miss.
    pub dropped: usize,
    /// Missing cells, by column.
    pub missing: Vec<(String, u64)>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Training {
    /// Takes classes and weights from their columns, and learns a recipe for all others.
    pub fn new(input: Input, settings: &TrainingSettings) -> Result<Self, Error> {
        match input {
            Input::Table(table) => Self::from_table(table, settings),
            Input::Sparse(sparse) => Self::from_sparse(sparse, settings),
        }
    }

    fn from_table(table: Table, settings: &TrainingSettings) -> Result<Self, Error> {
        // 1. Classes and weights.
        let at = target_column(&table, settings.target.as_deref())?;
        let target = table.columns[at].name.clone();
        let drop = settings.recipe.missing == crate::recipe::MissingPolicy::Drop;
        let labels = label_cells(&table, at, drop)?;
        let map = LabelMap::from(&settings.label_map, &labels.levels)?;
        let labels = labels.renamed(&map);
        let named = settings.weights.as_deref().filter(|name| table.column(name).is_some());
        let weights = match (&settings.weights, named) {
            (None, _) => None,
            (Some(_), Some(name)) => Some(weight_column(&table, name)?),
            (Some(file), None) => Some(weight_file(file, table.rows, &table)?),
        };

        // 2. The recipe, from the rows that have a class.
        let rows_weights: Vec<f64> = (0..table.rows)
            .map(|i| match &weights {
                _ if labels.get(i).is_none() => 0.0,
                Some(weights) => weights[i],
                None => 1.0,
            })
            .collect();
        let roles = Roles { target: &target, weights: named };
        let (recipe, mut notes) =
            TableRecipe::learn(&table, &roles, &rows_weights, &settings.recipe);
        if recipe.steps.is_empty() {
            let place = Box::new(Place::file(&table.name));
            let left_out = recipe.left_out.iter().map(|l| format!("{}: {}", l.name, l.why));
            let why = left_out.take(5).collect::<Vec<_>>().join("; ");
            return Err(Error::NoFeatures { place, target, why });
        }
        if table.not_utf8 > 0 {
            notes
                .push(format!("cells that are not UTF-8 were read as Latin-1: {}", table.not_utf8));
        }

        // 3. The numbers.
        let name = table.name.clone();
        let Encoded { x, kept, counts } = recipe.encode(table, Scaling::Standard)?;
        let keep = |i: &usize| kept[*i] && labels.get(*i).is_some();
        let rows: Vec<usize> = (0..kept.len()).filter(keep).collect();
        let Some(x) = x.filter(|_| !rows.is_empty()) else {
            return Err(Error::NoRowLeft { place: Box::new(Place::file(&name)) });
        };
        // Rows without a class were encoded too: leave them out.
        let kept_rows: Vec<usize> = (0..kept.len()).filter(|&i| kept[i]).collect();
        let x = if kept_rows.len() == rows.len() {
            x
        } else {
            let wanted: Vec<usize> = kept_rows
                .iter()
                .enumerate()
                .filter(|(_, i)| labels.get(**i).is_some())
                .map(|(place, _)| place)
                .collect();
            x.select_rows(&wanted)
        };
        let dropped = kept.len() - rows.len();
        if dropped > 0 {
            notes.push(format!("rows left out because they miss a value: {dropped}"));
        }
        Ok(Self {
            x,
            labels: labels.select(&rows),
            weights: weights.map(|w| rows.iter().map(|&i| w[i]).collect()),
            recipe: Recipe::Table(recipe),
            dropped,
            missing: counts.missing.into_iter().collect(),
            notes,
        })
    }

    fn from_sparse(sparse: Sparse, settings: &TrainingSettings) -> Result<Self, Error> {
        let labels = RowLabels::of_sparse(&sparse);
        let map = LabelMap::from(&settings.label_map, &labels.levels)?;
        let labels = labels.renamed(&map);
        let weights = match &settings.weights {
            None => None,
            Some(file) => Some(weights_of(file, sparse.rows, &sparse.name)?),
        };
        let recipe = Recipe::Sparse { columns: sparse.cols, base: sparse.base };
        Ok(Self {
            labels: Labels::from_codes(&labels.levels, &labels.codes),
            x: sparse_design(sparse)?,
            weights,
            recipe,
            dropped: 0,
            missing: Vec::new(),
            notes: Vec::new(),
        })
    }
}

/// The column with the classes.
fn target_column(table: &Table, name: Option<&str>) -> Result<usize, Error> {
    let find = |f: &dyn Fn(&Column) -> bool| table.columns.iter().position(f);
    let Some(name) = name else {
        let known = TARGETS.iter().find_map(|t| find(&|c| c.name.eq_ignore_ascii_case(t)));
        return Ok(known.unwrap_or(table.columns.len().saturating_sub(1)));
    };
    find(&|c| c.name == name).ok_or_else(|| Error::no_column(table, name))
}

/// The class of every row of an input.
pub(crate) fn class_of_rows(input: &Input, target: Option<&str>) -> Result<RowLabels, Error> {
    match input {
        Input::Table(table) => label_cells(table, target_column(table, target)?, true),
        Input::Sparse(sparse) => Ok(RowLabels::of_sparse(sparse)),
    }
}

/// The class of every row. A row without one is an error, unless such rows are to be left out.
pub(crate) fn label_cells(table: &Table, at: usize, drop: bool) -> Result<RowLabels, Error> {
    let column = table.columns.get(at).ok_or_else(|| Error::no_column(table, "target"))?;
    if column.missing > 0 && !drop {
        let hint = "Fill it in, or leave such rows out with --missing drop.";
        return Err(missing_cell(&table.name, column, "a class", hint));
    }
    Ok(RowLabels::of_column(table, column))
}

/// The first missing cell of a column.
fn missing_cell(file: &str, column: &Column, want: &'static str, hint: &'static str) -> Error {
    let place = Place::column(file, column.number, &column.name);
    let place = Box::new(Place { line: column.first_missing, ..place });
    Error::MissingCell { place, want, hint }
}

/// The weights in a column of the table.
pub(crate) fn weight_column(table: &Table, name: &str) -> Result<Vec<f64>, Error> {
    let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
    let place = || Box::new(Place::column(&table.name, column.number, name));
    if column.missing > 0 {
        return Err(missing_cell(
            &table.name,
            column,
            "a weight",
            "Fill it in, or take the row out.",
        ));
    }
    match &column.values {
        Values::Number { slot } => Ok((0..table.rows).map(|i| table.row(i)[*slot]).collect()),
        Values::Words { levels, .. } => {
            let found = levels.first().cloned().unwrap_or_default();
            Err(Error::WordsForNumbers { place: place(), found })
        }
    }
}

/// The weights in a file of its own. What is neither a column nor a file gets a message about both.
fn weight_file(file: &str, rows: usize, table: &Table) -> Result<Vec<f64>, Error> {
    if !Path::new(file).exists() {
        return Err(Error::no_column(table, file));
    }
    weights_of(file, rows, &table.name)
}

/// One number per row, as many as the data has rows.
fn weights_of(file: &str, rows: usize, data: &str) -> Result<Vec<f64>, Error> {
    let weights = read_weights(file)?;
    if weights.len() != rows {
        let (place, found) = (Box::new(Place::file(file)), weights.len());
        return Err(Error::OtherLength { place, found, data: data.to_owned(), rows });
    }
    Ok(weights)
}

/// A file with one number per line.
pub fn read_weights(file: &str) -> Result<Vec<f64>, Error> {
    let table = read_csv(Source::open(file)?, &CsvOptions::default())?;
    let [column] = &table.columns[..] else {
        let (found, want) = ("several columns", "one weight per line");
        return Err(Error::OtherKind { place: Box::new(Place::file(file)), found, want });
    };
    weight_column(&table, &column.name)
}

/// Sparse rows as they are.
pub(crate) fn sparse_design(sparse: Sparse) -> Result<Design, Error> {
    let Sparse { name, cols, starts, indices, values, .. } = sparse;
    let x = match values {
        Reals::F32(values) => Csr::new(cols, starts, indices, values).map(Design::SparseF32),
        Reals::F64(values) => Csr::new(cols, starts, indices, values).map(Design::SparseF64),
    };
    x.map_err(|source| Error::Core { place: Box::new(Place::file(&name)), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{ReadOptions, read_source};
    use linsep::Label;

    fn training_with(text: &str, settings: &TrainingSettings) -> Result<Training, String> {
        let source = Source::from_bytes("t.csv", text.as_bytes());
        let input = read_source(source, &ReadOptions::default()).unwrap();
        Training::new(input, settings).map_err(|e| e.to_string())
    }

    fn training(text: &str, target: Option<&str>) -> Result<Training, String> {
        let target = target.map(str::to_owned);
        training_with(text, &TrainingSettings { target, ..TrainingSettings::default() })
    }

    fn table(training: &Training) -> &TableRecipe {
        match &training.recipe {
            Recipe::Table(table) => table,
            Recipe::Sparse { .. } => panic!("a table"),
        }
    }

    #[test]
    fn the_target_is_found_by_name_or_is_the_last() {
        let of = |text| {
            let training = training(text, None).unwrap();
            let names: Vec<&str> =
                table(&training).steps.iter().map(|step| step.name.as_str()).collect();
            (table(&training).target.clone(), names.join(" "))
        };
        assert_eq!(of("a,Class,c\n1,x,2\n3,y,4\n"), ("Class".into(), "a c".into()));
        assert_eq!(of("a,b,c\n1,5,2\n3,6,4\n"), ("c".into(), "a b".into()));
        assert_eq!(of("1,2,x\n3,4,y\n"), ("V3".into(), "V1 V2".into()));
        let named = training("a,b\n1,2\n3,4\n", Some("a")).unwrap();
        assert_eq!(named.labels.classes(), [Label::Number(1.0), Label::Number(3.0)]);
        assert_eq!(named.x.row(1), [1.0], "standardised");
    }

    #[test]
    fn what_cannot_be_learned_from_is_said() {
        let says = |text, target| training(text, target).unwrap_err();
        assert!(says("a,b\n1,2\n3,4\n", Some("c")).contains("no column called \"c\""));
        assert!(says("y\na\nb\n", None).contains("no column to learn from"));
        assert!(says("a,y\n1,0\n1,1\n", None).contains("a: it is 1 everywhere"));
        let missing = says("a,y\n1,0\n2,\n", None);
        assert!(missing.contains("t.csv, line 3, column 2 (y)"), "{missing}");
    }

    #[test]
    fn rows_that_miss_something_can_be_left_out() {
        let mut settings = TrainingSettings::default();
        settings.recipe.missing = crate::recipe::MissingPolicy::Drop;
        let text = "a,b,y\n1,u,0\n,v,1\n3,,0\n4,u,\n5,v,1\n7,u,0\n";
        let training = training_with(text, &settings).unwrap();
        assert_eq!((training.x.n(), training.labels.n(), training.dropped), (3, 3, 3));
        assert_eq!(training.labels.codes(), [0, 1, 0]);
    }

    #[test]
    fn weights_come_from_a_column_or_a_file() {
        let weights = |name: &str| {
            let weights = Some(name.to_owned());
            let settings = TrainingSettings { weights, ..TrainingSettings::default() };
            training_with("a,s,y\n1,2,0\n3,0.5,1\n", &settings)
        };
        let column = weights("s").unwrap();
        assert_eq!(column.weights, Some(vec![2.0, 0.5]));
        assert_eq!(table(&column).steps.len(), 1, "a weight is no feature");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "3\n4\n").unwrap();
        assert_eq!(weights(file.path().to_str().unwrap()).unwrap().weights, Some(vec![3.0, 4.0]));
        std::fs::write(file.path(), "3\n4\n5\n").unwrap();
        let error = weights(file.path().to_str().unwrap()).unwrap_err();
        assert!(error.contains("found 3 weights, but t.csv has 2 rows"), "{error}");
        assert!(weights("nowhere").unwrap_err().contains("no column called"));
    }

    #[test]
    fn classes_can_be_renamed() {
        let label_map = vec!["x=z".to_owned()];
        let settings = TrainingSettings { label_map, ..TrainingSettings::default() };
        let training = training_with("a,y\n1,x\n2,y\n3,z\n", &settings).unwrap();
        assert_eq!(training.labels, Labels::parse(["z", "y", "z"]));
    }
}
