//! Multiclass schemes: their hyperplanes, regions and predictions.

use crate::harness::{
    TRIANGLE, evaluated, example, fit, hyperplanes, input, labels, raw, reloaded,
};
use linsep::ModelFile;
use linsep::core::control::Record;
use linsep::core::{DecisionRule, Hyperplane, LinearModel};
use linsep::jobs::{Evaluate, Fit, Kesler, Predict, Trace};
use linsep::prelude::*;
use std::fmt::Write;

/// Far to the upper right a point is on the positive side of the hyperplanes of a and of b: the
/// ambiguous region of the figure in the lectures.
const CROSSED: &str = "x,y,class\n1,0,a\n2,0,a\n0,1,b\n0,2,b\n-1,-1,c\n-2,-2,c\n";

/// The corners of a square, of which two opposite ones are of one class.
const CORNERS: &str = "x1,x2,y\n-1,-1,1\n-1,1,3\n1,-1,3\n1,1,2\n";

#[test]
fn every_scheme_separates_a_triangle() {
    for (method, scheme) in [
        (Method::logistic(), Scheme::OneVsRest),
        (Method::logistic(), Scheme::OneVsRestButLast),
        (Method::svm(), Scheme::OneVsOne),
        (Method::perceptron(), Scheme::WinnerTakeAll),
        (Method::averaged_perceptron(), Scheme::Kesler),
        (Method::svm(), Scheme::CrammerSinger),
    ] {
        let data = input(TRIANGLE);
        let found = fit(method.multiclass(scheme), &data);
        assert_eq!((found.fit.multiclass, found.fit.accuracy), (Some(scheme), 1.0));
        let loaded = reloaded(&found);
        assert_eq!(loaded.header.multiclass.as_deref(), Some(scheme.name()));
        assert_eq!(loaded.evaluate(&data).unwrap().accuracy(), 1.0, "{scheme:?}");
    }
}

#[test]
fn supported_schemes_of_a_method_are_listed() {
    let request = Fit { explain_multiclass: true, ..Fit::new(Method::svm()) };
    let found = request.run(&example("iris.csv")).unwrap();
    assert_eq!(found.fit.multiclass, Some(Scheme::OneVsRest));
    let choice = found.schemes.unwrap();
    assert!(!choice.requested && choice.reason.is_some());
    for scheme in [Scheme::OneVsRest, Scheme::OneVsOne] {
        assert!(choice.supported.contains(&scheme), "{choice:?}");
    }
    let pairs = fit(Method::svm().multiclass(Scheme::OneVsOne), &example("iris.csv"));
    assert_eq!(hyperplanes(&pairs).len(), 3);
    assert!(pairs.model_file.model.decision_rule().has_ambiguous_regions());
}

#[test]
fn ambiguous_rows_are_resolved_or_kept() {
    let rows = input("x,y\n5,0\n0,5\n5,5\n-5,-5\n");
    let one_or_last = Method::logistic().multiclass(Scheme::OneVsRestButLast);
    let found = raw(one_or_last).run(&input(CROSSED)).unwrap();
    assert_eq!(found.fit.ambiguous, 0);
    let model = found.model_file;
    let keep = Predict { keep_ambiguous: true, ..Predict::default() };
    let kept = keep.rows(&model, rows.clone()).unwrap();
    let [a, b, c] = &labels(["a", "b", "c"]);
    assert_eq!(kept.ambiguous, [2]);
    assert_eq!(kept.labels(), [Some(a), Some(b), None, Some(c)]);
    let resolved = Predict::default().rows(&model, rows.clone()).unwrap();
    assert!(resolved.labels().iter().all(Option::is_some));
    let test = "x,y,class\n5,5,a\n5,0,a\n0,5,b\n";
    assert_eq!(evaluated(&Evaluate::default(), &model, test).ambiguous, Some(1));
    // A scheme without ambiguous regions does not report them.
    let argmax = fit(Method::logistic(), &input(CROSSED)).model_file;
    assert!(!Predict::default().rows(&argmax, rows).unwrap().columns.ambiguous);
}

