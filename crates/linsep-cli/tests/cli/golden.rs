//! Results of other programs; see `golden/README.md`.

use crate::harness::Sandbox;
use crate::public_data::public_data;
use serde_json::Value;

pub(crate) fn golden(name: &str) -> Value {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn rosenblatts_rule_agrees_with_scikit_learn() {
    let desk = Sandbox::new();
    for run in golden("perceptron_iris.json")["runs"].as_array().unwrap() {
        let trace = desk.json(&format!(
            "trace iris.csv --method perceptron --positive {} --eta {} --max-iter {}",
            run["positive"].as_str().unwrap(),
            run["eta"],
            run["epochs"],
        ));
        let last = trace["steps"].as_array().unwrap().last().unwrap();
        let numbers = |v: &Value| {
            let w = v["w"].as_array().unwrap().iter().chain([&v["b"]]);
            w.map(|v| v.as_f64().unwrap()).collect::<Vec<f64>>()
        };
        for (ours, theirs) in numbers(last).iter().zip(numbers(run)) {
            assert!((ours - theirs).abs() < 1e-9, "{run}\n{last}");
        }
    }
}

/// Coefficients of each class minus those of the first class: only differences of scores matter.
#[test]
fn closed_forms_agree_with_scikit_learn() {
    let desk = Sandbox::new();
    let list = |v: &Value| -> Vec<f64> {
        v.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    };
    for run in golden("closed.json")["runs"].as_array().unwrap() {
        let fit = desk.json(&format!("fit iris.csv {}", run["arguments"].as_str().unwrap()));
        let hyperplanes = fit["planes"].as_array().unwrap();
        let (first, b) = (list(&hyperplanes[0]["w"]), hyperplanes[0]["b"].as_f64().unwrap());
        for (c, hyperplane) in hyperplanes[1..].iter().enumerate() {
            let mut ours: Vec<f64> =
                list(&hyperplane["w"]).iter().zip(&first).map(|(w, first)| w - first).collect();
            ours.push(hyperplane["b"].as_f64().unwrap() - b);
            let mut theirs = list(&run["w"][c]);
            theirs.push(run["b"][c].as_f64().unwrap());
            let size = theirs.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * size;
            assert!(
                ours.iter().zip(&theirs).all(near),
                "{}\n{ours:?}\n{theirs:?}",
                run["arguments"]
            );
        }
    }
}

#[test]
fn public_data_sets_agree_with_another_program() {
    let desk = Sandbox::new();
    for (name, set) in golden("datasets.json")["sets"].as_object().unwrap() {
        let Some(file) = public_data(set["file"].as_str().unwrap()) else { continue };
        let folder = file.parent().unwrap().parent().unwrap().display().to_string();
        let arguments = set["arguments"].as_str().unwrap().replace("{data}", &folder);
        let trained = !set["peer_accuracy"].is_null();
        let epochs = if trained { "" } else { "--max-iter 0" };
        let fit = desk.json(&format!("fit {} {arguments} {epochs} -o model", file.display()));

        assert_eq!((&fit["n"], &fit["d"]), (&set["n"], &set["d"]), "{name}");
        let missing: i64 =
            fit["missing"].as_object().unwrap().values().map(|n| n.as_i64().unwrap()).sum();
        // Missing cells of dropped columns are not counted, as those of cabins of titanic.
        let dropped = if name == "titanic" { 687 } else { 0 };
        assert_eq!(missing + dropped, set["missing"].as_i64().unwrap(), "{name}");
        let classes = fit["classes"].as_array().unwrap();
        assert_eq!(classes.len(), set["classes"].as_object().unwrap().len(), "{name}");

        if trained {
            let (ours, theirs) =
                (fit["accuracy"].as_f64().unwrap(), set["peer_accuracy"].as_f64().unwrap());
            println!("{name}: {ours:.4}, reference {theirs:.4}");
            // Both programs draw rows at random; on small data the seed alone changes some points.
            let tolerance = if fit["n"].as_u64().unwrap() < 1000 { 0.05 } else { 0.02 };
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
    let file = file.display();
    let desk = Sandbox::new();
    let features = |model: &str| -> Vec<String> {
        let steps = &desk.json(&format!("show {model}"))["recipe"]["steps"];
        let levels = |step: &Value| {
            let levels = step["levels"].as_array().unwrap().clone();
            let name = step["name"].as_str().unwrap().to_owned();
            levels.into_iter().map(move |level| format!("{name}={}", level.as_str().unwrap()))
        };
        steps.as_array().unwrap().iter().flat_map(levels).collect()
    };
    let fit = |options: &str| {
        let fit = desk.json(&format!("fit {file} --counts grahami,opalinus {options} -o m"));
        assert_eq!((&fit["n"], &fit["d"]), (&set["n"], &set["d"]));
        assert_eq!(fit["classes"], set["counts"]);
        let hyperplane = fit["planes"][0].clone();
        let w: std::collections::BTreeMap<String, f64> = features("m")
            .into_iter()
            .zip(hyperplane["w"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()))
            .collect();
        (w, hyperplane["b"].as_f64().unwrap())
    };
    let near = |ours: f64, theirs: &Value, what: &str| {
        let theirs = theirs.as_f64().unwrap();
        assert!((ours - theirs).abs() < 1e-7, "{what}: {ours}, reference {theirs}");
    };

    let (w, b) = fit("-C 1000000 --tol 1e-13");
    near(b, &set["penalized"]["b"], "intercept");
    for (name, theirs) in set["penalized"]["w"].as_object().unwrap() {
        near(w[name], theirs, name);
    }
    let (w, _) = fit("--penalty none --tol 1e-12");
    for (name, theirs) in set["free"]["differences"].as_object().unwrap() {
        let factor = format!("{}=", name.split_once('=').unwrap().0);
        let first = w.keys().find(|key| key.starts_with(&factor)).unwrap();
        near(w[name] - w[first], theirs, name);
    }

    // The model records that its classes are columns of counts, which are not features.
    let evaluation = desk.json(&format!("evaluate m {file}"));
    assert_eq!(evaluation, desk.json(&format!("evaluate m {file} --counts grahami,opalinus")));
    let weight = |class: &Value| class["support"].as_f64().unwrap();
    let classes = evaluation["per_class"].as_array().unwrap();
    assert_eq!(classes.iter().map(weight).sum::<f64>(), set["weight"].as_f64().unwrap());
    for class in classes {
        let theirs = &set["classes"][class["class"].as_str().unwrap()];
        assert_eq!(weight(class), theirs.as_f64().unwrap());
    }
    let log_loss = evaluation["log_loss"].as_f64().unwrap() * set["weight"].as_f64().unwrap();
    near(-log_loss, &set["free"]["log_likelihood"], "log-likelihood");
    let predicted = desk.run(&format!("predict m {file}"));
    assert_eq!((predicted.stdout.lines().count(), predicted.stderr.as_str()), (24, ""));
}

/// Model files of the present format stay readable and give the recorded scores.
#[test]
fn saved_models_keep_their_scores() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/models");
    let desk = Sandbox::new();
    let mut models = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(stem) = name.strip_suffix(".linsep") else { continue };
        let data = stem.split_once('-').unwrap().1;
        let data = ["csv", "svm"]
            .map(|e| folder.join(format!("{data}.{e}")))
            .into_iter()
            .find(|path| path.exists())
            .unwrap_or_else(|| desk.path(&format!("{data}.csv")));
        let run = desk.run(&format!("predict {} {} --scores", path.display(), data.display()));
        let expected = std::fs::read_to_string(folder.join(format!("{stem}.expected.csv")));
        assert_eq!(run.stdout, expected.unwrap(), "{name}: {}", run.stderr);
        models += 1;
    }
    assert!(models >= 3, "found too few models");
}

/// LIBLINEAR's -s 4: both objectives are at least the optimum, and both lower bounds are at most
/// the optimum.
#[test]
fn crammer_singer_svm_agrees_with_liblinear() {
    let desk = Sandbox::new();
    for case in golden("crammer_singer.json")["cases"].as_array().unwrap() {
        let number = |name: &str| case[name].as_f64().unwrap();
        let fit = desk.json(&format!(
            "fit iris.csv --method svm --multiclass crammer-singer --no-intercept --no-standardize -C {} --tol 1e-6 \
             --max-iter 100000 -o m",
            number("c")
        ));
        assert_eq!(fit["stop"], "optimal", "{fit}");
        let ours = |name: &str| fit["objective"][name].as_f64().unwrap();
        let (primal, dual) = (ours("primal"), ours("dual"));
        assert!(primal <= number("objective") * (1.0 + 2e-6), "{primal} {case}");
        assert!(primal >= number("lower_bound") && dual <= number("objective"), "{dual} {case}");
    }
}
