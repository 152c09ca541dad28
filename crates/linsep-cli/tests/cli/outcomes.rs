//! A saved outcome, loaded in a new process, is printed as by the command itself.

use crate::harness::Sandbox;

/// Command lines, each after the file that another one has written.
const COMMANDS: &[&str] = &[
    "check iris.csv",
    "check outliers.csv --target x1",
    "fit iris.csv -o m --holdout 0.2 --explain-solver --explain-multiclass",
    "fit iris.csv -o m --test iris.csv --calibrate isotonic --folds 3",
    "fit gales.csv -o m --tune 4 --threshold f1 --abstain error<=0.2 --folds 3",
    "fit gales.csv -o m --path 5 --method svm --explain-solver",
    "fit xor.csv -o m --infer",
    "fit gales.csv -o m --firth",
    "fit iris.csv -o m --penalty none --multiclass one-vs-one --max-iter 5",
    "fit iris.csv -o m --method perceptron --explain-multiclass",
    "fit iris.csv -o m --method batch-perceptron",
    "fit gales.csv -o m --method least-squares --tune",
    "fit iris.csv -o m --method fisher",
    "fit iris.csv -o m --method gaussian --shrinkage auto",
    "evaluate iris.linsep iris.csv",
    "evaluate corners.linsep corners.csv",
    "trace rosenblatt.csv --method perceptron",
    "trace gales.csv --method batch-perceptron",
    "trace iris.csv --method perceptron --max-iter 3",
    "kesler iris.csv -o kesler.csv",
    "logic threshold x1&!(x2|x3)",
    "logic threshold 0110",
    "logic network a^b^c",
    "logic count 4",
    "logic automaton parity-machine.csv",
    "logic automaton parity-machine.csv --input 101101",
    "predict iris.linsep iris.csv --scores --proba",
    "predict corners.linsep corners.csv",
    "transform fisher.linsep iris.csv",
    "compare iris.csv --methods logistic,gaussian --folds 3",
    "separable iris.csv",
    "separable iris.csv --positive setosa --output proof.json",
    "verify proof.json iris.csv --positive setosa",
    "separable xor.csv",
    "separable iris.csv --positive virginica --timeout 0",
    "explain iris.linsep iris.csv",
    "explain iris.linsep iris.csv --row 51,120 --against setosa --top 2",
    "export gales.linsep --to scorecard --data gales.csv",
    "export gales.linsep --to scorecard -o card.csv --force",
    "show iris.linsep",
    "show inference.linsep --top 1",
];

/// Commands without an outcome.
const WITHOUT_OUTCOME: [&str; 2] = ["completions", "help"];

/// Command lines that draw a picture, each with its outcome.
const PICTURES: &[&str] = &[
    "plot losses",
    "plot boundaries gales.csv",
    "plot projection gales.csv",
    "plot regions corners.linsep corners.csv",
    "plot data iris.csv",
    "plot data gales.csv --method perceptron",
    "plot trace gales.csv --method perceptron",
    "plot trace iris.csv --method batch-perceptron --positive setosa",
    "plot weights gales.csv --columns x1",
    "plot confusion iris.linsep iris.csv",
    "plot coefficients iris.linsep",
    "plot coefficients inference.linsep",
    "plot roc gales.linsep gales.csv",
    "plot pr iris.linsep iris.csv",
    "plot calibration iris.linsep iris.csv",
    "plot calibration calibrated.linsep",
    "plot path gales.csv --points 5",
    "plot path tuned.linsep",
    "logic network a^b",
];

#[test]
fn saved_outcomes_are_printed_as_by_the_command() {
    let desk = Sandbox::new();
    for model in [
        "iris.csv -o iris",
        "corners.csv -o corners",
        "gales.csv -o gales",
        "iris.csv --method fisher -o fisher",
        "gales.csv --firth -o inference",
    ] {
        let fit = desk.run(&format!("fit {model}.linsep"));
        assert_eq!(fit.code, 0, "{}", fit.stderr);
    }
    for command in COMMANDS {
        for form in ["", " --json", " --wide --verbose"] {
            let own = desk.run(&format!("{command}{form} --outcome outcome.json"));
            assert_eq!(own.code, 0, "{command}{form}: {}", own.stderr);
            let again = desk.run(&format!("render outcome.json{form}"));
            assert_eq!(own.stdout, again.stdout, "{command}{form}: {}", again.stderr);
        }
    }
}

