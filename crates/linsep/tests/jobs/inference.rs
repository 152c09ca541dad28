//! Inference and Firth's penalty: against other programs, against another algorithm, and on
//! degenerate data.

use crate::arguments::request;
use crate::harness::{golden, hyperplanes, input, reloaded};
use crate::public_data::public_data;
use linsep::SampleWeights;
use linsep::core::certify::SeparationKind;
use linsep::core::infer::StandardErrors;
use linsep::jobs::fit::{InferenceSettings, TestData};
use linsep::jobs::{Fit, FitOutcome};
use linsep::model_file::Inference;
use linsep::prelude::*;
use serde_json::Value;

/// The settings of Firth's penalty.
fn firth() -> InferenceSettings {
    InferenceSettings { firth: true, ..InferenceSettings::default() }
}

/// A fit with inference by default settings.
fn inferred() -> Fit {
    Fit { inference: Some(InferenceSettings::default()), ..Fit::default() }
}

fn known(fit: &FitOutcome) -> &Inference {
    fit.model_file.header.inference.as_ref().unwrap()
}

/// Position of a coefficient.
fn place(known: &Inference, name: &str) -> usize {
    let found = known.coefficients.iter().position(|c| c.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {known:?}"))
}

#[track_caller]
fn near(ours: f64, theirs: f64, most: f64, what: &str) {
    assert!((ours - theirs).abs() <= most * theirs.abs(), "{what}: {ours} against {theirs}");
}

/// statsmodels: estimates, errors, tests, robust errors; profiles by refitting with an offset. See
/// `golden/inference.py`.
#[test]
fn likelihood_inference_agrees_with_statsmodels() {
    for case in golden("inference.json")["likelihood"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Some(file) = public_data(case["file"].as_str().unwrap()) else { continue };
        let (data, request) = request(&file, case["arguments"].as_str().unwrap());
        let ask = |standard_errors| {
            let own = request.inference.clone().unwrap_or_default();
            let inference = Some(InferenceSettings { standard_errors, ..own });
            known(&Fit { inference, ..request.clone() }.run(&data).unwrap()).clone()
        };
        let known = ask(StandardErrors::Model);
        for (key, ours) in [
            ("n", known.n),
            ("log_likelihood", known.log_likelihood),
            ("null_log_likelihood", known.null_log_likelihood),
            ("aic", known.aic.unwrap()),
            ("bic", known.bic.unwrap()),
        ] {
            near(ours, case[key].as_f64().unwrap(), 1e-12, &format!("{name} {key}"));
        }
        let theirs = case["coefficients"].as_object().unwrap();
        assert_eq!(known.coefficients.len(), theirs.len(), "{name}");
        for (own, theirs) in theirs {
            let ours = &known.coefficients[place(&known, own)];
            let number = |key: &str| theirs[key].as_f64().unwrap();
            let what = |key: &str| format!("{name} {own} {key}");
            near(ours.estimate, number("estimate"), 1e-8, &what("estimate"));
            near(ours.error, number("error"), 1e-8, &what("error"));
            near(ours.z, number("z"), 1e-8, &what("z"));
            near(ours.p, number("p"), 1e-6, &what("p"));
            if !theirs["profile"].is_null() {
                assert_eq!(known.intervals, "profile");
                near(ours.ratio.unwrap().statistic, number("ratio"), 1e-7, &what("ratio"));
                for end in 0..2 {
                    let their_end = theirs["profile"][end].as_f64().unwrap();
                    near(ours.interval[end], their_end, 1e-6, &what("profile"));
                    near(ours.odds_interval[end], their_end.exp(), 1e-5, &what("odds"));
                }
            }
        }
        for (column, theirs) in case["together"].as_object().into_iter().flatten() {
            let ours = known.together.iter().find(|group| group.column == *column).unwrap();
            let (wald, ratio) = (ours.wald.unwrap(), ours.ratio.unwrap());
            for (kind, ours) in [("wald", wald), ("ratio", ratio)] {
                near(ours.statistic, theirs[kind].as_f64().unwrap(), 1e-7, kind);
                assert_eq!(ours.df as u64, theirs["df"]);
            }
            near(ratio.p, theirs["p"].as_f64().unwrap(), 1e-6, "p");
        }
        // HC1 is HC0 with a factor n/(n − p) to its variances.
        let n = case["n"].as_f64().unwrap();
        let factor = (n / (n - theirs.len() as f64)).sqrt();
        for (kind, factor) in [(StandardErrors::Hc0, 1.0), (StandardErrors::Hc1, factor)] {
            if theirs["(bias)"]["hc0"].is_null() {
                continue;
            }
            let robust = ask(kind);
            assert_eq!((robust.errors.as_str(), robust.intervals.as_str()), (kind.name(), "wald"));
            for (own, theirs) in theirs {
                let ours = robust.coefficients[place(&robust, own)].error;
                let theirs = factor * theirs["hc0"].as_f64().unwrap();
                near(ours, theirs, 1e-8, &format!("{name} {own} {kind:?}"));
            }
        }
    }
}

/// The roots of the modified score and of the equations of profiles, by another solver. See
/// `golden/inference.py`.
#[test]
fn firths_inference_agrees_with_the_roots_of_its_equations() {
    for case in golden("inference.json")["firth"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Some(file) = public_data(case["file"].as_str().unwrap()) else { continue };
        let (data, request) = request(&file, case["arguments"].as_str().unwrap());
        let fit = Fit { inference: Some(firth()), ..request }.run(&data).unwrap();
        let known = known(&fit);
        let separation = fit.model_file.header.training.separation.as_ref().unwrap();
        assert_eq!(known.penalty, "firth");
        assert_eq!(separation.problems[0].kind, SeparationKind::QuasiComplete);
        let number = |value: &Value| value.as_f64().unwrap();
        let key = "penalized_log_likelihood";
        near(known.penalized_log_likelihood.unwrap(), number(&case[key]), 1e-10, key);
        near(known.ratio.unwrap().statistic, number(&case["ratio"]), 1e-8, "ratio");
        for (own, theirs) in case["coefficients"].as_object().unwrap() {
            let ours = &known.coefficients[place(known, own)];
            let what = |key: &str| format!("{name} {own} {key}");
            near(ours.estimate, number(&theirs["estimate"]), 1e-8, &what("estimate"));
            near(ours.error, number(&theirs["error"]), 1e-8, &what("error"));
            let statistic = ours.ratio.unwrap().statistic;
            near(statistic, number(&theirs["ratio"]), 1e-6, &what("ratio"));
            for end in 0..2 {
                let their_end = number(&theirs["profile"][end]);
                near(ours.interval[end], their_end, 1e-6, &what("profile"));
            }
        }
    }
}

/// The table that logistf, of Heinze and others, prints for its data `sex2`: coefficient, error,
/// interval, χ². And the estimates of brglm2 for endometrial.
#[test]
fn firths_estimates_are_the_published_ones() {
    const SEX2: [(&str, [f64; 5]); 7] = [
        ("(bias)", [0.120_254, 0.485_542, -0.818_557, 1.073_151, 0.062_863]),
        ("age", [-1.105_981, 0.423_660, -1.973_788, -0.307_427, 7.507_731]),
        ("oc", [-0.068_817, 0.443_793, -0.941_436, 0.789_202, 0.024_670]),
        ("vic", [2.268_875, 0.548_416, 1.273_023, 3.435_432, 22.931_390]),
        ("vicl", [-2.111_408, 0.543_082, -3.260_864, -1.117_737, 19.104_073]),
        ("vis", [-0.788_317, 0.417_368, -1.608_088, 0.015_183, 3.697_410]),
        ("dia", [3.096_013, 1.675_022, 0.774_573, 8.030_308, 7.896_931]),
    ];
    const ENDOMETRIAL: [(&str, f64); 4] =
        [("(bias)", 3.775), ("NV", 2.929), ("PI", -0.035), ("EH", -2.604)];
    if let Some(file) = public_data("separation/sex2.csv") {
        let (data, request) = request(&file, "--target case");
        let fit = Fit { inference: Some(firth()), ..request }.run(&data).unwrap();
        let known = known(&fit);
        for (name, theirs) in SEX2 {
            let c = &known.coefficients[place(known, name)];
            let statistic = c.ratio.unwrap().statistic;
            let ours = [c.estimate, c.error, c.interval[0], c.interval[1], statistic];
            for (ours, theirs) in ours.into_iter().zip(theirs) {
                let near = (ours - theirs).abs() < 2e-5 * theirs.abs().max(1.0);
                assert!(near, "{name}: {ours} {theirs}");
            }
        }
        let all = known.ratio.unwrap();
        near(all.statistic, 49.09064, 1e-6, "all columns");
        assert_eq!(all.df, 6);
        same_as_counts(known, &file.with_file_name("sexagg.csv"));
    }
    if let Some(file) = public_data("separation/endometrial.csv") {
        let fit = Fit { inference: Some(firth()), ..Fit::default() };
        let fit = fit.run(&Input::read(file).unwrap()).unwrap();
        for (name, theirs) in ENDOMETRIAL {
            let known = known(&fit);
            let ours = known.coefficients[place(known, name)].estimate;
            assert!((ours - theirs).abs() <= 5e-4, "{name}: {ours} against {theirs}");
        }
    }
}

/// The same rows as a table of counts, read as weights, give the same inference.
fn same_as_counts(rows: &Inference, counts: &std::path::Path) {
    let (data, request) = request(counts, "--target case --weights COUNT --drop PERCENT");
    let fit = Fit { inference: Some(firth()), ..request }.run(&data).unwrap();
    let counts = known(&fit);
    assert_eq!(counts.n, rows.n);
    for c in &rows.coefficients {
        let other = &counts.coefficients[place(counts, &c.name)];
        near(other.estimate, c.estimate, 1e-9, "estimate");
        near(other.error, c.error, 1e-9, "error");
        near(other.interval[1], c.interval[1], 1e-7, "interval");
    }
}

/// Maximum of the penalized likelihood by cyclic coordinate search: no score, no hat values, only
/// the determinant of the information by elimination.
#[test]
fn firths_estimates_maximize_the_penalized_likelihood() {
    for (name, target) in [("separation/endometrial.csv", "HG"), ("separation/sex2.csv", "case")] {
        let Some(file) = public_data(name) else { continue };
        let (data, request) = request(&file, &format!("--target {target}"));
        let fit = Fit { inference: Some(firth()), ..request }.run(&data).unwrap();
        let known = known(&fit);
        let text = std::fs::read_to_string(&file).unwrap();
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let at = names.iter().position(|name| *name == target).unwrap();
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for line in lines {
            let mut row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            y.push(row.remove(at));
            x.push(row);
        }
        // Centered columns correlate less with the intercept; the slopes do not change.
        let n = x.len() as f64;
        for j in 0..x[0].len() {
            let mean = x.iter().map(|row| row[j]).sum::<f64>() / n;
            x.iter_mut().for_each(|row| row[j] -= mean);
        }
        x.iter_mut().for_each(|row| row.push(1.0));
        let beta = maximize(&x, &y);
        let columns = names.iter().enumerate().filter(|(j, _)| *j != at).map(|(_, name)| *name);
        for (name, theirs) in columns.zip(beta) {
            near(known.coefficients[place(known, name)].estimate, theirs, 1e-5, name);
        }
    }
}

/// Moves one coefficient after the other to the vertex of the parabola through three values, at
/// steps of a thousandth of the scale of its column.
fn maximize(x: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
    let n = x.len() as f64;
    let mut beta = vec![0.0; x[0].len()];
    let scale = |j: usize| (x.iter().map(|row| row[j].powi(2)).sum::<f64>() / n).sqrt();
    let scales: Vec<f64> = (0..beta.len()).map(scale).collect();
    for _ in 0..1_000 {
        let mut largest = 0.0_f64;
        for (j, scale) in scales.iter().enumerate() {
            let step = 1e-3 / scale;
            let value = |by: f64| {
                let mut at = beta.clone();
                at[j] += by;
                penalized(x, y, &at)
            };
            let (down, here, up) = (value(-step), value(0.0), value(step));
            let curvature = (up - 2.0 * here + down) / step;
            assert!(curvature < 0.0, "coefficient {j} has no maximum near {}", beta[j]);
            let change = (0.5 * (down - up) / curvature).clamp(-1.0 / scale, 1.0 / scale);
            beta[j] += change;
            largest = largest.max(change.abs() * scale);
        }
        if largest < 3e-9 {
            return beta;
        }
    }
    panic!("the search does not converge: {beta:?}");
}

fn penalized(x: &[Vec<f64>], y: &[f64], beta: &[f64]) -> f64 {
    let p = beta.len();
    let (mut value, mut a) = (0.0, vec![vec![0.0; p]; p]);
    for (row, y) in x.iter().zip(y) {
        let z: f64 = row.iter().zip(beta).map(|(x, b)| x * b).sum();
        let share = 1.0 / (1.0 + (-z).exp());
        value -= if *y == 1.0 { (1.0 + (-z).exp()).ln() } else { (1.0 + z.exp()).ln() };
        for i in 0..p {
            for j in 0..p {
                a[i][j] += share * (1.0 - share) * row[i] * row[j];
            }
        }
    }
    for k in 0..p {
        let pivot = a[k].clone();
        value += 0.5 * pivot[k].ln();
        for row in &mut a[k + 1..] {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(v, pivot)| *v -= factor * pivot);
        }
    }
    value
}

