use super::*;
use crate::dataset::SampleWeights;
use linsep_io::input::{ReadOptions, read_source};
use linsep_io::source::Source;
use std::fmt::Write;

fn input(text: &str) -> Input {
    read_source(Source::from_bytes("t", text), &ReadOptions::default()).unwrap()
}

fn folded(text: &str, cutting: &FoldSettings) -> Result<FoldedData, Error> {
    FoldedData::new(input(text), &TrainingSettings::default(), cutting)
}

/// Returns sixty rows: a number, a level that is rare in row 0 alone, a person, a day, a class.
fn table(value: impl Fn(usize) -> f64) -> String {
    let mut text = String::from("a,w,person,day,y\n");
    for i in 0..60 {
        let word = if i == 0 { "rare" } else { ["u", "v"][i % 2] };
        let class = ["no", "yes"][usize::from(i % 3 == 0)];
        writeln!(text, "{},{word},p{},2024-01-{:02},{class}", value(i), i % 7, i / 2 + 1).unwrap();
    }
    text
}

fn three() -> FoldSettings {
    FoldSettings { folds: 3, ..FoldSettings::default() }
}

#[test]
fn standardization_uses_the_training_fold_only() {
    let plain = folded(&table(|i| i as f64), &three()).unwrap();
    for fold in 0..3 {
        let prepared = plain.prepare(fold).unwrap();
        let mean = |x: &Design| (0..x.n()).map(|i| x.row(i)[0]).sum::<f64>() / x.n() as f64;
        assert!(mean(&prepared.x).abs() < 1e-12, "standardized by the mean of the training folds");
        assert!(mean(&prepared.test.x).abs() > 1e-3, "and not by that of the others");
    }
}

#[test]
fn test_rows_do_not_affect_the_training_fold() {
    let plain = folded(&table(|i| i as f64), &three()).unwrap();
    let test_rows = &plain.splits[1].test;
    // The same rows, with outliers in the test fold of split 1.
    let wild = table(|i| if test_rows.contains(&(i as u32)) { 1e6 + i as f64 } else { i as f64 });
    let wild = folded(&wild, &three()).unwrap();
    assert_eq!(plain.splits, wild.splits, "folds are stratified by class alone");
    let (plain, wild) = (plain.prepare(1).unwrap(), wild.prepare(1).unwrap());
    assert_eq!(plain.x, wild.x);
    assert_eq!((plain.labels, plain.weights), (wild.labels, wild.weights));
    assert_ne!(plain.test.x, wild.test.x);
}

#[test]
fn level_only_in_test_rows_has_no_feature() {
    let folded = folded(&table(|i| i as f64), &three()).unwrap();
    let widths: Vec<(bool, usize)> = (0..3)
        .map(|fold| (folded.splits[fold].test.contains(&0), folded.prepare(fold).unwrap().x.d()))
        .collect();
    let without = widths.iter().find(|(in_test, _)| *in_test).unwrap().1;
    for (in_test, width) in widths {
        assert_eq!(width, if in_test { without } else { without + 1 });
    }
    let fold = (0..3).find(|&f| folded.splits[f].test.contains(&0)).unwrap();
    let prepared = folded.prepare(fold).unwrap();
    // Row 0 is the first test row: its level was not seen in training, so it is encoded as zeros.
    let row = prepared.test.x.row(0);
    assert!(row[1..3].iter().all(|v| *v == 0.0), "{row:?}");
}

#[test]
fn groups_stay_together_and_are_not_a_feature() {
    let cutting = FoldSettings { groups: Some("person".into()), ..three() };
    let folded = folded(&table(|i| i as f64), &cutting).unwrap();
    for split in &folded.splits {
        let people = |rows: &[u32]| rows.iter().map(|i| i % 7).collect::<Vec<_>>();
        let (own, other) = (people(&split.train), people(&split.test));
        assert!(other.iter().all(|p| !own.contains(p)));
    }
    assert_eq!(folded.taken[0].name, "person");
    // Features: a, u, v, rare. The day looks like a date and is dropped. Persons would be seven.
    assert!(folded.prepare(0).unwrap().x.d() <= 4);
}

