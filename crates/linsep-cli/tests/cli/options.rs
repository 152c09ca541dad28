//! Options: lists, aliases, names in other programs, similar names, groups of the help.

use crate::harness::Sandbox;

#[test]
fn lists_are_repeated_or_separated_by_commas() {
    let desk = Sandbox::new();
    let columns = |words: &str| desk.json(&format!("fit iris.csv {words} -o m"))["d"].clone();
    assert_eq!(columns("--drop sepal_length,petal_width"), 2);
    assert_eq!(columns("--drop sepal_length --drop petal_width"), 2);
    assert_eq!(columns("--columns sepal_length,petal_width"), 2);
    desk.file("comma.csv", "\"a,b\",c,y\n1,2,p\n3,1,q\n2,5,p\n4,4,q\n");
    let run = desk.run_with(&["fit", "comma.csv", "--drop", "\"a,b\"", "--json"], "");
    assert!(run.stdout.contains("\"d\":1"), "{} {}", run.stdout, run.stderr);
    let run = desk.run_with(&["fit", "comma.csv", "--drop", "\"a,b"], "");
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn names_of_other_programs_are_aliases_or_suggested() {
    let desk = Sandbox::new();
    let same = |one: &str, other: &str| {
        let fit = |words: &str| {
            let mut json = desk.json(&format!("fit iris.csv {words} -o m"));
            json["seconds"] = 0.into();
            json
        };
        assert_eq!(fit(one), fit(other), "{one}: {other}");
    };
    same("--method lda", "--method gaussian");
    same("--penalty L1 --multiclass one-vs-rest", "--penalty l1 --multiclass one-vs-rest");
    let net = "--multiclass one-vs-rest --penalty";
    same(&format!("{net} ElasticNet"), &format!("{net} elastic-net"));
    same("--tune 2 --cv 3 --random-state 7", "--tune 2 --folds 3 --seed 7");
    for (given, instead) in [
        ("--n-jobs", "--threads"),
        ("--n_jobs", "--threads"),
        ("--class_weight", "--class-weight"),
        ("--multi_class", "--multiclass"),
        ("--max_iter", "--max-iter"),
        ("--epochs", "--max-iter"),
        ("--alpha", "--lambda"),
    ] {
        let run = desk.run(&format!("fit iris.csv {given} 2"));
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.starts_with("error: ") && run.stderr.contains(instead),
            "{}",
            run.stderr
        );
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    for old in ["--bias means", "--errors hc1", "--solver interior"] {
        assert_eq!(desk.run(&format!("fit iris.csv {old}")).code, 2, "{old}");
    }
}

#[test]
fn similar_names_are_suggested() {
    let desk = Sandbox::new();
    desk.run("fit iris.csv -o m");
    for (words, nearest) in [
        ("fit iris.csv --target specie", "Did you mean \"species\"?"),
        ("fit iris.csv --drop sepal_lenght", "Did you mean \"sepal_length\"?"),
        ("explain m iris.csv --against setossa", "did you mean setosa?"),
        ("compare iris.csv --methods logistik", "did you mean logistic?"),
        ("fit iris.csv --metod svm", "'--method'"),
        ("fitt iris.csv", "'fit'"),
        ("fit iris.csv --method logistik", "'logistic'"),
        ("fit iris.csv --loss hing", "'hinge'"),
        ("compare iris.csv --by acuracy", "'accuracy'"),
    ] {
        let run = desk.run(words);
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(nearest), "{words}: {}", run.stderr);
    }
    let header: Vec<String> = (0..30).map(|j| format!("feature{j}")).collect();
    desk.file("wide.csv", format!("{},y\n{}a\n", header.join(","), "1,".repeat(30)));
    let error = desk.run("fit wide.csv --target nothing").stderr;
    assert!(error.contains("feature19 and 11 more"), "{error}");
}

