//! Text output is 80 columns wide, unless `--wide` is given.

use crate::harness::Sandbox;

/// Commands in sequence; later ones use files of earlier ones.
const COMMANDS: [&str; 33] = [
    "fit iris.csv -o m --verbose",
    "fit iris.csv -o m --multiclass one-vs-rest --explain-solver --explain-multiclass",
    "fit iris.csv -o m --path 5",
    "fit gales.csv -o g --tune 5 --calibrate platt --threshold f1 --abstain 0.8",
    "fit gales.csv -o g --penalty none --threshold 0.3",
    "fit iris.csv -o p --method perceptron --holdout 0.2",
    "fit iris.csv -o f --method fisher --shrinkage auto",
    "fit iris.csv -o l --method least-squares --loo",
    "fit xor.csv -o n --infer",
    "fit outliers.csv -o n --firth --weights near --intervals profile",
    "fit corners.csv -o c --method perceptron",
    "fit iris.csv -o d --multiclass one-vs-one",
    "show m",
    "show g --verbose",
    "show n",
    "evaluate m iris.csv",
    "evaluate d iris.csv",
    "evaluate g gales.csv",
    "explain m iris.csv --row 71,72",
    "compare iris.csv --methods logistic,gaussian,perceptron --repeats 2",
    "check iris.csv",
    "check outliers.csv",
    "separable xor.csv",
    "separable gales.csv -o cert",
    "verify cert gales.csv",
    "trace gales.csv --method perceptron --max-iter 3",
    "trace corners.csv --method perceptron --multiclass winner-take-all --max-iter 2",
    "trace gales.csv --method batch-perceptron --max-iter 3",
    "logic threshold a&b|c&d",
    "logic network a^b^c",
    "logic count 3",
    "logic automaton parity-machine.csv --input 101101",
    "export g --to scorecard --data gales.csv",
];

#[test]
fn every_command_fits_80_columns() {
    let desk = Sandbox::new();
    for words in COMMANDS {
        let run = desk.run(words);
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        for line in run.stdout.lines() {
            assert!(line.chars().count() <= 80, "{words}: {line}");
        }
    }
}

#[test]
fn every_help_fits_80_columns() {
    let desk = Sandbox::new();
    for command in ["", "fit", "predict", "evaluate", "compare", "check", "plot path", "separable"]
    {
        for flag in ["-h", "--help"] {
            for line in desk.run(&format!("{command} {flag}")).stdout.lines() {
                assert!(line.chars().count() <= 80, "{command} {flag}: {line}");
            }
        }
    }
}

#[test]
fn wide_shows_all_columns_on_one_line_each() {
    let desk = Sandbox::new();
    let words = "compare iris.csv --methods logistic";
    let narrow = desk.run(words).stdout;
    assert!(narrow.contains("columns not shown"), "{narrow}");
    let wide = desk.run(&format!("{words} --wide")).stdout;
    assert!(wide.contains("predict time") && !wide.contains("not shown"), "{wide}");
    let fit = desk.run("fit iris.csv -o m --wide").stdout;
    let line = fit.lines().find(|line| line.starts_with("certificate")).unwrap();
    assert!(line.ends_with("equal to the optimum's") && line.len() > 80, "{fit}");
}

#[test]
fn long_names_are_shortened_and_paths_are_not() {
    let desk = Sandbox::new();
    let (long, path) = ("x".repeat(120), format!("{}.linsep", "m".repeat(100)));
    desk.file("long.csv", format!("{long},y\n1,a\n2,a\n3,b\n5,b\n"));
    let fit = desk.run(&format!("fit long.csv -o {path}")).stdout;
    assert!(fit.contains(&format!("model        {path}\n")), "{fit}");
    let show = desk.run(&format!("show {path}"));
    assert!(show.stdout.lines().any(|line| line.contains("xx…xx")), "{}", show.stdout);
    assert!(desk.run(&format!("show {path} --wide")).stdout.contains(&long));
}
