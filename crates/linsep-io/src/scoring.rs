//! Scoring a file with a model, block by block: a file larger than memory is no trouble.
//!
//! Columns are matched by name; those of a file without header by place, where there are just as many
//! as the model takes. Types are the model's, not the file's.

use crate::bundle::Bundle;
use crate::csv::{Force, stream_csv};
use crate::dataset::{label_cells, sparse_design, weight_column};
use crate::error::Error;
use crate::input::{Format, Input, ReadOptions, format_of, read_source};
use crate::labels::{LabelMap, RowLabels};
use crate::libsvm::stream_libsvm;
use crate::place::{Place, few};
use crate::recipe::{Counts, Encoding, MissingPolicy, Recipe, Scaling, TableRecipe};
use crate::source::Source;
use crate::table::{Sparse, Table};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

/// How to score.
pub struct Scoring<'a> {
    /// The model.
    pub bundle: &'a Bundle,
    /// How to read.
    pub read: &'a ReadOptions,
    /// Whether classes are wanted beside the scores.
    pub labels: bool,
    /// Column with the classes, if not the model's.
    pub target: Option<&'a str>,
    /// Column with the sample weights, if they are wanted.
    pub weights: Option<&'a str>,
    /// Classes to rename.
    pub map: &'a LabelMap,
}

/// Some rows, scored.
#[derive(Debug, Default)]
pub struct Batch {
    /// Scores of the rows that could be scored, row after row, one per plane.
    pub scores: Vec<f64>,
    /// For each row whether it could be scored: not where a value is missing and the model takes none
    /// such.
    pub kept: Vec<bool>,
    /// The class of each row, if wanted.
    pub labels: Option<RowLabels>,
    /// The weight of each row, if wanted.
    pub weights: Option<Vec<f64>>,
    /// Missing and unknown values.
    pub counts: Counts,
    /// Values in columns the model does not know.
    pub beyond: u64,
}