#[test]
fn the_help_has_groups_and_a_short_form() {
    let desk = Sandbox::new();
    let (short, long) = (desk.run("fit -h").stdout, desk.run("fit --help").stdout);
    assert!(short.lines().count() <= 40, "{short}");
    for group in [
        "Data",
        "Preprocessing",
        "Method",
        "Optimization",
        "Multiclass",
        "Validation and tuning",
        "Decision",
        "Inference",
        "Output",
        "Limits",
    ] {
        let heading = format!("\n{group}:\n");
        assert_eq!(long.matches(&heading).count(), 1, "{group}: {long}");
    }
    for command in ["predict", "evaluate", "compare", "check", "separable", "plot path"] {
        let short = desk.run(&format!("{command} -h")).stdout;
        assert!(short.lines().count() <= 50, "{command}: {short}");
    }
}

#[cfg(unix)]
#[test]
fn completions_and_man_pages_are_printed() {
    let desk = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.run(&format!("completions {shell}"));
        assert!(script.code == 0 && script.stdout.contains("random-state"), "{shell}");
    }
    let run =
        desk.shell("$LINSEP completions bash > script && bash -n script && $LINSEP man pages");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = std::fs::read_to_string(desk.path("pages/linsep-fit.1")).unwrap();
    assert!(page.contains(".TH") && page.contains("max\\-iter"), "{page}");
}

#[test]
fn threshold_is_a_probability_if_the_model_has_probabilities() {
    let desk = Sandbox::new();
    let fit = desk.run("fit gales.csv --threshold 0.3 -o m").stdout;
    assert!(fit.contains("threshold    probability 0.3;"), "{fit}");
    assert!(desk.run("show m").stdout.contains("if its probability ≥ 0.3"));
    let score = desk.json("show m")["cut"]["threshold"].as_f64().unwrap();
    assert!((score - (0.3_f64 / 0.7).ln()).abs() < 1e-12, "{score}");
    let predicted = desk.run("predict m gales.csv --proba").stdout;
    for line in predicted.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let p: f64 = cells[2].parse().unwrap();
        assert_eq!(cells[0], if p >= 0.3 { "w2" } else { "w1" }, "{line}");
    }
    let fit = desk.run("fit gales.csv --method svm --threshold=-0.5 -o s").stdout;
    assert!(fit.contains("threshold    score -0.5;"), "{fit}");
    let error = desk.run("fit gales.csv --threshold 1.5 -o m");
    assert!(error.code == 2 && error.stderr.contains("probability"), "{}", error.stderr);
    assert!(error.stderr.contains("score"), "{}", error.stderr);
}

#[test]
fn rows_count_from_1_in_text_and_from_0_in_json() {
    let desk = Sandbox::new();
    desk.run("fit iris.csv -o m");
    assert!(desk.run("explain m iris.csv --row 71").stdout.starts_with("row 71 "));
    assert_eq!(desk.json("explain m iris.csv --row 71")["rows"][0]["row"], 70);
    let error = desk.run("explain m iris.csv --row 0");
    assert!(error.code == 2 && error.stderr.contains("counted from 1"), "{}", error.stderr);
    assert_eq!(desk.run("explain m iris.csv --row 150").code, 0);
    assert!(desk.run("explain m iris.csv --row 151").stderr.contains("counted from 1"));
    let rows = desk.json("separable xor.csv")["certificate"]["rows"].clone();
    assert_eq!(rows, serde_json::json!([0, 1, 2, 3]));
    let text = desk.run("separable xor.csv").stdout;
    assert!(text.contains("\n    4     no "), "{text}");
}

#[test]
fn quiet_omits_notes_and_verbose_adds_details() {
    let desk = Sandbox::new();
    desk.file("constant.csv", "a,c,y\n1,7,p\n3,7,q\n2,7,p\n4,7,q\n");
    assert!(desk.run("fit constant.csv -o m").stderr.contains("note:"));
    assert_eq!(desk.run("fit constant.csv -o m --quiet").stderr, "");
    assert!(!desk.run("fit iris.csv -o m").stdout.contains("lower bound"));
    assert!(desk.run("fit iris.csv -o m -v").stdout.contains("lower bound"));
}
