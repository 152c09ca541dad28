//! Features of any scale are fitted, others are named, and the saved model agrees with the fit.

use crate::harness::{hyperplanes, input, reloaded};
use linsep::jobs::fit::InferenceSettings;
use linsep::jobs::{Check, Fit, FitOutcome};
use linsep::prelude::*;

/// 120 rows of two overlapping classes: x about 0 or 2, y noise.
fn rows() -> Vec<(f64, f64, &'static str)> {
    let noise = |i: usize, by: usize| ((i * by) % 101) as f64 / 25.0 - 2.0;
    let row = |i: usize| (noise(i, 37) + (i % 2 * 2) as f64, noise(i, 61), ["no", "yes"][i % 2]);
    (0..120).map(row).collect()
}

fn table(cells: impl Fn(usize, f64, f64) -> String) -> Input {
    let line =
        |(i, (x, y, class)): (usize, &(f64, f64, &str))| format!("{},{class}\n", cells(i, *x, *y));
    let lines: String = rows().iter().enumerate().map(line).collect();
    input(format!("x,y,class\n{lines}"))
}

fn plain() -> Input {
    table(|_, x, y| format!("{x},{y}"))
}

/// The fit of column x.
fn of_x(data: &Input) -> FitOutcome {
    let mut fit = Fit::default();
    fit.data.recipe.only = vec!["x".to_owned()];
    fit.run(data).unwrap()
}

/// The fit; its misclassified training rows are those of the saved model.
fn misclassified(data: &Input) -> FitOutcome {
    let fit = Fit::default().run(data).unwrap();
    let tested = reloaded(&fit).evaluate(data).unwrap();
    let rows: Vec<Vec<f64>> = tested.confusion.rows().collect();
    let mistakes = rows[0][1] + rows[1][0];
    assert_eq!(fit.fit.mistakes, mistakes, "the saved model predicts as in fit");
    fit
}

#[test]
fn one_extreme_value_does_not_affect_other_columns() {
    let plain = of_x(&plain());
    for huge in ["1e160", "1e200", "1e300", "-1.7e308"] {
        let cell = |i: usize, y: f64| if i == 7 { huge.to_owned() } else { y.to_string() };
        let data = table(|i, x, y| format!("{x},{}", cell(i, y)));
        assert_eq!(hyperplanes(&of_x(&data)), hyperplanes(&plain), "{huge}");
        let fit = misclassified(&data);
        assert!((fit.fit.mistakes - plain.fit.mistakes).abs() <= 1.0, "{huge}");
        let note = &fit.notes[0].text;
        assert!(note.starts_with("column y: 1 outlier up to"), "{note}");
        let check = Check { separation: false, ..Check::default() };
        let found = check.run(data, &mut ()).unwrap().found;
        let mut findings = found.report.findings.iter();
        let scales = findings.find(|one| one.check == "poor-scales").unwrap();
        assert_eq!((scales.columns[0].as_str(), scales.rows[0]), ("y", 7));
    }
}

#[test]
fn fit_does_not_depend_on_the_scale_of_a_column() {
    let plain = misclassified(&plain());
    for power in [-280, -200, -160, 100, 160, 200, 306] {
        let fit = misclassified(&table(|_, x, y| format!("{x}e{power},{y}")));
        assert_eq!((fit.fit.mistakes, fit.fit.stop), (plain.fit.mistakes, plain.fit.stop));
        let w = |fit: &FitOutcome| hyperplanes(fit)[0].w[1];
        assert!((w(&fit) / w(&plain) - 1.0).abs() < 1e-6, "1e{power}");
        assert!(fit.notes.is_empty(), "1e{power}");
    }
}

#[test]
fn inference_does_not_depend_on_the_unit_of_a_column() {
    let inference = |data: &Input| {
        let fit = Fit { inference: Some(InferenceSettings::default()), ..Fit::default() };
        fit.run(data).unwrap().model_file.header.inference.unwrap()
    };
    let plain = inference(&plain());
    assert_eq!(plain.coefficients.len(), 3);
    for power in [-280, -160, 160, 300] {
        let scaled = inference(&table(|_, x, y| format!("{x}e{power},{y}")));
        for (scaled, plain) in scaled.coefficients.iter().zip(&plain.coefficients) {
            for (a, b) in [(scaled.z, plain.z), (scaled.p, plain.p)] {
                assert!((a - b).abs() <= 1e-6 * b.abs(), "1e{power} {}: {a} {b}", plain.name);
            }
        }
    }
}

#[test]
fn columns_too_small_to_standardize_are_left_out() {
    let fit = misclassified(&table(|_, x, y| format!("{x}e-300,{y}")));
    assert_eq!(fit.model_file.header.recipe.dropped[0].name, "x");
}
