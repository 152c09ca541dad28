use super::*;
use crate::dataset::{SampleWeights, TrainingData, TrainingSettings};
use crate::model_file::Header;
use linsep_core::{DecisionRule, Hyperplane, Label, LinearModel};
use linsep_io::input::read_source;

/// Returns a model over the columns of `text` with coefficients 1, 2, 3, …
fn model_file(text: &str) -> ModelFile {
    let source = Source::from_bytes("train", text.as_bytes());
    let input = read_source(source, &ReadOptions::default()).unwrap();
    bundle_of(input, &TrainingSettings::default())
}

fn bundle_of(input: Input, settings: &TrainingSettings) -> ModelFile {
    let training = TrainingData::new(input, settings).unwrap();
    let w = (0..training.recipe.width()).map(|j| j as f64 + 1.0).collect();
    let classes = training.labels.classes().to_vec();
    let model =
        LinearModel::new(classes, vec![Hyperplane { w, b: 0.5 }], DecisionRule::Sign).unwrap();
    let model = linsep_core::model::Model::from(model);
    let header = Header::new("by hand", &model, training.recipe);
    ModelFile { model, directions: Vec::new(), header }
}

fn scores(
    model_file: &ModelFile,
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
        model_file,
        projection: None,
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
    (all, notes.unwrap().into_iter().map(|note| note.text).collect())
}

#[test]
fn same_scores_for_any_block_size_and_thread_count() {
    let model = model_file("a,b,y\n1,u,0\n2,v,1\n3,u,1\n");
    let mut text = String::from("b,a,new\n");
    for i in 0..200 {
        text += &format!("{},{i},9\n", ["u", "v", "w", ""][i % 4]);
    }
    let (whole, notes) = scores(&model, &text, 1 << 20, 1);
    assert_eq!(whole[..3], [0.0 + 2.0 + 0.5, 1.0 + 3.0 + 0.5, 2.0 + 0.5]);
    assert_eq!(
        notes,
        [
            "columns unknown to the model, ignored: new",
            "missing values: 50 (b 50)",
            "50 cells have levels not seen in training, encoded as zeros (b 50)"
        ]
    );
    assert_eq!(scores(&model, &text, 16, 2), (whole, notes));
}

#[test]
fn indices_unknown_to_the_model_are_ignored() {
    let model = model_file("1 1:1 2:1\n-1 1:2\n");
    let (all, notes) = scores(&model, "1 1:5 3:6\n-1 2:7\n", 8, 2);
    assert_eq!(all, [5.5, 14.5]);
    assert_eq!(notes, ["values in columns unknown to the model, ignored: 1"]);
}

