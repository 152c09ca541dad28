//! Results of other programs; see `golden/README.md`.

use crate::arguments::request;
use crate::harness::{example, example_path, golden, hyperplanes, raw};
use crate::public_data::public_data;
use linsep::core::control::Record;
use linsep::io::Memory;
use linsep::jobs::{FitOutcome, Trace};
use linsep::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// The numbers of a list.
fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

#[test]
fn rosenblatts_rule_agrees_with_scikit_learn() {
    for run in golden("perceptron_iris.json")["runs"].as_array().unwrap() {
        let (eta, epochs) = (run["eta"].as_f64().unwrap(), run["epochs"].as_u64().unwrap());
        let mut trace = Trace::default();
        trace.run.method = Method::perceptron().eta(eta).max_iter(epochs);
        trace.run.positive = run["positive"].as_str().map(Label::parse);
        let found = trace.run(example("iris.csv")).unwrap();
        let Some(Record::Row { hyperplane, .. }) = found.steps.last() else { panic!("{found:?}") };
        let ours = hyperplane.w.iter().chain([&hyperplane.b]);
        let theirs = numbers(&run["w"]).into_iter().chain(run["b"].as_f64());
        assert_eq!(hyperplane.w.len(), 4);
        for (ours, theirs) in ours.zip(theirs) {
            assert!((ours - theirs).abs() < 1e-9, "{run}\n{hyperplane:?}");
        }
    }
}

/// Coefficients of each class minus those of the first class: only differences of scores matter.
#[test]
fn closed_forms_agree_with_scikit_learn() {
    for run in golden("closed.json")["runs"].as_array().unwrap() {
        let arguments = run["arguments"].as_str().unwrap();
        let (data, fit) = request(&example_path("iris.csv"), arguments);
        let found = fit.run(&data).unwrap();
        let [first, others @ ..] = hyperplanes(&found) else { panic!("no hyperplane") };
        assert_eq!(others.len(), 2);
        for (c, hyperplane) in others.iter().enumerate() {
            let mut ours: Vec<f64> =
                hyperplane.w.iter().zip(&first.w).map(|(w, first)| w - first).collect();
            ours.push(hyperplane.b - first.b);
            let mut theirs = numbers(&run["w"][c]);
            theirs.push(run["b"][c].as_f64().unwrap());
            let size = theirs.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * size;
            assert!(ours.iter().zip(&theirs).all(near), "{arguments}\n{ours:?}\n{theirs:?}");
        }
    }
}

#[test]
fn public_data_sets_agree_with_another_program() {
    for (name, set) in golden("datasets.json")["sets"].as_object().unwrap() {
        let Some(file) = public_data(set["file"].as_str().unwrap()) else { continue };
        let (data, mut fit) = request(&file, set["arguments"].as_str().unwrap());
        let trained = !set["peer_accuracy"].is_null();
        if !trained {
            fit.method.options.epochs = Some(0);
        }
        let found = fit.run(&data).unwrap();

        let (n, d) = (found.model_file.header.training.rows, found.model_file.model.d());
        assert_eq!((&Value::from(n), &Value::from(d)), (&set["n"], &set["d"]), "{name}");
        let missing: u64 = found.missing.iter().map(|(_, n)| n).sum();
        // Missing cells of dropped columns are not counted, as those of cabins of titanic.
        let dropped = if name == "titanic" { 687 } else { 0 };
        assert_eq!(missing + dropped, set["missing"].as_u64().unwrap(), "{name}");
        let classes = set["classes"].as_object().unwrap();
        assert_eq!(found.model_file.model.k(), classes.len(), "{name}");

        if trained {
            let (ours, theirs) = (found.fit.accuracy, set["peer_accuracy"].as_f64().unwrap());
            println!("{name}: {ours:.4}, reference {theirs:.4}");
            // Both programs draw rows at random; on small data the seed alone changes some points.
            let tolerance = if n < 1000 { 0.05 } else { 0.02 };
            assert!(ours >= theirs - tolerance, "{name}: {ours}, reference {theirs}");
        }
    }
}

