//! A saved outcome, loaded in a new process, is printed as by the command itself.

use crate::harness::Sandbox;

/// Command lines, each after the file that another one has written.
const COMMANDS: &[&str] = &[
    "check iris.csv",
    "check outliers.csv --target x1",
    "evaluate iris.linsep iris.csv",
    "evaluate corners.linsep corners.csv",
    "predict iris.linsep iris.csv --scores --proba",
    "predict corners.linsep corners.csv",
    "transform fisher.linsep iris.csv",
    "compare iris.csv --methods logistic,gaussian --folds 3",
];

#[test]
fn saved_outcomes_are_printed_as_by_the_command() {
    let desk = Sandbox::new();
    for model in
        ["iris.csv -o iris", "corners.csv -o corners", "iris.csv --method fisher -o fisher"]
    {
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