#[test]
fn columns_are_matched_by_name_or_without_header_by_position() {
    let model = model_file("a,b,y\n1,2,0\n2,5,1\n");
    assert_eq!(scores(&model, "b,a\n10,1\n", 1 << 20, 1).0, [1.0 + 20.0 + 0.5]);
    assert_eq!(scores(&model, "1,10\n2,3\n", 1 << 20, 1).0, [21.5, 8.5]);
    let map = LabelMap::default();
    let read = ReadOptions::default();
    let scoring = Scoring {
        model_file: &model,
        projection: None,
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
    assert!(says("a,c\n1,2\n").contains("no column \"b\". The columns are: a, c"));
    assert!(
        says("a,b\n1,x\n").contains("new, line 2, column 2 (b): expected a number, found \"x\"")
    );
    assert!(says("1 1:1\n").contains("expected a table with columns, as in training"));
}

fn fixture(name: &str) -> Source {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../linsep-io/tests/fixtures");
    Source::open(folder.join(name)).unwrap()
}

/// Reads a whole file, without its list column, which `read_source` does not drop by itself.
fn whole(name: &str) -> Input {
    let mut read = ReadOptions::default();
    if name.ends_with("parquet") {
        read.csv.force.push(("more".to_owned(), Force::Drop));
    }
    read_source(fixture(name), &read).unwrap()
}

/// Content of all batches, row by row: bits of the scores, kept, classes, sample weights.
type Rows = (Vec<u64>, Vec<bool>, Vec<Option<Label>>, Vec<f64>);

fn gather(rows: &mut Rows, batch: &Batch) {
    rows.0.extend(batch.scores.iter().map(|z| z.to_bits()));
    rows.1.extend(&batch.kept);
    let labels = batch.labels.as_ref().unwrap();
    rows.2.extend((0..batch.kept.len()).map(|i| labels.get(i).cloned()));
    rows.3.extend(batch.weights.as_ref().unwrap());
}

#[test]
fn batches_of_a_columnar_file_equal_the_whole_file() {
    for policy in [MissingPolicy::Impute, MissingPolicy::Drop] {
        let mut settings = TrainingSettings {
            weights: Some(SampleWeights::Named("s".to_owned())),
            ..TrainingSettings::default()
        };
        settings.recipe.missing = policy;
        let model_file = bundle_of(whole("groups.parquet"), &settings);
        let map = LabelMap::default();
        for name in ["groups.parquet", "groups.arrows"] {
            let at_once = ReadOptions::default();
            let scoring = Scoring {
                model_file: &model_file,
                projection: None,
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
            // One row, a few rows, and a whole row group per batch.
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
                let unknown = "columns unknown to the model, ignored: more";
                let noted = notes.unwrap().iter().any(|note| note.text == unknown);
                assert_eq!(noted, name == "groups.parquet");
            }
        }
    }
}

#[test]
fn errors_have_row_numbers_of_the_file() {
    let mut read = ReadOptions::default();
    for name in ["x", "word", "s", "more"] {
        read.csv.force.push((name.to_owned(), Force::Drop));
    }
    let kinds = read_source(fixture("groups.parquet"), &read).unwrap();
    let mut settings = TrainingSettings::default();
    settings.recipe.missing = MissingPolicy::Drop;
    let mut model_file = bundle_of(kinds, &settings);
    model_file.header.recipe.missing = MissingPolicy::Error;
    let map = LabelMap::default();
    for name in ["groups.parquet", "groups.arrows"] {
        for (cells, threads) in [(3, 1), (3, 3), (1 << 18, 1)] {
            let mut read = ReadOptions::default();
            (read.csv.limits.block, read.csv.threads) = (cells, threads);
            let (model_file, read, map) = (&model_file, &read, &map);
            let (labels, target, counts, weights) = (false, None, &[][..], None);
            let scoring = Scoring {
                model_file,
                projection: None,
                read,
                labels,
                target,
                counts,
                weights,
                map,
            };
            let error = scoring.run(fixture(name), |_| Ok(())).unwrap_err().to_string();
            assert!(
                error.contains(
                    ", row 13, column 3 (kind): expected a value, found a missing \
                value"
                ),
                "{error}"
            );
        }
    }
}

#[test]
fn row_of_counts_is_scored_once_per_class() {
    let text = "a,no,yes\n1,2,0\n2,0,0\n3,1,4\n";
    let read = ReadOptions::default();
    let input = || read_source(Source::from_bytes("t.csv", text), &read).unwrap();
    let counts = vec!["no".to_owned(), "yes".to_owned()];
    let settings = TrainingSettings { counts, ..TrainingSettings::default() };
    let model_file = bundle_of(input(), &settings);
    let map = LabelMap::default();
    let (model_file, read, map) = (&model_file, &read, &map);
    let (labels, target, counts, weights) = (true, None, &[][..], None);
    let scoring =
        Scoring { model_file, projection: None, read, labels, target, counts, weights, map };
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
    // Row numbers are those of the file in small blocks, too.
    let mut small = ReadOptions::default();
    small.csv.limits.block = 1;
    let error = says(&Scoring { read: &small, ..scoring }, "a,no,yes\n1,2,0\n2,1,0\n3,1,-4\n");
    assert!(
        error.starts_with(
            "t.csv, row 3, column 3 (yes): expected a count of at least 0, \
        found -4"
        ),
        "{error}"
    );
    let unscored = Scoring { labels: false, ..scoring };
    let mut notes = unscored.run(Source::from_bytes("t.csv", text), |_| Ok(())).unwrap();
    assert_eq!(notes.pop(), None, "the counts are known, and not wanted");
}