#[test]
fn test_rows_are_later_than_training_rows() {
    let cutting = FoldSettings { time: Some("day".into()), ..three() };
    let folded = folded(&table(|i| i as f64), &cutting).unwrap();
    for split in &folded.splits {
        assert!(split.train.iter().max() < split.test.iter().min());
    }
    let refused = |cutting: &FoldSettings| {
        self::folded(&table(|i| i as f64), cutting).unwrap_err().to_string()
    };
    let twice = FoldSettings { repeats: 2, ..cutting.clone() };
    assert!(refused(&twice).contains("`time` cannot be combined with `repeats` or `groups`"));
    let words = FoldSettings { time: Some("w".into()), ..three() };
    assert!(refused(&words).contains("expected a time"), "{}", refused(&words));
    let none = FoldSettings { groups: Some("absent".into()), ..three() };
    assert!(refused(&none).contains("no column"));
}

#[test]
fn sample_weights_follow_their_rows() {
    let mut text = String::from("a,s,y\n");
    (0..30).for_each(|i| writeln!(text, "{},{},{}", i * i % 11, i + 1, i % 2).unwrap());
    let settings = TrainingSettings {
        weights: Some(SampleWeights::Named("s".into())),
        ..TrainingSettings::default()
    };
    let folded = FoldedData::new(input(&text), &settings, &three()).unwrap();
    for (fold, split) in folded.splits.iter().enumerate() {
        let prepared = folded.prepare(fold).unwrap();
        let own = |rows: &[u32]| rows.iter().map(|i| f64::from(i + 1)).collect::<Vec<_>>();
        assert_eq!(prepared.weights, Some(own(&split.train)));
        assert_eq!(prepared.test.weights, own(&split.test));
        assert_eq!(prepared.x.d(), 1, "the weight column is not a feature");
    }
}

#[test]
fn a_row_of_counts_stays_in_one_fold() {
    let mut text = String::from("a,no,yes\n");
    (0..12).for_each(|i| writeln!(text, "{},{},{}", i, i % 4, 12 - i).unwrap());
    let counts = vec!["no".to_owned(), "yes".to_owned()];
    let settings = TrainingSettings { counts, ..TrainingSettings::default() };
    let folded = FoldedData::new(input(&text), &settings, &three()).unwrap();
    let mut total = 0.0;
    for (fold, split) in folded.splits.iter().enumerate() {
        let test = folded.prepare(fold).unwrap().test;
        assert_eq!(test.target.len(), 2 * split.test.len());
        total += test.weights.iter().sum::<f64>();
    }
    let all: u32 = (0..12).map(|i| i % 4 + 12 - i).sum();
    assert_eq!(total, f64::from(all));
}

#[test]
fn sparse_folds_are_views_and_queries_are_groups() {
    let mut text = String::new();
    for i in 0..24 {
        writeln!(text, "{} qid:{} 1:{} {}:1", i % 2, i / 3, i + 1, i % 5 + 2).unwrap();
    }
    let cutting = FoldSettings { groups: Some("qid".into()), ..three() };
    let folded = folded(&text, &cutting).unwrap();
    for (fold, split) in folded.splits.iter().enumerate() {
        let prepared = folded.prepare(fold).unwrap();
        assert_eq!((prepared.x.n(), prepared.test.x.n()), (split.train.len(), split.test.len()));
        let first = split.test[0];
        assert_eq!(prepared.test.x.row(0)[0], f64::from(first + 1));
        let queries = |rows: &[u32]| rows.iter().map(|i| i / 3).collect::<Vec<_>>();
        assert!(queries(&split.test).iter().all(|q| !queries(&split.train).contains(q)));
    }
    let other = FoldSettings { groups: Some("person".into()), ..three() };
    assert!(self::folded(&text, &other).unwrap_err().to_string().contains("qid"));
}

#[test]
fn kept_folds_are_encoded_once_if_they_fit_in_memory() {
    let folded = folded(&table(|i| i as f64), &three()).unwrap();
    let again = |folded: &FoldedData| {
        let [a, b] = [(); 2].map(|()| folded.prepared(1).unwrap());
        assert_eq!(a.x.row(3), folded.prepare(1).unwrap().x.row(3));
        Arc::ptr_eq(&a, &b)
    };
    assert!(!again(&folded), "not kept by default");
    let mut folded = folded.keeping();
    assert!(again(&folded));
    folded.settings.memory = Memory(10_000);
    assert!(!again(&folded.keeping()));
}
