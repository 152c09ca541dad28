//! `fit --infer` and `--firth`: against other programs, against another algorithm, and their
//! output.

use crate::golden::golden;
use crate::harness::{Sandbox, assert_session};
use crate::public_data::public_data;
use serde_json::Value;

fn coefficient<'a>(known: &'a Value, name: &str) -> &'a Value {
    let all = known["coefficients"].as_array().unwrap();
    let found = all.iter().find(|c| c["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {known}"))
}

#[track_caller]
fn near(ours: &Value, theirs: f64, most: f64, what: &str) {
    let ours = ours.as_f64().unwrap_or_else(|| panic!("{what}: {ours} is no number"));
    assert!((ours - theirs).abs() <= most * theirs.abs(), "{what}: {ours} against {theirs}");
}

/// statsmodels: estimates, errors, tests, robust errors; profiles by refitting with an offset. See
/// `golden/inference.py`.
#[test]
fn likelihood_inference_agrees_with_statsmodels() {
    let desk = Sandbox::new();
    for case in golden("inference.json")["likelihood"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Some(file) = public_data(case["file"].as_str().unwrap()) else { continue };
        let folder = file.parent().unwrap().parent().unwrap().display().to_string();
        let arguments = case["arguments"].as_str().unwrap().replace("{data}", &folder);
        let ask = |more: &str| {
            let fit = format!("fit {} {arguments} --infer {more} -o m", file.display());
            desk.json(&fit)["inference"].clone()
        };
        let known = ask("");
        for key in ["n", "log_likelihood", "null_log_likelihood", "aic", "bic"] {
            near(&known[key], case[key].as_f64().unwrap(), 1e-12, &format!("{name} {key}"));
        }
        let theirs = case["coefficients"].as_object().unwrap();
        assert_eq!(known["coefficients"].as_array().unwrap().len(), theirs.len(), "{name}");
        for (own, theirs) in theirs {
            let ours = coefficient(&known, own);
            let number = |key: &str| theirs[key].as_f64().unwrap();
            let what = |key: &str| format!("{name} {own} {key}");
            for key in ["estimate", "error", "z"] {
                near(&ours[key], number(key), 1e-8, &what(key));
            }
            near(&ours["p"], number("p"), 1e-6, &what("p"));
            if !theirs["profile"].is_null() {
                assert_eq!(known["intervals"], "profile");
                near(&ours["ratio"]["statistic"], number("ratio"), 1e-7, &what("ratio"));
                for end in 0..2 {
                    let their_end = theirs["profile"][end].as_f64().unwrap();
                    near(&ours["interval"][end], their_end, 1e-6, &what("profile"));
                    near(&ours["odds_interval"][end], their_end.exp(), 1e-5, &what("odds"));
                }
            }
        }
        for (column, theirs) in case["together"].as_object().into_iter().flatten() {
            let groups = known["together"].as_array().unwrap();
            let ours = groups.iter().find(|group| group["column"] == *column).unwrap();
            for kind in ["wald", "ratio"] {
                near(&ours[kind]["statistic"], theirs[kind].as_f64().unwrap(), 1e-7, kind);
                assert_eq!(ours[kind]["df"], theirs["df"]);
            }
            near(&ours["ratio"]["p"], theirs["p"].as_f64().unwrap(), 1e-6, "p");
        }
        // HC1 is HC0 with a factor n/(n − p) to its variances.
        let n = case["n"].as_f64().unwrap();
        let factor = (n / (n - theirs.len() as f64)).sqrt();
        for (kind, factor) in [("hc0", 1.0), ("hc1", factor)] {
            if theirs["(bias)"]["hc0"].is_null() {
                continue;
            }
            let robust = ask(&format!("--standard-errors {kind}"));
            assert_eq!((&robust["errors"], &robust["intervals"]), (&kind.into(), &"wald".into()));
            for (own, theirs) in theirs {
                let ours = &coefficient(&robust, own)["error"];
                let theirs = factor * theirs["hc0"].as_f64().unwrap();
                near(ours, theirs, 1e-8, &format!("{name} {own} {kind}"));
            }
        }
    }
}

