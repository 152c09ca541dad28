//! Scoring a file with a model, block by block: a file larger than memory is no trouble.
//!
//! Columns are matched by name; those of a file without header by place, where there are just as many
//! as the model takes. Types are the model's, not the file's.

use crate::arrow::stream_arrow;
use crate::bundle::Bundle;
use crate::columns::{Choose, ColumnarOptions};
use crate::csv::{Force, stream_csv};
use crate::dataset::{count_cells, label_cells, no_counts, sparse_design, weight_column};
use crate::error::Error;
use crate::input::{Format, Input, ReadOptions, format_of, read_source};
use crate::labels::{LabelMap, RowLabels};
use crate::libsvm::stream_libsvm;
use crate::parquet::stream_parquet;
use crate::place::{Place, few};
use crate::recipe::{Counts, Encoding, MissingPolicy, Recipe, Scaling, TableRecipe};
use crate::source::Source;
use crate::table::{Sparse, Table};
use std::collections::{HashMap, HashSet};

/// How to score.
#[derive(Clone, Copy)]
pub struct Scoring<'a> {
    /// The model.
    pub bundle: &'a Bundle,
    /// How to read.
    pub read: &'a ReadOptions,
    /// Whether classes are wanted beside the scores.
    pub labels: bool,
    /// Column with the classes, if not the model's.
    pub target: Option<&'a str>,
    /// Columns with counts, one per class: instead of a target and weights.
    pub counts: &'a [String],
    /// Column with the sample weights, if they are wanted.
    pub weights: Option<&'a str>,
    /// Classes to rename.
    pub map: &'a LabelMap,
}