/// W₁ = (1, −1, −1), W₂ = (1, 1, 1), W₃ = (2, 0, 0) on the corners (±1, ±1): the lectures' table,
/// through a model file.
#[test]
fn the_lectures_winner_take_all_table() {
    let corners = input(CORNERS);
    let method = Method::perceptron().multiclass(Scheme::WinnerTakeAll);
    let found = raw(method).run(&corners).unwrap();
    assert_eq!((found.fit.stop, found.fit.accuracy), (StopReason::Separated, 1.0));
    // The trained hyperplanes give the predictions of the lectures; so do those of the lectures.
    let learned = reloaded(&found);
    let hyperplane = |w: [f64; 2], b: f64| Hyperplane { w: w.to_vec(), b };
    let table = vec![
        hyperplane([-1.0, -1.0], 1.0),
        hyperplane([1.0, 1.0], 1.0),
        hyperplane([0.0, 0.0], 2.0),
    ];
    let classes = learned.model.classes().to_vec();
    let model = LinearModel::new(classes, table, DecisionRule::ArgMax).unwrap();
    let lecture = ModelFile { model: model.into(), ..learned.clone() }.to_bytes().unwrap();
    let lecture = ModelFile::from_bytes("lecture", &lecture).unwrap();
    let scored = |model: &ModelFile| {
        let job = Predict { scores: true, ..Predict::default() };
        let found = job.rows(model, corners.clone()).unwrap();
        let [one, two, three] = &labels(["1", "2", "3"]);
        let xor = [Some(one), Some(three), Some(three), Some(two)];
        assert_eq!(found.labels(), xor, "neuron 3 is XOR");
        found.scores.unwrap()
    };
    scored(&learned);
    let scores = [[3.0, -1.0, 2.0], [1.0, 1.0, 2.0], [1.0, 1.0, 2.0], [-1.0, 3.0, 2.0]];
    assert_eq!(scored(&lecture), scores.map(|row| Some(row.to_vec())));
}

#[test]
fn joint_updates_are_traced() {
    let mut trace = Trace::default();
    trace.run.method = Method::perceptron().multiclass(Scheme::Kesler);
    trace.run.limit = 3;
    let found = trace.run(input(CORNERS)).unwrap();
    assert_eq!((found.steps.len(), found.truncated), (3, true));
    let Record::Scores { winner, .. } = found.steps[0] else { panic!("scores of all classes") };
    assert_eq!(winner, None, "no class wins at zero");
}

/// A binary fit to the rows of Kesler's construction gives the hyperplanes of the scheme.
#[test]
fn kesler_rows_give_the_hyperplanes_of_the_scheme() {
    let expanded = Kesler { mirror: true, ..Kesler::default() }.run(input(TRIANGLE)).unwrap();
    let mut text = String::new();
    (0..expanded.columns.len()).for_each(|j| write!(text, "x{j},").unwrap());
    text += "side\n";
    for (row, side) in expanded.rows.iter().zip(&expanded.sides) {
        row.iter().for_each(|v| write!(text, "{v},").unwrap());
        writeln!(text, "{side}").unwrap();
    }
    let mut long = raw(Method::perceptron().intercept(false));
    long.data.target = Some("side".to_owned());
    let long = long.run(&input(text)).unwrap();
    let short = raw(Method::perceptron().multiclass(Scheme::Kesler)).run(&input(TRIANGLE)).unwrap();
    assert_eq!((long.fit.stop, long.fit.updates), (StopReason::Separated, short.fit.updates));
    let joined = hyperplanes(&short).iter().flat_map(|own| own.w.iter().copied().chain([own.b]));
    let joined = Hyperplane { w: joined.collect(), b: 0.0 };
    assert_eq!(hyperplanes(&long), [joined]);
}

#[test]
fn rows_of_an_unknown_class_are_misclassified() {
    let test = "x,y,class\n0,0,a\n8,0,b\n1,1,d\n4,8,c\n";
    for scheme in [Scheme::OneVsOne, Scheme::OneVsRestButLast] {
        let model = fit(Method::logistic().multiclass(scheme), &input(TRIANGLE)).model_file;
        let found = evaluated(&Evaluate::default(), &model, test);
        assert_eq!((found.accuracy(), found.unknown), (0.75, vec![(Label::parse("d"), 1)]));
    }
}

#[test]
fn models_do_not_depend_on_the_number_of_threads() {
    for scheme in
        [Scheme::OneVsRest, Scheme::OneVsRestButLast, Scheme::OneVsOne, Scheme::CrammerSinger]
    {
        let model = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let fit = Fit { threads, ..Fit::new(Method::svm().multiclass(scheme)) };
            let found = pool.install(|| fit.run(&example("iris.csv")).unwrap());
            found.model_file.to_bytes().unwrap()
        };
        assert_eq!(model(1), model(4), "{scheme:?}");
    }
}
