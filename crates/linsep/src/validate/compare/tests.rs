use super::*;
use crate::dataset::TrainingSettings;
use crate::validate::{CrossValidation, FoldSettings};
use linsep_core::binary::RegularizedErm;
use linsep_core::learner::{MulticlassLearner, lambdas};
use linsep_core::math::rng::Rng;
use linsep_core::validate::{LambdaRule, PostProcessing, contenders, pick};
use linsep_io::input::{ReadOptions, read_source};
use linsep_io::source::Source;
use std::fmt::Write;

/// Returns rows of k classes around points on a line, with uniform `noise` and an uninformative
/// categorical column.
fn data(n: usize, k: usize, noise: f64, cutting: &FoldSettings) -> FoldedData {
    let mut rng = Rng::new(11, k as u64);
    let mut text = String::from("a,b,w,y\n");
    for i in 0..n {
        let class = i % k;
        let a = class as f64 + noise * (rng.unit() - 0.5);
        writeln!(text, "{a},{},{},c{class}", rng.unit(), ["u", "v"][rng.below(2) as usize])
            .unwrap();
    }
    let input = read_source(Source::from_bytes("t.csv", text), &ReadOptions::default()).unwrap();
    FoldedData::new(input, &TrainingSettings::default(), cutting).unwrap()
}

fn run(folded: &FoldedData, names: &[&str], threads: usize) -> Comparison {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let contenders = pick(&names, folded.classes.len()).unwrap();
    compare(folded, &contenders, compared()[0], &ClassWeights::Equal, threads, &mut ()).unwrap()
}

/// Returns the comparison without its times.
fn timeless(mut comparison: Comparison) -> Comparison {
    for one in &mut comparison.contenders {
        (one.fit_seconds, one.predict_seconds) = (None, None);
        for fold in &mut one.folds {
            (fold.fit_seconds, fold.predict_seconds) = (0.0, 0.0);
        }
    }
    comparison
}

#[test]
fn all_contenders_have_the_same_bits_for_any_thread_count() {
    for k in [2, 3] {
        let folded = data(90, k, 1.6, &FoldSettings { folds: 3, ..FoldSettings::default() });
        let one = timeless(run(&folded, &[], 1));
        assert_eq!(one.contenders.len(), contenders(k).len());
        for contender in &one.contenders {
            assert_eq!(contender.failure, None, "{}", contender.name);
            assert_eq!(contender.folds.len(), 3);
        }
        for threads in [2, 5] {
            assert_eq!(timeless(run(&folded, &[], threads)), one);
        }
        let clear = data(60, k, 0.5, &FoldSettings { folds: 3, ..FoldSettings::default() });
        let clear = run(&clear, &["logistic", "gaussian"], 1);
        assert!(clear.better_than_baseline, "{}", clear.advice);
    }
}

#[test]
fn no_contender_beats_the_baseline_on_noise() {
    let cutting = FoldSettings { folds: 5, repeats: 2, ..FoldSettings::default() };
    let mut rng = Rng::new(3, 3);
    let mut text = String::from("a,b,y\n");
    (0..120)
        .for_each(|_| writeln!(text, "{},{},{}", rng.unit(), rng.unit(), rng.below(2)).unwrap());
    let input = read_source(Source::from_bytes("t.csv", text), &ReadOptions::default()).unwrap();
    let folded = FoldedData::new(input, &TrainingSettings::default(), &cutting).unwrap();
    let found = run(&folded, &["logistic", "svm", "gaussian"], 2);
    assert_eq!(found.contenders[0].folds.len(), 10);
    assert!(!found.better_than_baseline, "{}", found.advice);
    assert!(
        found.advice.starts_with("No contender has a significantly better"),
        "{}",
        found.advice
    );
}