/// Which columns tell the classes of rows.
enum Told<'a> {
    By(&'a str),
    Counts(&'a [String]),
}

/// Some rows, scored. A row with counts is as many rows as there are counts.
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

impl Batch {
    /// The same with each row `each` times, once for every answer there is to it; rows without one are left
    /// out.
    fn repeated(self, each: usize, planes: usize) -> Self {
        let Self { scores, kept, labels, weights, counts, beyond } = self;
        let (labels, weights) = (labels.unwrap_or_default(), weights.unwrap_or_default());
        let mut out = Self { counts, beyond, ..Self::default() };
        let (mut rows, mut answers) = (scores.chunks_exact(planes), Vec::new());
        for (i, kept) in kept.into_iter().enumerate() {
            let row = if kept { rows.next() } else { None };
            for a in (i * each..(i + 1) * each).filter(|&a| labels.get(a).is_some()) {
                out.kept.push(kept);
                out.scores.extend_from_slice(row.unwrap_or_default());
                answers.push(a);
            }
        }
        out.weights = Some(answers.iter().map(|&a| weights[a]).collect());
        let codes = answers.iter().map(|&a| labels.codes[a]).collect();
        out.labels = Some(RowLabels { codes, ..labels });
        out
    }
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
        let (mut notes, mut extra) = (Vec::new(), Vec::new());
        let columnar = ColumnarOptions::from(&self.read.csv);
        let collect = |batch: Batch| {
            counts.add(&batch.counts);
            beyond += batch.beyond;
            take(&batch)
        };
        match (&self.bundle.header.recipe, format) {
            (Recipe::Sparse { columns, base }, Format::Libsvm) => {
                no_counts(self.counts)?;
                let options = crate::LibsvmOptions {
                    zero_based: Some(*base == 0),
                    ..self.read.libsvm.clone()
                };
                stream_libsvm(source, &options, |s| self.sparse(s, *columns), collect)?;
            }
            (Recipe::Table(recipe), Format::Csv) => {
                let choose = self.choose(recipe, &name, &mut extra);
                stream_csv(source, &self.read.csv, choose, |t| self.table(recipe, t), collect)?;
            }
            (Recipe::Table(recipe), Format::Parquet) => {
                let choose = self.choose(recipe, &name, &mut extra);
                stream_parquet(source, &columnar, choose, |t| self.table(recipe, t), collect)?;
            }
            (Recipe::Table(recipe), Format::Arrow) => {
                let choose = self.choose(recipe, &name, &mut extra);
                stream_arrow(source, &columnar, choose, |t| self.table(recipe, t), collect)?;
            }
            // Data of another kind: what is in it, or what is wrong with it, is said there.
            (Recipe::Table(_), Format::Libsvm) | (Recipe::Sparse { .. }, _) => {
                let mut collect = collect;
                collect(self.score(read_source(source, self.read)?)?)?;
            }
        }
        if !extra.is_empty() {
            notes.push(format!("columns the model does not know are left out: {}", few(&extra)));
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

    /// How each column of a file is read; `extra` gets the names the model does not know. Features have the
    /// type that the model takes, classes that of the file.
    fn choose<'s>(
        &'s self,
        recipe: &'s TableRecipe,
        file: &'s str,
        extra: &'s mut Vec<String>,
    ) -> impl Choose + 's {
        let read = |encoding: &Encoding| match encoding {
            Encoding::Number { .. } => Some(Force::Numeric),
            Encoding::Category { .. } | Encoding::Hashed { .. } => Some(Force::Words),
        };
        move |names: &[String], header: bool| {
            if !header && names.len() == recipe.steps.len() {
                return Ok(recipe.steps.iter().map(|s| read(&s.encoding)).collect());
            }
            let mut wanted: Vec<(&str, Option<Force>)> =
                recipe.steps.iter().map(|s| (s.name.as_str(), read(&s.encoding))).collect();
            match self.classes(recipe) {
                _ if !self.labels => {}
                Told::By(target) => wanted.push((target, None)),
                Told::Counts(counts) => {
                    wanted.extend(counts.iter().map(|name| (name.as_str(), Some(Force::Numeric))));
                }
            }
            wanted.extend(self.weights.map(|name| (name, Some(Force::Numeric))));
            let there: HashSet<&str> = names.iter().map(String::as_str).collect();
            if let Some((name, _)) = wanted.iter().find(|(name, _)| !there.contains(name)) {
                return Err(Error::no_column_among(file, name, names));
            }
            let wanted: HashMap<&str, Option<Force>> = wanted.into_iter().collect();
            let known: HashSet<&str> = recipe
                .left_out
                .iter()
                .map(|left| &left.name)
                .chain([&recipe.target])
                .chain(&recipe.counts)
                .chain(&recipe.weights)
                .map(String::as_str)
                .collect();
            let unknown = |name: &&String| {
                !wanted.contains_key(name.as_str()) && !known.contains(name.as_str())
            };
            extra.extend(names.iter().filter(unknown).cloned());
            let force =
                |name: &String| wanted.get(name.as_str()).copied().unwrap_or(Some(Force::Drop));
            Ok(names.iter().map(force).collect())
        }
    }

    /// Which columns tell the classes: those asked for, or those of the training.
    fn classes<'s>(&'s self, recipe: &'s TableRecipe) -> Told<'s> {
        match (self.target, self.counts) {
            (Some(target), _) => Told::By(target),
            (None, []) if recipe.counts.is_empty() => Told::By(&recipe.target),
            (None, []) => Told::Counts(&recipe.counts),
            (None, counts) => Told::Counts(counts),
        }
    }

    /// A block of a table.
    fn table(&self, recipe: &TableRecipe, table: Table) -> Result<Batch, Error> {
        // 1. Classes and weights.
        let mut weights = self.weights.map(|name| weight_column(&table, name)).transpose()?;
        let (mut labels, mut each) = (None, 1);
        match self.classes(recipe) {
            _ if !self.labels => {}
            Told::By(target) => {
                let at = table.columns.iter().position(|column| column.name == target);
                let at = at.ok_or_else(|| Error::no_column(&table, target))?;
                let drop = recipe.missing == MissingPolicy::Drop;
                labels = Some(label_cells(&table, at, drop)?.renamed(self.map));
            }
            Told::Counts(names) => {
                if let Some(name) = self.weights {
                    let want = "left out, as the counts are the weights";
                    return Err(Error::Setting { name: "weights", got: name.to_owned(), want });
                }
                let (classes, counts) = count_cells(&table, names)?;
                (labels, weights) = (Some(classes.renamed(self.map)), Some(counts));
                each = names.len();
            }
        }

        // 2. Scores.
        let encoded = recipe.encode(table, Scaling::Raw)?;
        let scores = match &encoded.x {
            Some(x) => self.bundle.model.scores(x).map_err(|source| self.core(source))?,
            None => Vec::new(),
        };
        let counts = encoded.counts;
        let batch = Batch { scores, kept: encoded.kept, labels, weights, counts, beyond: 0 };
        Ok(if each > 1 { batch.repeated(each, self.bundle.model.planes().len()) } else { batch })
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
    use linsep::{Decide, Label, LinearModel, Plane};
    use std::collections::BTreeMap;

    /// A model over the columns of `text` whose weights are 1, 2, 3, …
    fn bundle(text: &str) -> Bundle {
        let source = Source::from_bytes("train", text.as_bytes());
        let input = read_source(source, &ReadOptions::default()).unwrap();
        bundle_of(input, &TrainingSettings::default())
    }

    fn bundle_of(input: Input, settings: &TrainingSettings) -> Bundle {
        let training = Training::new(input, settings).unwrap();
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
        Bundle { model, header }
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
        let scoring = Scoring {
            bundle,
            read: &read,
            labels: false,
            target: None,
            counts: &[],
            weights: None,
            map: &map,
        };
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
            counts: &[],
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

    fn fixture(name: &str) -> Source {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        Source::open(folder.join(name)).unwrap()
    }

    /// A file as a whole, without its lists, which the whole way cannot leave out by itself.
    fn whole(name: &str) -> Input {
        let mut read = ReadOptions::default();
        if name.ends_with("parquet") {
            read.csv.force.push(("more".to_owned(), Force::Drop));
        }
        read_source(fixture(name), &read).unwrap()
    }

    /// All that batches say, rows one after another: scores, whether kept, classes, weights.
    type Rows = (Vec<u64>, Vec<bool>, Vec<Option<Label>>, Vec<f64>);

    fn gather(rows: &mut Rows, batch: &Batch) {
        rows.0.extend(batch.scores.iter().map(|z| z.to_bits()));
        rows.1.extend(&batch.kept);
        let labels = batch.labels.as_ref().unwrap();
        rows.2.extend((0..batch.kept.len()).map(|i| labels.get(i).cloned()));
        rows.3.extend(batch.weights.as_ref().unwrap());
    }

    #[test]
    fn batches_of_a_columnar_file_say_what_the_whole_says() {
        for policy in [MissingPolicy::Impute, MissingPolicy::Drop] {
            let mut settings =
                TrainingSettings { weights: Some("s".to_owned()), ..TrainingSettings::default() };
            settings.recipe.missing = policy;
            let bundle = bundle_of(whole("groups.parquet"), &settings);
            let map = LabelMap::default();
            for name in ["groups.parquet", "groups.arrows"] {
                let at_once = ReadOptions::default();
                let scoring = Scoring {
                    bundle: &bundle,
                    read: &at_once,
                    labels: true,
                    target: None,
                    counts: &[],
                    weights: Some("s"),
                    map: &map,
                };
                let batch = scoring.score(whole(name)).unwrap();
                let (mut want, counts) = (Rows::default(), batch.counts.clone());
                gather(&mut want, &batch);
                assert_eq!(want.1.len(), 60);
                assert_eq!(want.1.contains(&false), policy == MissingPolicy::Drop);
                // A row at a time, a few, and all of a row group.
                for (cells, threads, most) in [(1, 1, 1), (30, 3, 6), (1 << 18, 2, 13)] {
                    let mut read = ReadOptions::default();
                    (read.csv.limits.block, read.csv.threads) = (cells, threads);
                    let (mut rows, mut met) = (Rows::default(), Counts::default());
                    let notes = Scoring { read: &read, ..scoring }.run(fixture(name), |batch| {
                        assert!(batch.kept.len() <= most, "{} rows", batch.kept.len());
                        met.add(&batch.counts);
                        gather(&mut rows, batch);
                        Ok(())
                    });
                    assert_eq!((&rows, &met), (&want, &counts), "{name}, {cells} cells");
                    let unknown = "columns the model does not know are left out: more";
                    let told = notes.unwrap().contains(&unknown.to_owned());
                    assert_eq!(told, name == "groups.parquet");
                }
            }
        }
    }

    #[test]
    fn rows_are_counted_from_the_first_of_the_file() {
        let mut read = ReadOptions::default();
        for name in ["x", "word", "s", "more"] {
            read.csv.force.push((name.to_owned(), Force::Drop));
        }
        let kinds = read_source(fixture("groups.parquet"), &read).unwrap();
        let mut settings = TrainingSettings::default();
        settings.recipe.missing = MissingPolicy::Drop;
        let mut bundle = bundle_of(kinds, &settings);
        let Recipe::Table(recipe) = &mut bundle.header.recipe else { panic!("a table") };
        recipe.missing = MissingPolicy::Error;
        let map = LabelMap::default();
        for name in ["groups.parquet", "groups.arrows"] {
            for (cells, threads) in [(3, 1), (3, 3), (1 << 18, 1)] {
                let mut read = ReadOptions::default();
                (read.csv.limits.block, read.csv.threads) = (cells, threads);
                let (bundle, read, map) = (&bundle, &read, &map);
                let (labels, target, counts, weights) = (false, None, &[][..], None);
                let scoring = Scoring { bundle, read, labels, target, counts, weights, map };
                let error = scoring.run(fixture(name), |_| Ok(())).unwrap_err().to_string();
                assert!(
                    error.contains(", row 13, column 3 (kind): this cell is missing"),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn a_row_of_counts_is_a_row_for_each_class() {
        let text = "a,no,yes\n1,2,0\n2,0,0\n3,1,4\n";
        let read = ReadOptions::default();
        let input = || read_source(Source::from_bytes("t.csv", text), &read).unwrap();
        let counts = vec!["no".to_owned(), "yes".to_owned()];
        let settings = TrainingSettings { counts, ..TrainingSettings::default() };
        let bundle = bundle_of(input(), &settings);
        let map = LabelMap::default();
        let (bundle, read, map) = (&bundle, &read, &map);
        let (labels, target, counts, weights) = (true, None, &[][..], None);
        let scoring = Scoring { bundle, read, labels, target, counts, weights, map };
        let mut rows = Rows::default();
        scoring
            .run(Source::from_bytes("t.csv", text), |batch| {
                gather(&mut rows, batch);
                Ok(())
            })
            .unwrap();
        let [no, yes] = ["no", "yes"].map(|name| Some(Label::parse(name)));
        let scores = [1.5, 1.5, 3.5, 3.5].map(f64::to_bits).to_vec();
        let classes = vec![no.clone(), yes.clone(), no, yes];
        assert_eq!(rows, (scores, vec![true; 4], classes, vec![2.0, 0.0, 1.0, 4.0]));

        let says = |scoring: &Scoring<'_>, text: &str| {
            let source = Source::from_bytes("t.csv", text);
            scoring.run(source, |_| Ok(())).unwrap_err().to_string()
        };
        // In small blocks, too, rows are counted from the first of the file.
        let mut small = ReadOptions::default();
        small.csv.limits.block = 1;
        let error = says(&Scoring { read: &small, ..scoring }, "a,no,yes\n1,2,0\n2,1,0\n3,1,-4\n");
        assert!(
            error.starts_with("t.csv, row 3, column 3 (yes): found -4 where a count"),
            "{error}"
        );
        let unscored = Scoring { labels: false, ..scoring };
        let mut notes = unscored.run(Source::from_bytes("t.csv", text), |_| Ok(())).unwrap();
        assert_eq!(notes.pop(), None, "the counts are known, and not wanted");
    }
}