/// Counts of two classes in two columns, compared with statsmodels and Newton's method; see
/// `golden/lizards.py`.
#[test]
fn models_of_counts_agree_with_statsmodels() {
    let set = golden("lizards.json");
    let Some(file) = public_data(set["file"].as_str().unwrap()) else { return };
    let (data, request) = request(&file, "--counts grahami,opalinus");
    let fit = |method| -> FitOutcome {
        let found = Fit { method, ..request.clone() }.run(&data).unwrap();
        let (n, d) = (found.model_file.header.training.rows, found.model_file.model.d());
        assert_eq!((&Value::from(n), &Value::from(d)), (&set["n"], &set["d"]));
        let classes = found.model_file.model.classes().iter().map(ToString::to_string);
        assert_eq!(Value::from(classes.collect::<Vec<_>>()), set["counts"]);
        found
    };
    let weights = |found: &FitOutcome| -> BTreeMap<String, f64> {
        let names = found.model_file.header.recipe.features();
        names.into_iter().zip(hyperplanes(found)[0].w.iter().copied()).collect()
    };
    let near = |ours: f64, theirs: &Value, what: &str| {
        let theirs = theirs.as_f64().unwrap();
        assert!((ours - theirs).abs() < 1e-7, "{what}: {ours}, reference {theirs}");
    };

    let penalized = fit(Method::logistic().c(1_000_000.0).tol(1e-13));
    near(hyperplanes(&penalized)[0].b, &set["penalized"]["b"], "intercept");
    let w = weights(&penalized);
    for (name, theirs) in set["penalized"]["w"].as_object().unwrap() {
        near(w[name], theirs, name);
    }
    let free = fit(Method::logistic().penalty(Penalty::None).tol(1e-12));
    let w = weights(&free);
    for (name, theirs) in set["free"]["differences"].as_object().unwrap() {
        let factor = format!("{}=", name.split_once('=').unwrap().0);
        let first = w.keys().find(|key| key.starts_with(&factor)).unwrap();
        near(w[name] - w[first], theirs, name);
    }

    // The model records that its classes are columns of counts, which are not features.
    let model = free.model_file;
    let rows = |counts: &[&str]| {
        let counts = counts.iter().map(ToString::to_string).collect();
        let (job, read) = (Evaluate { counts, ..Evaluate::default() }, ReadOptions::default());
        let sources = vec![Source::open(&file).unwrap()];
        job.run(&model, sources, &read, &mut ()).unwrap().evaluation
    };
    let evaluation = rows(&[]);
    assert_eq!(evaluation, rows(&["grahami", "opalinus"]));
    let support: Vec<f64> =
        evaluation.confusion.scores().iter().map(|class| class.support).collect();
    assert_eq!(support.iter().sum::<f64>(), set["weight"].as_f64().unwrap());
    for (class, support) in evaluation.classes.iter().zip(support) {
        assert_eq!(support, set["classes"][class.to_string()].as_f64().unwrap());
    }
    let log_loss = evaluation.value("log-loss").unwrap() * set["weight"].as_f64().unwrap();
    near(-log_loss, &set["free"]["log_likelihood"], "log-likelihood");
    let (sources, read) = (vec![Source::open(&file).unwrap()], ReadOptions::default());
    let job = Predict::default();
    let predicted = job.run(&model, sources, &read, Memory::default(), &mut ()).unwrap();
    assert_eq!((predicted.classes.len(), predicted.notes), (23, Vec::new()));
}

/// LIBLINEAR's -s 4: both objectives are at least the optimum, and both lower bounds are at most
/// the optimum.
#[test]
fn crammer_singer_svm_agrees_with_liblinear() {
    for case in golden("crammer_singer.json")["cases"].as_array().unwrap() {
        let number = |name: &str| case[name].as_f64().unwrap();
        let method = Method::svm().multiclass(Scheme::CrammerSinger).intercept(false);
        let method = method.c(number("c")).tol(1e-6).max_iter(100_000);
        let fit = raw(method).run(&example("iris.csv")).unwrap().fit;
        assert_eq!(fit.stop, StopReason::Optimal, "{case}");
        let (primal, dual) = (fit.objective.unwrap(), fit.bound.unwrap());
        assert!(primal <= number("objective") * (1.0 + 2e-6), "{primal} {case}");
        assert!(primal >= number("lower_bound") && dual <= number("objective"), "{dual} {case}");
    }
}
