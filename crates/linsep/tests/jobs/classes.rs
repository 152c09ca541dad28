//! Classes are compared as written, and what is no class is refused.

use crate::harness::{evaluated, fit, input, labels, predicted, reloaded};
use linsep::jobs::FitOutcome;
use linsep::prelude::*;

fn rows(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

/// A number that separates even rows from odd ones.
fn x(i: usize) -> usize {
    i % 2 * 3 + i / 30
}

fn classes(fit: &FitOutcome) -> &[Label] {
    fit.model_file.model.classes()
}

/// The fit of a file of this content, and the request for it.
fn targeted(target: Option<&str>, text: &str) -> FitOutcome {
    let mut read = ReadOptions::default();
    let mut fit = Fit::default();
    if let Some(target) = target {
        read.csv.classes = linsep::io::target::ClassColumn::of(Some(target));
        fit = fit.target(target);
    }
    let data = read_source(Source::from_bytes("ids.csv", text), &read).unwrap();
    fit.run(&data).unwrap()
}

#[test]
fn whole_numbers_beyond_doubles_stay_two_classes() {
    let id = |i: usize| 9_007_199_254_740_992_u64 + (i % 2) as u64;
    let last = format!("x,id\n{}", rows(60, |i| format!("{},{}\n", x(i), id(i))));
    let first = format!("id,x\n{}", rows(60, |i| format!("{},{}\n", id(i), x(i))));
    let two = [Label::Number(9_007_199_254_740_992.0), Label::Text("9007199254740993".to_owned())];
    for (target, text) in [(None, &last), (Some("id"), &last), (Some("id"), &first)] {
        let found = targeted(target, text);
        assert_eq!(classes(&found), two, "{target:?}");
        let model = reloaded(&found);
        assert_eq!(evaluated(&Evaluate::default(), &model, text).accuracy(), 1.0);
        assert_eq!(predicted(&model, &input(text.as_str()))[1], two[1]);
    }
    let pairs = rows(60, |i| format!("{} 1:{}\n", id(i), x(i)));
    assert_eq!(classes(&fit(Method::logistic(), &input(pairs))).len(), 2);
}

#[test]
fn leading_zeros_make_a_class_and_are_pointed_out_beside_the_number() {
    let code = |i: usize| ["01", "1", "2"][i % 3];
    let codes = rows(60, |i| format!("{},{}\n", i % 3 * 5 + i / 30, code(i)));
    let codes = input(format!("x,code\n{codes}"));
    let found = fit(Method::logistic(), &codes);
    let weights = [("1", 20.0), ("01", 20.0), ("2", 20.0)];
    assert_eq!(found.classes, weights.map(|(class, weight)| (Label::parse(class), weight)));
    let note = &found.notes[0].text;
    assert!(note.contains("classes 1 and 01 differ only in leading zeros"), "{note}");
    let mut mapped = Fit::default();
    mapped.data.label_map = vec!["01=1".to_owned()];
    let mapped = mapped.run(&codes).unwrap();
    assert_eq!((classes(&mapped).len(), mapped.notes.len()), (2, 0));

    let zip = rows(60, |i| format!("{},0{}\n", i % 2 * 5, 1230 + i % 2));
    let zip = input(format!("x,zip\n{zip}"));
    let found = fit(Method::logistic(), &zip);
    assert_eq!((classes(&found), found.notes.len()), (&labels(["01230", "01231"])[..], 0));
    let [first, second] = labels(["01230", "01231"]);
    assert_eq!(predicted(&reloaded(&found), &zip)[..2], [first, second]);
}

#[test]
fn notations_of_one_number_are_one_class_in_every_format() {
    let spelled = |i: usize| {
        if i.is_multiple_of(2) {
            ["-1", "-1.0", "-1e0"][i % 3]
        } else {
            ["+1", "1", "1.0000000000000000000"][i % 3]
        }
    };
    let table = format!("x,y\n{}", rows(60, |i| format!("{},{}\n", x(i), spelled(i))));
    let plain = format!("x,y\n{}", rows(60, |i| format!("{},{}\n", x(i), ["-1", "1"][i % 2])));
    let pairs = rows(60, |i| format!("{} 1:{}\n", spelled(i), x(i)));
    let signs = [Label::Number(-1.0), Label::Number(1.0)];
    let dense = fit(Method::logistic(), &input(table.as_str()));
    assert_eq!((classes(&dense), dense.notes.len()), (&signs[..], 0));
    let sparse = fit(Method::logistic(), &input(pairs.as_str()));
    assert_eq!(classes(&sparse), signs);
    for (found, text) in [(&dense, &table), (&dense, &plain), (&sparse, &pairs)] {
        let evaluation = evaluated(&Evaluate::default(), &found.model_file, text);
        assert_eq!((evaluation.unknown, evaluation.scored), (Vec::new(), (60, 60)));
    }
}

#[test]
fn a_target_of_measurements_is_refused_and_classes_are_not() {
    let price = |i: usize| format!("{},{}.{:02}\n", i, i * 37 % 101, i * 61 % 97);
    let prices = input(format!("x,price\n{}", rows(500, price)));
    let words = "500 distinct numeric values in 500 rows; classification needs classes.";
    let refusals = [
        Fit::default().run(&prices).unwrap_err(),
        Fit::default().target("price").run(&prices).unwrap_err(),
        Compare::default().run(prices, &mut ()).unwrap_err(),
    ];
    for refusal in refusals {
        assert!(refusal.to_string().contains(&format!("target \"price\" has {words}")));
    }
    let pairs = rows(500, |i| format!("{}.{:02} 1:{i}\n", i * 37 % 101, i * 61 % 97));
    let refusal = Fit::default().run(&input(pairs)).unwrap_err().to_string();
    assert!(refusal.contains("the labels have 500 distinct"), "{refusal}");
    // Very few rows, so that it does not take long.
    let few = input(format!("x,price\n{}", rows(30, price)));
    assert!(Fit::default().run(&few).is_err());
    let mut any = Fit::default();
    any.data.any_target = true;
    assert_eq!(classes(&any.run(&few).unwrap()).len(), 30);

    let many = rows(600, |i| format!("{},{},{}\n", i % 150, i / 150, i % 150 * 7));
    let found = fit(Method::gaussian(), &input(format!("x,y,class\n{many}")));
    assert_eq!(classes(&found).len(), 150, "whole numbers of several rows each are classes");
}
