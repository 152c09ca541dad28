//! A saved outcome, loaded in a new process, is printed as by the command itself.

use crate::harness::Sandbox;

/// Command lines, each after the file that another one has written.
const COMMANDS: &[&str] = &[
    "check iris.csv",
    "check outliers.csv --target x1",
    "fit iris.csv -o m --holdout 0.2 --explain-solver --explain-multiclass",
    "fit corners.csv -o m --test corners.csv --calibrate isotonic --folds 3",
    "fit gales.csv -o m --tune 4 --threshold f1 --abstain error<=0.2 --folds 3",
    "fit gales.csv -o m --path 5 --method svm --explain-solver",
    "fit gales.csv -o m --infer",
    "fit xor.csv -o m --firth",
    "fit iris.csv -o m --penalty none --multiclass one-vs-one --max-iter 5",
    "fit iris.csv -o m --method perceptron --explain-multiclass",
    "fit iris.csv -o m --method batch-perceptron",
    "fit gales.csv -o m --method least-squares --tune",
    "fit iris.csv -o m --method fisher",
    "fit iris.csv -o m --method gaussian --shrinkage auto",
    "evaluate iris.linsep iris.csv",
    "evaluate corners.linsep corners.csv",
];

#[test]
fn saved_outcomes_are_printed_as_by_the_command() {
    let desk = Sandbox::new();
    for model in ["iris", "corners"] {
        let fit = desk.run(&format!("fit {model}.csv -o {model}.linsep"));
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