impl Scoring<'_> {
    /// Scores a source; `take` gets the batches in order. Returns what the user should know.
    pub fn run(
        &self,
        mut source: Source,
        mut take: impl FnMut(&Batch) -> Result<(), Error> + Send,
    ) -> Result<Vec<String>, Error> {
        let name = source.name().to_owned();
        let format = format_of(&mut source, self.read)?;
        let (mut counts, mut beyond) = (Counts::default(), 0);
        let mut notes = Vec::new();
        let collect = |batch: Batch| {
            counts.add(&batch.counts);
            beyond += batch.beyond;
            take(&batch)
        };
        match (&self.bundle.header.recipe, format) {
            (Recipe::Sparse { columns, base }, Format::Libsvm) => {
                let options = crate::LibsvmOptions {
                    zero_based: Some(*base == 0),
                    ..self.read.libsvm.clone()
                };
                stream_libsvm(source, &options, |s| self.sparse(s, *columns), collect)?;
            }
            (Recipe::Table(recipe), Format::Csv) => {
                let extra = Mutex::new(Vec::new());
                let choose = |names: &[String], header| {
                    let (forces, unknown) = self.choose(recipe, &name, names, header)?;
                    *extra.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = unknown;
                    Ok(forces)
                };
                stream_csv(source, &self.read.csv, choose, |t| self.table(recipe, t), collect)?;
                let extra = extra.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
                if !extra.is_empty() {
                    notes.push(format!(
                        "columns the model does not know are left out: {}",
                        few(&extra)
                    ));
                }
            }
            _ => {
                let mut collect = collect;
                collect(self.score(read_source(source, self.read)?)?)?;
            }
        }
        if beyond > 0 {
            notes.push(format!("values in columns the model does not know are left out: {beyond}"));
        }
        notes.extend(told("missing values", &counts.missing));
        notes.extend(told("words that training did not have, scored as none", &counts.unseen));
        Ok(notes)
    }

    /// Scores rows that are already in memory.
    pub fn score(&self, input: Input) -> Result<Batch, Error> {
        match (&self.bundle.header.recipe, input) {
            (Recipe::Table(recipe), Input::Table(table)) => self.table(recipe, table),
            (Recipe::Sparse { columns, .. }, Input::Sparse(sparse)) => {
                self.sparse(sparse, *columns)
            }
            (Recipe::Table(_), Input::Sparse(sparse)) => Err(other(&sparse.name, PAIRS, TABLE)),
            (Recipe::Sparse { .. }, Input::Table(table)) => Err(other(&table.name, TABLE, PAIRS)),
        }
    }

    /// How each column of a file is read, and the names the model does not know.
    fn choose(
        &self,
        recipe: &TableRecipe,
        file: &str,
        names: &[String],
        header: bool,
    ) -> Result<(Vec<Force>, Vec<String>), Error> {
        let read = |encoding: &Encoding| match encoding {
            Encoding::Number { .. } => Force::Numeric,
            Encoding::Category { .. } | Encoding::Hashed { .. } => Force::Words,
        };
        if !header && names.len() == recipe.steps.len() {
            return Ok((recipe.steps.iter().map(|s| read(&s.encoding)).collect(), Vec::new()));
        }
        let mut wanted: HashMap<&str, Force> =
            recipe.steps.iter().map(|s| (s.name.as_str(), read(&s.encoding))).collect();
        let target = self.target.unwrap_or(&recipe.target);
        wanted.insert(target, if self.labels { Force::Words } else { Force::Drop });
        if let Some(weights) = self.weights {
            wanted.insert(weights, Force::Numeric);
        }
        let known: HashSet<&str> = recipe
            .left_out
            .iter()
            .map(|left| left.name.as_str())
            .chain(recipe.weights.as_deref())
            .collect();
        let there: HashSet<&str> = names.iter().map(String::as_str).collect();
        let needed = recipe.steps.iter().map(|step| step.name.as_str());
        let needed = needed.chain(self.labels.then_some(target)).chain(self.weights);
        for name in needed {
            if !there.contains(name) {
                return Err(Error::no_column_among(file, name, names));
            }
        }
        let unknown =
            |name: &&String| !wanted.contains_key(name.as_str()) && !known.contains(name.as_str());
        let extra = names.iter().filter(unknown).cloned().collect();
        let force = |name: &String| wanted.get(name.as_str()).copied().unwrap_or(Force::Drop);
        Ok((names.iter().map(force).collect(), extra))
    }

    /// A block of a table.
    fn table(&self, recipe: &TableRecipe, table: Table) -> Result<Batch, Error> {
        let labels = self.labels.then(|| self.table_labels(recipe, &table)).transpose()?;
        let weights = self.weights.map(|name| weight_column(&table, name)).transpose()?;
        let encoded = recipe.encode(table, Scaling::Raw)?;
        let scores = match &encoded.x {
            Some(x) => self.bundle.model.scores(x).map_err(|source| self.core(source))?,
            None => Vec::new(),
        };
        Ok(Batch { scores, kept: encoded.kept, labels, weights, counts: encoded.counts, beyond: 0 })
    }

    fn table_labels(&self, recipe: &TableRecipe, table: &Table) -> Result<RowLabels, Error> {
        let target = self.target.unwrap_or(&recipe.target);
        let at = table.columns.iter().position(|column| column.name == target);
        let at = at.ok_or_else(|| Error::no_column(table, target))?;
        Ok(label_cells(table, at, recipe.missing == MissingPolicy::Drop)?.renamed(self.map))
    }

    /// A block of pairs.
    fn sparse(&self, mut sparse: Sparse, columns: usize) -> Result<Batch, Error> {
        let kept = vec![true; sparse.rows];
        let labels = self.labels.then(|| RowLabels::of_sparse(&sparse).renamed(self.map));
        let beyond = drop_beyond(&mut sparse, columns);
        let x = sparse_design(sparse)?;
        let scores = self.bundle.model.scores(&x).map_err(|source| self.core(source))?;
        Ok(Batch { scores, kept, labels, weights: None, counts: Counts::default(), beyond })
    }

    fn core(&self, source: linsep::Error) -> Error {
        Error::Core { place: Box::new(Place::file(&self.bundle.header.method)), source }
    }
}

const PAIRS: &str = "numbered pairs (LIBSVM)";
const TABLE: &str = "a table with columns";

fn other(name: &str, found: &'static str, want: &'static str) -> Error {
    Error::OtherKind { place: Box::new(Place::file(name)), found, want }
}

/// Counts by column, in words.
fn told(what: &str, counts: &std::collections::BTreeMap<String, u64>) -> Option<String> {
    let total: u64 = counts.values().sum();
    let by_column: Vec<String> = counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
    (total > 0).then(|| format!("{what}: {total} ({})", few(&by_column)))
}