/// The roots of the modified score and of the equations of profiles, by another solver. See
/// `golden/inference.py`.
#[test]
fn firths_inference_agrees_with_the_roots_of_its_equations() {
    let desk = Sandbox::new();
    for case in golden("inference.json")["firth"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Some(file) = public_data(case["file"].as_str().unwrap()) else { continue };
        let arguments = case["arguments"].as_str().unwrap();
        let fit = desk.json(&format!("fit {} {arguments} --firth -o m", file.display()));
        let known = &fit["inference"];
        assert_eq!(
            (&known["penalty"], &fit["separation"]["verdict"]),
            (&"firth".into(), &"quasi-complete".into())
        );
        let key = "penalized_log_likelihood";
        near(&known[key], case[key].as_f64().unwrap(), 1e-10, key);
        near(&known["ratio"]["statistic"], case["ratio"].as_f64().unwrap(), 1e-8, "ratio");
        for (own, theirs) in case["coefficients"].as_object().unwrap() {
            let ours = coefficient(known, own);
            let what = |key: &str| format!("{name} {own} {key}");
            near(&ours["estimate"], theirs["estimate"].as_f64().unwrap(), 1e-8, &what("estimate"));
            near(&ours["error"], theirs["error"].as_f64().unwrap(), 1e-8, &what("error"));
            let statistic = &ours["ratio"]["statistic"];
            near(statistic, theirs["ratio"].as_f64().unwrap(), 1e-6, &what("ratio"));
            for end in 0..2 {
                let their_end = theirs["profile"][end].as_f64().unwrap();
                near(&ours["interval"][end], their_end, 1e-6, &what("profile"));
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
    let desk = Sandbox::new();
    if let Some(file) = public_data("separation/sex2.csv") {
        let fit = desk.json(&format!("fit {} --target case --firth -o m", file.display()));
        let known = &fit["inference"];
        for (name, theirs) in SEX2 {
            let c = coefficient(known, name);
            let ours = [&c["estimate"], &c["error"], &c["interval"][0], &c["interval"][1]];
            let ours = ours.into_iter().chain([&c["ratio"]["statistic"]]);
            for (ours, theirs) in ours.zip(theirs) {
                let ours = ours.as_f64().unwrap();
                assert!(
                    (ours - theirs).abs() < 2e-5 * theirs.abs().max(1.0),
                    "{name}: {ours} {theirs}"
                );
            }
        }
        near(&known["ratio"]["statistic"], 49.09064, 1e-6, "all columns");
        assert_eq!(known["ratio"]["df"], 6);

        // The same rows as a table of counts, read as weights.
        let counted = file.with_file_name("sexagg.csv").display().to_string();
        let options = "--target case --weights COUNT --drop PERCENT --firth -o m";
        let other = desk.json(&format!("fit {counted} {options}"));
        assert_eq!(other["inference"]["n"], known["n"]);
        for c in known["coefficients"].as_array().unwrap() {
            let other = coefficient(&other["inference"], c["name"].as_str().unwrap());
            for key in ["estimate", "error"] {
                near(&other[key], c[key].as_f64().unwrap(), 1e-9, key);
            }
            near(&other["interval"][1], c["interval"][1].as_f64().unwrap(), 1e-7, "interval");
        }
    }
    if let Some(file) = public_data("separation/endometrial.csv") {
        let fit = desk.json(&format!("fit {} --firth -o m", file.display()));
        for (name, theirs) in ENDOMETRIAL {
            let ours = coefficient(&fit["inference"], name)["estimate"].as_f64().unwrap();
            assert!((ours - theirs).abs() <= 5e-4, "{name}: {ours} against {theirs}");
        }
    }
}

/// Maximum of the penalized likelihood by cyclic coordinate search: no score, no hat values, only
/// the determinant of the information by elimination.
#[test]
fn firths_estimates_maximize_the_penalized_likelihood() {
    let desk = Sandbox::new();
    for (name, target) in [("separation/endometrial.csv", "HG"), ("separation/sex2.csv", "case")] {
        let Some(file) = public_data(name) else { continue };
        let fit = desk.json(&format!("fit {} --target {target} --firth -o m", file.display()));
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
            let ours = &coefficient(&fit["inference"], name)["estimate"];
            near(ours, theirs, 1e-5, name);
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
fn output_of_inference() {
    let desk = Sandbox::new();
    desk.file("clinic.csv", CLINIC);
    desk.file("tie.csv", "x,z,y\n1,0,a\n2,1,a\n3,0,a\n3,1,b\n4,0,b\n5,1,b\n");
    desk.file("weights.csv", "x,y,s\n0,a,20\n0,b,5\n1,a,8\n1,b,14\n");
    for words in [
        "fit clinic.csv --infer -o m",
        "show m",
        "fit clinic.csv --infer --reference group=c --intervals wald --level 0.9 --standard-errors hc1 -o m",
        "fit weights.csv --target y --weights s --infer -o m",
        "fit tie.csv --infer",
        "fit tie.csv --firth -o m",
        "fit iris.csv --infer",
        "fit iris.csv --infer --positive setosa",
        "fit iris.csv --infer --positive virginica -o m",
    ] {
        assert_session!(desk, words);
    }
    // The model file contains the inference of the fit.
    let fit = desk.json("fit clinic.csv --infer -o m");
    assert_eq!(desk.json("show m")["inference"], fit["inference"]);
    assert_eq!(fit["inference"]["aliased"][0]["of"][0], "dose");
    // Sample weights are counts.
    let known = &desk.json("fit weights.csv --target y --weights s --infer -o m")["inference"];
    near(&known["n"], 47.0, 0.0, "n");
    near(&coefficient(known, "x")["estimate"], (20.0_f64 * 14.0 / (5.0 * 8.0)).ln(), 1e-12, "x");
}

#[test]
fn invalid_inference_is_refused() {
    let desk = Sandbox::new();
    desk.file("clinic.csv", CLINIC);
    for words in [
        "fit clinic.csv --infer -C 1",
        "fit clinic.csv --infer --penalty l1",
        "fit clinic.csv --infer --method svm",
        "fit clinic.csv --infer --class-weight balanced",
        "fit clinic.csv --infer --no-intercept",
        "fit clinic.csv --infer --level 95",
        "fit clinic.csv --firth --standard-errors hc0",
        "fit clinic.csv --infer --reference group=z",
        "fit clinic.csv --level 0.9",
        "fit clinic.csv --infer --no-standardize",
    ] {
        assert_session!(desk, words);
    }
    // An explicit absence of a penalty is accepted.
    for none in ["--penalty none", "--lambda 0", "--method logistic"] {
        assert_eq!(desk.run(&format!("fit clinic.csv --infer {none} -o m")).code, 0, "{none}");
    }
    assert!(!desk.files().contains(&"clinic.linsep".to_owned()), "no model was saved");
}

#[test]
fn models_with_inference_predict_and_evaluate_like_others() {
    let desk = Sandbox::new();
    desk.file("clinic.csv", CLINIC);
    let fit = desk.json("fit clinic.csv --infer --test clinic.csv -o m");
    assert_eq!(fit["test"]["accuracy"], fit["accuracy"]);
    let known = &fit["inference"];
    // The log-loss is minus the log-likelihood per row.
    let log_loss = desk.json("evaluate m clinic.csv")["log_loss"].as_f64().unwrap();
    near(&known["log_likelihood"], -12.0 * log_loss, 1e-12, "log-likelihood");
    // Reference and aliased features have coefficient 0, the others their estimates.
    let hyperplane = &fit["planes"][0];
    for c in known["coefficients"].as_array().unwrap() {
        let weight =
            c["column"].as_u64().map_or(&hyperplane["b"], |j| &hyperplane["w"][j as usize]);
        near(weight, c["estimate"].as_f64().unwrap(), 1e-12, "weight");
    }
    assert_eq!((&hyperplane["w"][1], &hyperplane["w"][2]), (&0.0.into(), &0.0.into()));
    assert_eq!(desk.run("predict m clinic.csv").stdout.lines().count(), 13);
}

#[test]
fn degenerate_data_are_handled_or_refused() {
    let desk = Sandbox::new();
    // More columns than rows.
    let head: Vec<String> = (0..9).map(|j| format!("x{j}")).collect();
    let rows = (0..6).map(|i| {
        let cells = (0..9).map(|j| ((i * 7 + j * 3 + i * j) % 11).to_string());
        format!("{},{}", cells.collect::<Vec<_>>().join(","), if i % 2 == 0 { "a" } else { "b" })
    });
    let rows: Vec<String> = rows.collect();
    desk.file("wide.csv", format!("{},y\n{}\n", head.join(","), rows.join("\n")));
    let run = desk.run("fit wide.csv --infer");
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("complete separation: no finite maximum-likelihood estimate"),
        "{}",
        run.stderr
    );
    assert_eq!(desk.run("fit wide.csv --firth -o m").code, 0);
    // A level of rows with sample weight 0 only, and very different scales.
    let mut text = "tiny,huge,word,y,s\n".to_owned();
    for i in 0..40_i32 {
        let (tiny, huge) = (f64::from(i % 5) * 1e-8, f64::from(i * i % 7) * 1e8 + 3e12);
        let word = ["p", "q", "r"][(i % 3) as usize];
        let s = if word == "r" { 0 } else { 1 + i % 2 };
        text += &format!("{tiny:e},{huge},{word},{},{s}\n", if i * i % 11 < 5 { "a" } else { "b" });
    }
    desk.file("mixed.csv", text);
    let fit = desk.json("fit mixed.csv --target y --weights s --infer -o m");
    let known = &fit["inference"];
    assert_eq!(known["aliased"][0]["name"], "word=r", "{known}");
    for name in ["tiny", "huge"] {
        let c = coefficient(known, name);
        assert!(c["z"].as_f64().unwrap().abs() < 10.0 && c["interval"][1].is_f64(), "{c}");
    }
    assert!(known["within"].as_f64().unwrap() < 1e-9);
}
