//! Comparison, tuning, calibration, thresholds and abstention.

use crate::harness::{evaluated, example, fit, hyperplanes, input, reloaded};
use linsep::SampleWeights;
use linsep::core::learner::Fact;
use linsep::jobs::{CompareOutcome, FitOutcome};
use linsep::prelude::*;
use linsep::validate::FoldSettings;
use std::fmt::Write;

/// Two overlapping classes of different size; each row has a person, a day and a sample weight,
/// as far as `columns` names them.
fn overlapping(columns: &[&str]) -> String {
    let mut state = 7_u64;
    let mut unit = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut text = String::from("a,b,");
    columns.iter().for_each(|name| write!(text, "{name},").unwrap());
    text += "y\n";
    for i in 0..400 {
        let ill = unit() < 0.25;
        let shift = if ill { 1.0 } else { 0.0 };
        let (a, b) = (unit() + unit() + shift * 0.6, unit() - shift * 0.3);
        write!(text, "{a:.4},{b:.4},").unwrap();
        for name in columns {
            match *name {
                "person" => write!(text, "p{},", i % 40),
                "day" => write!(text, "{},", i / 4),
                _ => write!(text, "{},", weight(i)),
            }
            .unwrap();
        }
        text += if ill { "ill\n" } else { "well\n" };
    }
    text
}

/// The sample weight of a row.
fn weight(i: usize) -> usize {
    1 + (i + 1) % 5
}

/// A comparison of methods; of all if the list is empty.
fn compare(methods: &[&str], folds: FoldSettings, threads: usize, data: Input) -> CompareOutcome {
    let methods = methods.iter().map(ToString::to_string).collect();
    let job = Compare { methods, folds, threads, ..Compare::default() };
    job.run(data, &mut ()).unwrap()
}

#[test]
fn every_method_is_compared_with_the_baseline() {
    let folds = FoldSettings { folds: 3, ..FoldSettings::default() };
    let found = compare(&[], folds, 1, example("iris.csv")).comparison;
    for one in &found.contenders {
        assert_eq!((&one.failure, one.folds.len()), (&None, 3), "{}", one.name);
    }
    for name in [
        "majority",
        "logistic",
        "svm",
        "fisher",
        "pocket",
        "logistic-one-vs-rest",
        "crammer-singer",
    ] {
        assert!(found.contenders.iter().any(|one| one.name == name), "{name}");
    }
    assert!(found.better_than_baseline);
}

#[test]
fn comparisons_do_not_depend_on_the_number_of_threads() {
    let folds = FoldSettings { folds: 3, ..FoldSettings::default() };
    let [one, three] = [1, 3].map(|threads| {
        compare(&["svm", "ridge"], folds.clone(), threads, example("iris.csv")).comparison
    });
    assert_eq!((one.contenders.len(), three.contenders.len()), (3, 3));
    for (one, three) in one.contenders.iter().zip(&three.contenders) {
        assert_eq!(one.metrics, three.metrics);
        assert_eq!(
            (one.p, one.relative_gap, one.nonzero),
            (three.p, three.relative_gap, three.nonzero)
        );
    }
}

#[test]
fn folds_respect_groups_and_time() {
    let own = FoldSettings::default;
    let name = |name: &str| Some(name.to_owned());
    for (column, folds, count) in [
        (Some("person"), FoldSettings { groups: name("person"), ..own() }, 5),
        (Some("day"), FoldSettings { time: name("day"), ..own() }, 5),
        (None, FoldSettings { repeats: 2, ..own() }, 10),
    ] {
        let data = input(overlapping(column.as_slice()));
        let by = "auc".to_owned();
        let methods = vec!["logistic".to_owned()];
        let job = Compare { methods, by, folds, ..Compare::default() };
        let found = job.run(data, &mut ()).unwrap();
        let (n, found) = (found.rows, found.comparison);
        assert_eq!(found.contenders[1].folds.len(), count, "{column:?}");
        assert_eq!(found.contenders[found.best.unwrap()].name, "logistic", "{column:?}");
        assert_eq!(n, 400, "{column:?}: all rows, though in time no fold has them all");
    }
}