/// A numeric column, its double, and a categorical column of three levels; overlapping classes.
const CLINIC: &str = "dose,double,group,well\n\
    1,2,b,no\n2,4,b,no\n3,6,b,yes\n4,8,b,no\n5,10,a,yes\n6,12,a,no\n7,14,a,yes\n8,16,a,yes\n\
    1,2,c,no\n3,6,c,yes\n5,10,c,no\n7,14,c,yes\n";

#[test]
fn models_with_inference_predict_and_evaluate_like_others() {
    let data = input(CLINIC);
    let open = || Ok(Source::from_bytes("clinic.csv", CLINIC));
    let test = TestData::new("clinic.csv", ReadOptions::default(), open);
    let fit = inferred().run_with(data.clone(), Some(&test), &mut ()).unwrap();
    assert_eq!(fit.evaluated.as_ref().unwrap().evaluation.accuracy(), fit.fit.accuracy);
    let (known, loaded) = (known(&fit), reloaded(&fit));
    assert_eq!(loaded.header.inference.as_ref(), Some(known), "the model file contains it");
    // The log-loss is minus the log-likelihood per row.
    let log_loss = loaded.evaluate(&data).unwrap().value("log-loss").unwrap();
    near(known.log_likelihood, -12.0 * log_loss, 1e-12, "log-likelihood");
    // Reference and aliased features have coefficient 0, the others their estimates.
    let hyperplane = &hyperplanes(&fit)[0];
    for c in &known.coefficients {
        let weight = c.column.map_or(hyperplane.b, |j| hyperplane.w[j]);
        near(weight, c.estimate, 1e-12, "weight");
    }
    assert_eq!(known.aliased[0].of[0], "dose");
    assert_eq!(hyperplane.w[1..3], [0.0, 0.0]);
    assert_eq!(loaded.predict(&data).unwrap().len(), 12);
}