#[test]
fn class_missing_from_the_training_fold_is_misclassified() {
    let mut text = String::from("a,y\n");
    (0..20).for_each(|i| writeln!(text, "{},{}", i % 2 * 10 + i / 10, ["u", "v"][i % 2]).unwrap());
    text.push_str("5,once\n");
    let input = read_source(Source::from_bytes("t.csv", text), &ReadOptions::default()).unwrap();
    let cutting = FoldSettings { folds: 3, ..FoldSettings::default() };
    let folded = FoldedData::new(input, &TrainingSettings::default(), &cutting).unwrap();
    let found = run(&folded, &["logistic", "logistic-one-vs-rest"], 1);
    let fold = (0..3).find(|&f| folded.splits[f].test.contains(&20)).unwrap();
    for one in &found.contenders[1..] {
        assert!(one.failure.is_none());
        let value = |name: &str| value_of(&one.folds[fold].metrics, name).unwrap();
        assert!(value("accuracy") < 1.0 && value("log-loss") > 1.0);
        assert!((0.0..=1.0).contains(&value("auc")));
    }
    // Post-processing needs all classes in every training fold.
    let logistic = MulticlassLearner::new(Box::new(RegularizedErm::default()));
    let equal = ClassWeights::Equal;
    let error = CrossValidation { folded: &folded, positive: None, weigh: &equal, threads: 1 }
        .out_of_fold_scores(&logistic, &mut ())
        .unwrap_err();
    assert!(error.to_string().contains("\"once\""), "{error}");
}

#[test]
fn comparison_continues_after_a_failed_contender() {
    // More columns than rows: leave-one-out is undefined if every row is fitted exactly.
    let mut text = String::new();
    let mut rng = Rng::new(1, 1);
    for i in 0..12 {
        let row: Vec<String> = (0..30).map(|_| rng.unit().to_string()).collect();
        writeln!(text, "{},{}", row.join(","), ["u", "v"][i % 2]).unwrap();
    }
    let input = read_source(Source::from_bytes("t.csv", text), &ReadOptions::default()).unwrap();
    let cutting = FoldSettings { folds: 2, ..FoldSettings::default() };
    let folded = FoldedData::new(input, &TrainingSettings::default(), &cutting).unwrap();
    let found = run(&folded, &["logistic", "ridge"], 1);
    assert!(found.contenders.iter().any(|one| one.failure.is_none()));
}

#[test]
fn out_of_fold_scores_and_tuning_have_the_same_bits_for_any_thread_count() {
    for k in [2, 3] {
        let folded = data(120, k, 2.0, &FoldSettings { folds: 4, ..FoldSettings::default() });
        let (logistic, equal) =
            (MulticlassLearner::new(Box::new(RegularizedErm::default())), ClassWeights::Equal);
        let held = |threads| {
            CrossValidation { folded: &folded, positive: None, weigh: &equal, threads }
                .out_of_fold_scores(&logistic, &mut ())
                .unwrap()
        };
        let one = held(1);
        assert_eq!((one.target.len(), one.folds().len(), one.k), (120, 4, k));
        assert_eq!(held(3), one);
        let prepared = folded.prepare(0).unwrap();
        let problem = prepared.problem(&equal).unwrap();
        let grid = lambdas(&problem, &RegularizedErm::default(), 8).unwrap();
        let rule = LambdaRule::OneStandardError;
        let tuned = |threads| {
            CrossValidation { folded: &folded, positive: None, weigh: &equal, threads }
                .tune(&logistic, &grid, rule, &mut ())
                .unwrap()
        };
        let curve = tuned(1);
        assert_eq!(curve, tuned(3));
        assert!(curve.chosen <= curve.best && curve.points.len() == 8);
        let least = curve.points.iter().map(|p| p.cost).fold(f64::INFINITY, f64::min);
        assert_eq!(curve.points[curve.best].cost, least);
        let trust = PostProcessing {
            calibrate: Some(linsep_core::calibrate::Calibration::Platt),
            ..PostProcessing::default()
        };
        let metrics = trust.evaluate(&one, &linsep_core::model::Link::Logistic).unwrap();
        assert!(metrics.before.is_some() && metrics.after.is_some());
    }
}
