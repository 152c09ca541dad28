//! Names with terminal escapes and spreadsheet formulas are escaped.

use crate::harness::Sandbox;
use serde_json::Value;

/// Whether a terminal interprets or hides the character; line ends excluded.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;x\u{7}\u{8}\u{0b}\u{7f}\u{85}\u{9b}31m\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}\u{e0041}";

fn is_hostile(c: char) -> bool {
    c.is_control() && c != '\n' || HOSTILE.contains(c) && !c.is_ascii_graphic()
}

/// A table with such names in all places, quoted because of `\n`.
fn table() -> String {
    let name = |tag: &str| format!("\"{tag}{HOSTILE}\nforged: {tag}\"");
    let class = |i: usize| name(["no", "yes"][i % 2]);
    let word = |i: usize| name(["red", "blue", "green"][i % 3]);
    let row = |i: usize| {
        let x = (i * 37 % 101) as f64 / 25.0 + (i % 2) as f64;
        format!("{x},{},{},{}\n", (i * 61 % 103) as f64 / 25.0, word(i), class(i))
    };
    let rows: String = (0..60).map(row).collect();
    format!("{},{},{},{}\n{rows}", name("x"), name("y"), name("word"), name("class"))
}

#[test]
fn every_command_escapes_names() {
    let desk = Sandbox::new();
    let file = format!("data{HOSTILE}.csv");
    desk.file(&file, table());
    desk.file("plain.csv", table().replace(&format!("{HOSTILE}\nforged"), "forged"));
    // Numeric columns, for the commands that require them.
    let number = |i: usize| {
        let class = ["no", "yes"][i % 2];
        format!("{},{},\"{class}{HOSTILE}\"\n", i * 7 % 11 + i % 2 * 20, i % 5)
    };
    let numbers: String = (0..40).map(number).collect();
    desk.file("numbers.csv", format!("\"x{HOSTILE}\ny\",y,class\n{numbers}"));
    let model = format!("model{HOSTILE}");
    let commands: &[&[&str]] = &[
        &["fit", &file, "-o", &model, "--explain-multiclass", "--explain-solver"],
        &["fit", &file, "-o", &model, "--infer", "--firth"],
        &["fit", &file, "-o", "svm", "--method", "svm", "--calibrate", "platt", "--tune"],
        &["fit", &file, "-o", &model, "--holdout", "0.3", "--multiclass", "one-vs-one"],
        &["fit", &file, "-o", &model, "--method", "gaussian"],
        &["fit", "numbers.csv", "-o", "fisher", "--method", "fisher", "--report", "r.html"],
        &["show", &model],
        &["show", "fisher"],
        &["evaluate", &model, &file],
        &["evaluate", &model, "iris.csv"],
        &["explain", &model, &file, "--row", "3"],
        &["predict", &model, "iris.csv"],
        &["check", &file],
        &["check", "numbers.csv"],
        &["compare", &file, "--folds", "3"],
        &["separable", &file],
        &["separable", "numbers.csv", "-o", "proof"],
        &["verify", "proof", "numbers.csv"],
        &["trace", "numbers.csv", "--method", "perceptron"],
        &["trace", "numbers.csv", "--method", "perceptron", "--multiclass", "kesler"],
        &["plot", "data", "numbers.csv", "-o", "d.svg"],
        &["plot", "coefficients", &model, "-o", "c.svg"],
        &["export", &model, "--to", "scorecard", "--data", &file],
        &["fit", "gales.csv", "--target", HOSTILE],
        &["fit", "gales.csv", "--drop", HOSTILE],
        &["fit", "gales.csv", "--positive", HOSTILE],
        &["fit", HOSTILE],
        &["fit", "gales.csv", "--method", HOSTILE],
        &["fit", "gales.csv", HOSTILE],
        &[HOSTILE],
        &["logic", "threshold", HOSTILE],
    ];
    for args in commands {
        for json in [false, true] {
            let args: Vec<&str> = args.iter().copied().chain(json.then_some("--json")).collect();
            let run = desk.run_with(&args, "");
            for (stream, text) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
                let bad = text.chars().find(|c| is_hostile(*c));
                assert_eq!(bad, None, "{args:?} {stream}: {text:?}");
                let forged = text.lines().any(|line| line.starts_with("forged"));
                assert!(!forged, "{args:?} {stream}: {text}");
            }
            if json && !run.stdout.is_empty() {
                assert!(serde_json::from_str::<Value>(&run.stdout).is_ok(), "{args:?}");
            }
        }
    }
    for page in ["r.html", "d.svg", "c.svg"] {
        let text = std::fs::read_to_string(desk.path(page)).unwrap();
        let steers = |c: char| {
            c.is_control() && !matches!(c, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(&c)
        };
        assert!(!text.contains(steers), "{page}");
    }
}

#[test]
fn names_and_json_values_are_preserved() {
    let desk = Sandbox::new();
    desk.file("names.csv", table());
    let fit = desk.json("fit names.csv -o m");
    let class = format!("no{HOSTILE}\nforged: no");
    assert_eq!(fit["classes"][0], class.as_str());
    let csv = desk.run("predict m names.csv").stdout;
    assert!(csv.contains(&class), "a prediction is the class as it was written");
    assert!(
        desk.json("predict m names.csv")["predictions"].as_array().unwrap().contains(&class.into())
    );
}

#[test]
fn formulas_are_escaped_on_request() {
    let desk = Sandbox::new();
    let row = |i: usize| {
        format!("w{},{}\n", i % 5, ["=cmd|' /C calc'!A0", "@sum", "-1", "+go", "plain"][i % 5])
    };
    desk.file("f.csv", format!("x,class\n{}", (0..50).map(row).collect::<String>()));
    desk.run("fit f.csv -o m");
    let plain = desk.run("predict m f.csv").stdout;
    let safe = desk.run("predict m f.csv --spreadsheet-safe --proba").stdout;
    let first = |text: &str| -> Vec<String> {
        let mut cells: Vec<String> =
            text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect();
        cells.sort();
        cells.dedup();
        cells
    };
    assert_eq!(first(&plain), ["+go", "-1", "=cmd|' /C calc'!A0", "@sum", "plain"]);
    assert_eq!(first(&safe), ["'+go", "'=cmd|' /C calc'!A0", "'@sum", "-1", "plain"]);
}