#[test]
fn a_tuned_fit_is_the_fit_of_the_selected_lambda() {
    let iris = example("iris.csv");
    let softmax = || Method::logistic().multiclass(Scheme::Softmax);
    let tuned = Fit::new(softmax()).tune(6).run(&iris).unwrap();
    let header = reloaded(&tuned).header;
    let tuning = header.training.tuning.as_ref().unwrap();
    assert_eq!(tuning.points.len(), 6);
    assert_eq!(header.settings["lambda"], tuning.lambda(), "the model has the selected λ");
    let named = fit(softmax().lambda(tuning.lambda()), &iris);
    assert_eq!(hyperplanes(&named), hyperplanes(&tuned));
    for threads in [1, 3] {
        let again = Fit { threads, ..Fit::new(softmax()).tune(6) }.run(&iris).unwrap();
        assert_eq!(again.model_file.header.training.tuning.as_ref(), Some(tuning));
    }
    Fit::new(Method::svm()).tune(4).run(&iris).unwrap();
}

#[test]
fn least_squares_is_tuned_by_leave_one_out() {
    let mut asked = Fit::new(Method::least_squares());
    asked.method.options.loo = Some(true);
    for fit in [Fit::new(Method::least_squares()).tune(20), asked] {
        let found = fit.run(&example("iris.csv")).unwrap();
        let Some(&Fact::Number(lambda)) = found.fit.facts.get("lambda") else { panic!("no λ") };
        let Some(Fact::Table(_, table)) = found.fit.facts.get("leave-one-out") else {
            panic!("no curve")
        };
        let header = reloaded(&found).header;
        assert_eq!(header.settings["lambda"], lambda);
        assert_eq!(header.settings["loo"], "yes");
        // The curve is saved from the largest λ to the smallest, and its minimum is selected.
        let tuning = header.training.tuning.unwrap();
        assert_eq!((tuning.leave_one_out, tuning.folds), (true, 150));
        assert_eq!(tuning.points.len(), table.len());
        assert_eq!(tuning.points[0].lambda, table[table.len() - 1][0]);
        let chosen = &tuning.points[tuning.chosen];
        assert_eq!(chosen.lambda, lambda);
        assert!(tuning.points.iter().all(|point| point.cost >= chosen.cost));
    }
}