/// Leaves out the values of columns from `columns` on; returns how many.
fn drop_beyond(sparse: &mut Sparse, columns: usize) -> u64 {
    let before = sparse.values.len();
    let mut kept = 0;
    for i in 0..sparse.rows {
        let range = sparse.starts[i]..sparse.starts[i + 1];
        sparse.starts[i] = kept;
        for at in range {
            if (sparse.indices[at] as usize) < columns {
                sparse.indices[kept] = sparse.indices[at];
                sparse.values.copy(at, kept);
                kept += 1;
            }
        }
    }
    sparse.starts[sparse.rows] = kept;
    sparse.indices.truncate(kept);
    sparse.values.truncate(kept);
    sparse.cols = columns;
    (before - kept) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{FORMAT, Header, Training as Trained};
    use crate::dataset::{Training, TrainingSettings};
    use crate::input::read_source;
    use linsep::{Decide, LinearModel, Plane};
    use std::collections::BTreeMap;

    /// A model over the columns of `text` whose weights are 1, 2, 3, …
    fn bundle(text: &str) -> Bundle {
        let source = Source::from_bytes("train", text.as_bytes());
        let input = read_source(source, &ReadOptions::default()).unwrap();
        let training = Training::new(input, &TrainingSettings::default()).unwrap();
        let w = (0..training.recipe.width()).map(|j| j as f64 + 1.0).collect();
        let classes = training.labels.classes().to_vec();
        let model = LinearModel::new(classes, vec![Plane { w, b: 0.5 }], Decide::Sign).unwrap();
        let header = Header {
            format: FORMAT,
            linsep: "0".into(),
            method: "by hand".into(),
            settings: BTreeMap::new(),
            multiclass: None,
            classes: model.classes().iter().map(Header::class).collect(),
            decision: "sign".into(),
            link: "none".to_owned(),
            recipe: training.recipe,
            training: Trained {
                rows: 0,
                stop: String::new(),
                epochs: 0,
                updates: 0,
                mistakes: 0.0,
                accuracy: 0.0,
                proofs: Vec::new(),
            },
        };
        Bundle { model, directions: Vec::new(), header }
    }

    fn scores(
        bundle: &Bundle,
        text: &str,
        block: usize,
        threads: usize,
    ) -> (Vec<f64>, Vec<String>) {
        let mut read = ReadOptions::default();
        read.csv.limits.block = block;
        read.csv.threads = threads;
        read.libsvm.limits.block = block;
        read.libsvm.threads = threads;
        let map = LabelMap::default();
        let scoring =
            Scoring { bundle, read: &read, labels: false, target: None, weights: None, map: &map };
        let mut all = Vec::new();
        let source = Source::from_bytes("new", text.as_bytes());
        let notes = scoring.run(source, |batch| {
            all.extend_from_slice(&batch.scores);
            Ok(())
        });
        (all, notes.unwrap())
    }

    #[test]
    fn blocks_and_threads_change_nothing() {
        let model = bundle("a,b,y\n1,u,0\n2,v,1\n3,u,1\n");
        let mut text = String::from("b,a,new\n");
        for i in 0..200 {
            text += &format!("{},{i},9\n", ["u", "v", "w", ""][i % 4]);
        }
        let (whole, notes) = scores(&model, &text, 1 << 20, 1);
        assert_eq!(whole[..3], [0.0 + 2.0 + 0.5, 1.0 + 3.0 + 0.5, 2.0 + 0.5]);
        assert_eq!(
            notes,
            [
                "columns the model does not know are left out: new",
                "missing values: 50 (b 50)",
                "words that training did not have, scored as none: 50 (b 50)"
            ]
        );
        assert_eq!(scores(&model, &text, 16, 2), (whole, notes));
    }

    #[test]
    fn pairs_beyond_the_model_are_left_out() {
        let model = bundle("1 1:1 2:1\n-1 1:2\n");
        let (all, notes) = scores(&model, "1 1:5 3:6\n-1 2:7\n", 8, 2);
        assert_eq!(all, [5.5, 14.5]);
        assert_eq!(notes, ["values in columns the model does not know are left out: 1"]);
    }

    #[test]
    fn names_decide_unless_there_are_none() {
        let model = bundle("a,b,y\n1,2,0\n2,5,1\n");
        assert_eq!(scores(&model, "b,a\n10,1\n", 1 << 20, 1).0, [1.0 + 20.0 + 0.5]);
        assert_eq!(scores(&model, "1,10\n2,3\n", 1 << 20, 1).0, [21.5, 8.5]);
        let map = LabelMap::default();
        let read = ReadOptions::default();
        let scoring = Scoring {
            bundle: &model,
            read: &read,
            labels: false,
            target: None,
            weights: None,
            map: &map,
        };
        let says = |text: &str| {
            let source = Source::from_bytes("new", text.as_bytes());
            scoring.run(source, |_| Ok(())).unwrap_err().to_string()
        };
        assert!(says("a,c\n1,2\n").contains("no column called \"b\". The columns are: a, c"));
        assert!(says("a,b\n1,x\n").contains("new, line 2, column 2 (b): found \"x\""));
        assert!(says("1 1:1\n").contains("trained on a table"));
    }
}
