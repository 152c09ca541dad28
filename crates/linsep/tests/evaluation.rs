//! Properties of evaluations and predictions through the library:
//!
//! * the size of blocks and the number of threads change no bit;
//! * a sample weight counts as so many repeated rows;
//! * an outcome that was saved and loaded is the same;
//! * rows in memory are predicted as rows of a file, with probabilities named by class;
//! * a job without a partial result fails once its token is set.

#![allow(clippy::unwrap_used)] // a test may

use linsep::core::model::{DecisionRule, Link};
use linsep::core::{Cancel, Hyperplane, LinearModel};
use linsep::evaluation::Evaluation;
use linsep::io::{Memory, ReadOptions, Source, read_source};
use linsep::jobs::{Compare, Evaluate, EvaluateOutcome, Outcome, Predict, Separable};
use linsep::model_file::Header;
use linsep::{ModelFile, SampleWeights, Spill, TrainingData, TrainingSettings};
use proptest::prelude::*;
use std::fmt::Write;

/// Rows of two features, a class and a sample weight.
#[derive(Clone, Debug)]
struct Row {
    x: [f64; 2],
    class: usize,
    weight: u8,
}

fn rows(k: usize) -> impl Strategy<Value = Vec<Row>> {
    let value = prop_oneof![(-3..4_i8).prop_map(f64::from), -3.0..3.0_f64];
    // A model may lack the last class, but not that of the first row.
    let row = ([value.clone(), value], 0..=k, 0..4_u8);
    let rows =
        prop::collection::vec(row.prop_map(|(x, class, weight)| Row { x, class, weight }), 1..80);
    rows.prop_map(|mut rows| {
        (rows[0].class, rows[0].weight) = (0, 1);
        rows
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from("a,b,y,s\n");
    for Row { x: [a, b], class, weight } in rows {
        writeln!(text, "{a},{b},c{class},{weight}").unwrap();
    }
    text
}

/// A model of k classes with fixed coefficients.
fn model_file(k: usize) -> ModelFile {
    let mut text = String::from("a,b,y\n");
    (0..2 * k).for_each(|i| writeln!(text, "{},{},c{}", i, i * i % 5, i % k).unwrap());
    let input = read_source(Source::from_bytes("t", text), &ReadOptions::default()).unwrap();
    let training = TrainingData::new(input, &TrainingSettings::default()).unwrap();
    let classes = training.labels.classes().to_vec();
    let hyperplane = |j: usize| {
        let w = vec![1.0 - j as f64, 0.5 * j as f64 - 0.25];
        Hyperplane { w, b: 0.125 * j as f64 }
    };
    let (rule, link, hyperplanes) = match k {
        2 => (DecisionRule::Sign, Link::Logistic, 1),
        _ => (DecisionRule::ArgMax, Link::Softmax, k),
    };
    let hyperplanes = (0..hyperplanes).map(hyperplane).collect();
    let model = LinearModel::new(classes, hyperplanes, rule).unwrap().with_link(link);
    let model = linsep::core::model::Model::from(model);
    let header = Header::new("by hand", &model, training.recipe);
    ModelFile { model, directions: Vec::new(), header }
}

/// Evaluates a table, in blocks of so many bytes, on so many threads.
fn evaluate(
    k: usize,
    text: &str,
    weights: Option<&str>,
    (block, threads, memory): (usize, usize, usize),
) -> EvaluateOutcome {
    let mut read = ReadOptions::default();
    read.csv.limits.block = block;
    read.csv.threads = threads;
    let job = Evaluate {
        weights: weights.map(|name| SampleWeights::Named(name.to_owned())),
        worst: 5,
        curves: true,
        spill: Spill { memory, folder: None },
        ..Evaluate::default()
    };
    let source = Source::from_bytes("t", text.to_owned());
    job.run(&model_file(k), vec![source], &read, &mut ()).unwrap()
}

const WHOLE: (usize, usize, usize) = (1 << 20, 1, 1 << 26);

/// All numbers of the metrics, NaN as infinity.
fn numbers(evaluation: &Evaluation) -> Vec<(String, Option<f64>)> {
    let finite = |v: f64| if v.is_nan() { f64::INFINITY } else { v };
    let all = evaluation.metrics.iter();
    all.map(|own| (own.name.to_string(), own.value.map(finite))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn blocks_threads_and_memory_change_no_bit(
        rows in rows(3),
        k in 2..4_usize,
        block in 8..300_usize,
        threads in 1..4_usize,
        memory in 1..4_000_usize,
    ) {
        let text = table(&rows);
        let whole = evaluate(k, &text, Some("s"), WHOLE);
        let parts = evaluate(k, &text, Some("s"), (block, threads, memory));
        prop_assert_eq!(numbers(&whole.evaluation), numbers(&parts.evaluation));
        prop_assert_eq!(
            serde_json::to_string(&whole).unwrap(),
            serde_json::to_string(&parts).unwrap()
        );
    }

    #[test]
    fn a_weight_counts_as_repeated_rows(rows in rows(2), k in 2..4_usize) {
        let weighted = evaluate(k, &table(&rows), Some("s"), WHOLE).evaluation;
        let repeated: Vec<Row> = rows
            .iter()
            .flat_map(|row| std::iter::repeat_n(row.clone(), row.weight.into()))
            .collect();
        let repeated = evaluate(k, &table(&repeated), None, WHOLE).evaluation;
        prop_assert_eq!(weighted.weight, repeated.weight);
        for ((name, a), (_, b)) in numbers(&weighted).into_iter().zip(numbers(&repeated)) {
            let near = a.zip(b).map_or(a == b, |(a, b)| a == b || (a - b).abs() < 1e-12);
            prop_assert!(near, "{name}: {a:?} and {b:?}");
        }
        let cells = |e: &Evaluation| e.confusion.rows().collect::<Vec<_>>();
        prop_assert_eq!(cells(&weighted), cells(&repeated));
    }

    #[test]
    fn a_saved_outcome_is_the_outcome(rows in rows(3), k in 2..4_usize) {
        let outcome = Outcome::Evaluate(evaluate(k, &table(&rows), Some("s"), WHOLE));
        let saved = serde_json::to_string(&outcome).unwrap();
        let loaded: Outcome = serde_json::from_str(&saved).unwrap();
        prop_assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
    }

    #[test]
    fn rows_in_memory_are_predicted_as_rows_of_a_file(
        rows in rows(2),
        k in 2..4_usize,
        block in 8..300_usize,
    ) {
        let (model, text) = (model_file(k), table(&rows));
        let input =
            read_source(Source::from_bytes("t", text.clone()), &ReadOptions::default()).unwrap();
        let job = Predict { scores: true, probabilities: true, ..Predict::default() };
        let mut read = ReadOptions::default();
        read.csv.limits.block = block;
        let source = vec![Source::from_bytes("t", text)];
        let mut file = job.run(&model, source, &read, Memory::default(), &mut ()).unwrap();
        file.notes.clear();
        prop_assert_eq!(&file, &job.rows(&model, input.clone()).unwrap());

        let labels = model.predict(&input).unwrap();
        let found = model.predict_proba(&input).unwrap();
        prop_assert_eq!(&found.classes[..], model.model.classes());
        for (label, p) in labels.into_iter().zip(&found.rows) {
            let p = p.as_ref().unwrap();
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let own = found.classes.iter().position(|class| Some(class) == label.as_ref());
            prop_assert!(p.iter().all(|other| *other <= p[own.unwrap()]));
        }
    }
}

#[test]
fn a_job_without_a_partial_result_fails_once_its_token_is_set() {
    let rows: Vec<Row> = (0..30_u8)
        .map(|i| Row { x: [f64::from(i), f64::from(i % 7)], class: usize::from(i % 2), weight: 1 })
        .collect();
    let (text, read) = (table(&rows), ReadOptions::default());
    let source = || Source::from_bytes("t", text.clone());
    let input = || read_source(source(), &read).unwrap();
    let model = model_file(2);
    let certificate = Separable::default().run(input(), &mut ()).unwrap().certificate.unwrap();
    let mut set = Cancel::default();
    set.interrupt();
    let predict = Predict::default();
    let memory = Memory::default();
    for (what, error) in [
        ("metrics", Evaluate::default().run(&model, vec![source()], &read, &mut set).err()),
        ("predictions", predict.run(&model, vec![source()], &read, memory, &mut set).err()),
        ("comparison", Compare::default().run(input(), &mut set).err()),
        ("verification", Separable::default().verify(&certificate, "c", input(), &mut set).err()),
    ] {
        let error = error.unwrap().to_string();
        assert!(error.contains("interrupted") && error.contains(what), "{what}: {error}");
    }
}