#[test]
fn every_method_can_be_calibrated() {
    for method in
        [Method::svm(), Method::averaged_perceptron(), Method::logistic(), Method::least_squares()]
    {
        for way in Calibration::ALL {
            for data in [example("iris.csv"), input(overlapping(&[]))] {
                let found = Fit::new(method.clone()).calibrate(way).run(&data).unwrap();
                let model = reloaded(&found);
                let quality = model.header.training.post_processing.as_ref().unwrap();
                let after = quality.after.as_ref().unwrap();
                assert!(after.calibration_error < 0.25, "{method:?} {way:?}: {after:?}");
                assert_eq!(quality.before.is_some(), method == Method::logistic());
                let p = model.predict_proba(&data).unwrap();
                for i in 0..found.model_file.header.training.rows {
                    assert!((p.row(i).map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-9);
                }
                let evaluation = model.evaluate(&data).unwrap();
                assert!(evaluation.value("log-loss").unwrap() < 1.0 && evaluation.bins.is_some());
                assert_eq!(model.header.link, way.name());
            }
        }
    }
}

/// A fit in which the class ill is positive.
fn of_ill() -> Fit {
    Fit { positive: Some(Label::parse("ill")), ..Fit::default() }
}

#[test]
fn thresholds_follow_their_rule() {
    let data = input(overlapping(&[]));
    let ruled = |rule: &str| of_ill().threshold(rule.parse().unwrap()).run(&data).unwrap();
    let plain = of_ill().run(&data).unwrap();
    let cost = ruled("cost:1,10");
    let model = reloaded(&cost);
    let record = model.header.training.post_processing.as_ref().unwrap();
    let threshold = record.threshold.as_ref().unwrap();
    assert!(threshold.at < 0.0, "a false negative costs more");
    assert!(threshold.after.cost.unwrap() < threshold.before.cost.unwrap());
    assert_eq!(hyperplanes(&cost), hyperplanes(&plain), "the hyperplanes do not change");
    // Predictions and evaluations use the threshold.
    let job = Predict { scores: true, ..Predict::default() };
    let found = job.rows(&model, data.clone()).unwrap();
    let scores = found.scores.as_ref().unwrap();
    assert_eq!(scores.len(), 400);
    for (class, z) in found.labels().into_iter().zip(scores) {
        let ill = z.as_ref().unwrap()[0] >= threshold.at;
        assert_eq!(class, Some(&Label::parse(if ill { "ill" } else { "well" })));
    }
    let recall = |model: &ModelFile| {
        let evaluation = model.evaluate(&data).unwrap();
        let ill = evaluation.classes.iter().position(|class| *class == Label::parse("ill"));
        evaluation.confusion.scores()[ill.unwrap()].recall.unwrap()
    };
    assert!(recall(&model) > recall(&plain.model_file));
    for rule in ["f1", "youden", "recall>=0.9"] {
        ruled(rule);
    }
}

#[test]
fn rows_below_the_limit_get_no_prediction() {
    let text = overlapping(&[]);
    let data = input(text.clone());
    let found = Fit::default().abstain(AbstainRule::Probability(0.9)).run(&data).unwrap();
    let limit = |found: &FitOutcome| {
        let record = found.model_file.header.training.post_processing.as_ref();
        record.unwrap().abstention.clone().unwrap()
    };
    let abstention = limit(&found);
    assert!((0.1..0.9).contains(&abstention.coverage));
    assert!(abstention.error.unwrap() < abstention.error_of_all);
    let model = reloaded(&found);
    let job = Predict { probabilities: true, ..Predict::default() };
    let rows = job.rows(&model, data.clone()).unwrap();
    let p = rows.probabilities.as_ref().unwrap();
    assert_eq!(p.len(), 400);
    for (i, p) in p.iter().enumerate() {
        let most = p.as_ref().unwrap().iter().copied().fold(0.0, f64::max);
        assert_eq!(rows.classes[i].is_none(), most < 0.9, "{i}");
        assert_eq!(rows.abstained.contains(&i), most < 0.9, "{i}");
    }
    let evaluation = evaluated(&Evaluate::default(), &model, &text);
    let coverage = evaluation.reject_option.unwrap().coverage;
    assert!((coverage - abstention.coverage).abs() < 0.1);
    // An error rate instead of a probability, and a margin for a model without probabilities.
    let margin = Fit::new(Method::svm()).abstain(AbstainRule::Error(0.1)).run(&data).unwrap();
    assert_eq!(limit(&margin).by, "margin");
}

#[test]
fn curves_are_lists_of_points() {
    let text = overlapping(&[]);
    let model = fit(Method::logistic(), &input(text.clone())).model_file;
    let evaluation = evaluated(&Evaluate::default(), &model, &text);
    let job = Evaluate { curves: true, ..Evaluate::default() };
    let read = ReadOptions::default();
    let source = Source::from_bytes("ill.csv", text);
    let curves = job.run(&model, vec![source], &read, &mut ()).unwrap().curves.unwrap();
    let roc = curves.roc.unwrap();
    assert_eq!((roc[0].true_positive, roc[0].threshold), (0.0, None));
    assert_eq!(roc[roc.len() - 1].true_positive, 1.0);
    assert!(!curves.precision_recall.unwrap().is_empty());
    let auc = evaluation.metrics.iter().find(|metric| metric.name == "auc").unwrap();
    let (value, (low, high)) = (auc.value.unwrap(), auc.interval.unwrap());
    assert!(low < value && value < high);
    let (iris, path) = (example("iris.csv"), crate::harness::example_path("iris.csv"));
    let three = fit(Method::logistic(), &iris).model_file;
    let rows = vec![Source::open(path).unwrap()];
    assert_eq!(job.run(&three, rows, &read, &mut ()).unwrap().curves, None);
}

/// The same sample weights in a column and in a file give the same model and the same metrics, also
/// with held-out rows.
#[test]
fn sample_weights_of_a_file_belong_to_their_rows() {
    let (inside, without) = (input(overlapping(&["s"])), input(overlapping(&[])));
    let weighted = |weights, holdout| {
        let mut fit = Fit { holdout, ..Fit::default() };
        fit.data.weights = Some(weights);
        fit
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.csv");
    let mut weights = "s\n".to_owned();
    (0..400).for_each(|i| writeln!(weights, "{}", weight(i)).unwrap());
    std::fs::write(&path, weights).unwrap();
    let file = SampleWeights::Named(path.display().to_string());
    for holdout in [None, Some(0.25)] {
        let column = weighted(SampleWeights::Named("s".to_owned()), holdout);
        let (column, own) =
            (column.run(&inside).unwrap(), weighted(file.clone(), holdout).run(&without).unwrap());
        assert_eq!(hyperplanes(&column), hyperplanes(&own), "{holdout:?}");
        assert_eq!(column.fit.accuracy, own.fit.accuracy, "{holdout:?}");
        let metrics =
            |found: &FitOutcome| found.evaluated.as_ref().map(|one| one.evaluation.metrics.clone());
        assert_eq!(metrics(&column), metrics(&own), "{holdout:?}");
        assert_eq!(metrics(&column).is_none(), holdout.is_none());
    }
}