/// The commands that the help lists after these words, with the commands of groups.
fn commands(desk: &Sandbox, before: &str) -> Vec<String> {
    let help = desk.run(&format!("{before} --help")).stdout;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = list.take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && !WITHOUT_OUTCOME.contains(name));
    names
        .flat_map(|name| {
            let words = format!("{before} {name}").trim().to_owned();
            let within = commands(desk, &words);
            if within.is_empty() { vec![words] } else { within }
        })
        .collect()
}

#[test]
fn every_command_with_an_outcome_is_covered() {
    let all = commands(&Sandbox::new(), "");
    assert!(all.len() > 25, "commands and plots: {all:?}");
    let tested: Vec<&&str> = COMMANDS.iter().chain(PICTURES).collect();
    for command in all {
        let start = format!("{command} ");
        assert!(
            tested.iter().any(|line| **line == command || line.starts_with(&start)),
            "no saved outcome of `{command}` is compared"
        );
    }
}

#[test]
fn the_page_of_a_saved_fit_is_that_of_the_command() {
    let desk = Sandbox::new();
    for command in [
        "fit iris.csv -o m --holdout 0.2 --tune 4 --calibrate platt --folds 3",
        "fit gales.csv -o m --test gales.csv --method perceptron",
        "fit corners.csv -o m",
    ] {
        let own = desk.run(&format!("{command} --report own.html --outcome outcome.json"));
        assert_eq!(own.code, 0, "{command}: {}", own.stderr);
        let again = desk.run("render outcome.json -o again.html");
        assert_eq!(again.code, 0, "{}", again.stderr);
        let page = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
        assert_eq!(page("own.html"), page("again.html"), "{command}");
    }
    desk.run("fit corners.csv -o m --outcome outcome.json");
    let refused = desk.run("render outcome.json -o again.html");
    assert!(refused.stderr.contains("--report"), "{}", refused.stderr);
}

#[test]
fn saved_outcomes_are_drawn_as_by_the_command() {
    let desk = Sandbox::new();
    for fit in [
        "iris.csv",
        "gales.csv",
        "corners.csv --multiclass one-vs-one",
        "gales.csv --firth -o inference.linsep",
        "iris.csv --calibrate platt -o calibrated.linsep",
        "iris.csv --tune 4 -o tuned.linsep",
    ] {
        let run = desk.run(&format!("fit {fit}"));
        assert_eq!(run.code, 0, "{fit}: {}", run.stderr);
    }
    for command in PICTURES {
        let own = desk.run(&format!("{command} -o own.svg --outcome outcome.json"));
        assert_eq!(own.code, 0, "{command}: {}", own.stderr);
        for form in ["", " --json"] {
            let own = desk.run(&format!("{command}{form} -o own.svg"));
            let again = desk.run(&format!("render outcome.json{form}"));
            assert_eq!(own.stdout, again.stdout, "{command}{form}: {}", again.stderr);
        }
        assert_eq!(desk.run("render outcome.json -o again.svg").code, 0, "{command}");
        let [own, again] =
            ["own.svg", "again.svg"].map(|name| std::fs::read_to_string(desk.path(name)).unwrap());
        assert_eq!(own, again, "{command}");
        assert_eq!(desk.run("render outcome.json -o -").stdout, own, "{command}: on stdout");
    }
    desk.run("check iris.csv --outcome outcome.json");
    let run = desk.run("render outcome.json -o check.svg");
    assert!(run.code == 1 && run.stderr.contains("without a picture"), "{}", run.stderr);
}