#[test]
fn sample_weights_are_counts() {
    let mut fit = inferred();
    fit.data.target = Some("y".to_owned());
    fit.data.weights = Some(SampleWeights::Named("s".to_owned()));
    let fit = fit.run(&input("x,y,s\n0,a,20\n0,b,5\n1,a,8\n1,b,14\n")).unwrap();
    let known = known(&fit);
    near(known.n, 47.0, 0.0, "n");
    let estimate = known.coefficients[place(known, "x")].estimate;
    near(estimate, (20.0_f64 * 14.0 / (5.0 * 8.0)).ln(), 1e-12, "x");
}

#[test]
fn more_columns_than_rows_have_estimates_only_with_firths_penalty() {
    let head: Vec<String> = (0..9).map(|j| format!("x{j}")).collect();
    let rows = (0..6).map(|i| {
        let cells = (0..9).map(|j| ((i * 7 + j * 3 + i * j) % 11).to_string());
        format!("{},{}", cells.collect::<Vec<_>>().join(","), if i % 2 == 0 { "a" } else { "b" })
    });
    let rows: Vec<String> = rows.collect();
    let data = input(format!("{},y\n{}\n", head.join(","), rows.join("\n")));
    let refused = inferred().run(&data).unwrap_err().to_string();
    let why = "complete separation: no finite maximum-likelihood estimate";
    assert!(refused.contains(why), "{refused}");
    assert!(Fit { inference: Some(firth()), ..Fit::default() }.run(&data).is_ok());
}

/// A level of rows with sample weight 0 only, and very different scales.
#[test]
fn levels_without_weight_are_aliased_and_scales_do_not_matter() {
    let mut text = "tiny,huge,word,y,s\n".to_owned();
    for i in 0..40_i32 {
        let (tiny, huge) = (f64::from(i % 5) * 1e-8, f64::from(i * i % 7) * 1e8 + 3e12);
        let word = ["p", "q", "r"][(i % 3) as usize];
        let s = if word == "r" { 0 } else { 1 + i % 2 };
        text += &format!("{tiny:e},{huge},{word},{},{s}\n", if i * i % 11 < 5 { "a" } else { "b" });
    }
    let mut fit = inferred();
    fit.data.target = Some("y".to_owned());
    fit.data.weights = Some(SampleWeights::Named("s".to_owned()));
    let fit = fit.run(&input(text)).unwrap();
    let known = known(&fit);
    assert_eq!(known.aliased[0].name, "word=r", "{known:?}");
    for name in ["tiny", "huge"] {
        let c = &known.coefficients[place(known, name)];
        assert!(c.z.abs() < 10.0 && c.interval[1].is_finite(), "{c:?}");
    }
    assert!(known.within.unwrap() < 1e-9);
}
