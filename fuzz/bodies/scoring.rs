//! Scoring in blocks, as in `predict` and `evaluate`: the results for a file do not depend on the
//! block size.

use super::THREADS;
use linsep::core::{DecisionRule, Hyperplane, Label, LinearModel};
use linsep::io::{Force, Format, Input, ReadOptions, Source, read_source};
use linsep::model_file::Header;
use linsep::recipe::Counts;
use linsep::{
    Batch, Error, LabelMap, MissingPolicy, ModelFile, SampleWeights, Scoring, TrainingData,
    TrainingSettings,
};
use std::sync::OnceLock;

/// Columns of the files, as in the fixture `groups.parquet`: numeric, categorical, weights,
/// classes.
const TABLE: &str = "x,word,kind,s,class\n1,w0,k0,1,no\n,w1,k1,2,yes\n3,w0,,1,yes\n-1e9,w2,k1,0,no\n5,w1,k0,1,yes\n";
const COUNTS: &str = "x,word,no,yes\n1,w0,2,0\n2,w1,0,0\n3,w0,1,4\n";
const PAIRS: &str = "+1 1:0.5 3:-2e3\n-1 2:1 4:7\n";

/// Returns a model with the coefficients 1, 2, 3, …, without fitting.
fn model_file(text: &str, settings: &TrainingSettings) -> ModelFile {
    let input = read_source(Source::from_bytes("train", text), &ReadOptions::default());
    let training =
        TrainingData::new(input.expect("it is well formed"), settings).expect("it is a set");
    let w = (0..training.recipe.width()).map(|j| j as f64 + 1.0).collect();
    let classes: Vec<Label> = training.labels.classes().to_vec();
    let model = LinearModel::new(classes, vec![Hyperplane { w, b: 0.5 }], DecisionRule::Sign)
        .expect("it fits");
    let model = linsep::core::model::Model::from(model);
    let header = Header::new("by hand", &model, training.recipe);
    ModelFile { model, directions: Vec::new(), header }
}

/// Models for tables by each policy for missing values, for counts, for pairs.
fn model_files() -> &'static [ModelFile] {
    static MADE: OnceLock<Vec<ModelFile>> = OnceLock::new();
    MADE.get_or_init(|| {
        let by = |policy| {
            let weights = Some(SampleWeights::Named("s".to_owned()));
            let mut settings = TrainingSettings { weights, ..TrainingSettings::default() };
            settings.recipe.missing = policy;
            // Data that a policy refuses must not occur in its training data.
            let text = if policy == MissingPolicy::Error {
                TABLE.replace(",,", ",k0,").replace("\n,", "\n2,")
            } else {
                TABLE.to_owned()
            };
            model_file(&text, &settings)
        };
        let mut made: Vec<ModelFile> = MissingPolicy::ALL.into_iter().map(by).collect();
        let counts = ["no", "yes"].map(str::to_owned).to_vec();
        made.push(model_file(COUNTS, &TrainingSettings { counts, ..TrainingSettings::default() }));
        made.push(model_file(PAIRS, &TrainingSettings::default()));
        made
    })
}

/// Concatenated results of the batches, in row order.
#[derive(Debug, Default, PartialEq)]
struct Results {
    scores: Vec<u64>,
    kept: Vec<bool>,
    labels: Vec<Option<Label>>,
    weights: Vec<u64>,
    counts: Counts,
    beyond: u64,
}

impl Results {
    fn add(&mut self, batch: &Batch, hyperplanes: usize) {
        let rows = batch.kept.len();
        assert_eq!(
            batch.scores.len(),
            hyperplanes * batch.kept.iter().filter(|kept| **kept).count()
        );
        self.scores.extend(batch.scores.iter().map(|z| z.to_bits()));
        self.kept.extend(&batch.kept);
        if let Some(labels) = &batch.labels {
            assert_eq!(labels.codes.len(), rows);
            self.labels.extend((0..rows).map(|i| labels.get(i).cloned()));
        }
        if let Some(weights) = &batch.weights {
            assert_eq!(weights.len(), rows);
            self.weights.extend(weights.iter().map(|s| s.to_bits()));
        }
        self.counts.add(&batch.counts);
        self.beyond += batch.unknown_values;
    }
}

/// Scores a text file; the first byte selects the model and the outputs beside the scores.
pub(crate) fn scoring_text(data: &[u8]) {
    score(data, Some([Format::Csv, Format::Libsvm]));
}

/// Scores a columnar file; the first byte selects the model and the outputs beside the scores.
pub(crate) fn scoring_columnar(data: &[u8]) {
    score(data, None);
}

fn score(data: &[u8], text: Option<[Format; 2]>) {
    let Some((&choice, data)) = data.split_first() else { return };
    let model_files = model_files();
    let at = usize::from(choice & 7) % model_files.len();
    let (model_file, pairs) = (&model_files[at], at + 1 == model_files.len());
    let format = text.map(|[csv, libsvm]| if pairs { libsvm } else { csv });
    let labels = choice & 8 != 0;
    let weights = (choice & 16 != 0 && at < MissingPolicy::ALL.len()).then_some("s");
    let map = LabelMap::default();
    let base = ReadOptions { format, ..ReadOptions::default() };
    let scoring = Scoring {
        model_file,
        projection: None,
        read: &base,
        labels,
        target: None,
        counts: &[],
        weights,
        map: &map,
    };
    let hyperplanes = model_file.model.hyperplanes().len();

    // 1. The same results for any block size. Of several errors, the first in file order by block
    //    is returned, so the choice of error may depend on the ends of blocks.
    let run = |block, threads| {
        let mut read = base.clone();
        (read.csv.limits.block, read.csv.threads) = (block, threads);
        (read.libsvm.limits.block, read.libsvm.threads) = (block, threads);
        let mut said = Results::default();
        let scoring = Scoring { read: &read, ..scoring };
        let notes = scoring.run(Source::from_bytes("new", data), |batch| {
            said.add(batch, hyperplanes);
            Ok(())
        });
        notes.map(|notes| (said, notes)).map_err(|error| {
            assert!(!error.to_string().contains(char::is_control), "{error:?}");
        })
    };
    let large = run(1 << 20, 1);
    for block in [1, 13] {
        assert_eq!(run(block, THREADS), large, "blocks of {block}");
    }

    // 2. The same results in one block, if the column types are those of the model.
    let Ok((said, _)) = large else { return };
    let columns: &[&str] =
        if at < MissingPolicy::ALL.len() { &["x", "word", "kind"] } else { &["x", "word"] };
    let Ok(input) = whole(data, &base, (!pairs).then_some(columns)) else { return };
    let batch = scoring.score(input);
    let mut once = Results::default();
    once.add(&batch.expect("it was scored in blocks"), hyperplanes);
    once.beyond = said.beyond;
    assert_eq!(once, said, "as a whole");
}

/// Reads a file as one block; `columns` are those of the model for a table, `None` for pairs. A
/// table that lacks one of the columns has no header, and blocks match its columns by position.
fn whole(data: &[u8], base: &ReadOptions, columns: Option<&[&str]>) -> Result<Input, Error> {
    let mut read = base.clone();
    if let Some(columns) = columns {
        read.csv.header = Some(true);
        let first = read_source(Source::from_bytes("new", data), &read)?;
        let Input::Table(table) = first else { return Ok(first) };
        for column in &table.columns {
            let force = match column.name.as_str() {
                "x" | "s" | "no" | "yes" => Force::Numeric,
                "word" | "kind" | "class" => Force::Categorical,
                _ => continue,
            };
            read.csv.force.push((column.name.clone(), force));
        }
        let without = !columns.iter().all(|name| table.column(name).is_some());
        if without {
            let error = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(Error::from_io("new", error));
        }
    } else {
        read.libsvm.zero_based = Some(false);
    }
    Ok(read_source(Source::from_bytes("new", data), &read)?)
}
