//! `explain`: contributions and counterfactuals.

use crate::harness::{Sandbox, assert_session};
use serde_json::Value;

const PEOPLE: &str = "age,job,pay,y\n\
    31,cook,900,poor\n44,smith,1500,rich\n52,nurse,1300,rich\n,cook,1100,poor\n23,smith,1200,poor\n\
    61,nurse,1000,rich\n38,cook,1400,poor\n47,smith,1150,rich\n,nurse,1450,rich\n29,cook,950,poor\n\
    35,nurse,1250,rich\n58,smith,1050,rich\n26,nurse,900,poor\n41,cook,1350,rich\n";

fn desk() -> Sandbox {
    let desk = Sandbox::new();
    desk.file("people.csv", PEOPLE);
    assert_eq!(desk.run("fit people.csv").code, 0);
    assert_eq!(desk.run("fit iris.csv").code, 0);
    desk
}

#[test]
fn explanations_as_text() {
    let desk = desk();
    for words in [
        "explain people.linsep people.csv --row 4",
        "explain people.linsep people.csv --row 2,5 --allow pay --top 2",
        "explain iris.linsep iris.csv --row 71",
        "explain iris.linsep iris.csv --row 71 --against setosa",
    ] {
        assert_session!(desk, words);
    }
}

/// Returns the class predicted for a line of people.
fn predicted(desk: &Sandbox, line: &str) -> Value {
    let text = format!("age,job,pay\n{line}\n");
    let run = desk.run_with(&["predict", "people.linsep", "-", "--json"], &text);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str::<Value>(&run.stdout).unwrap()["predictions"][0].clone()
}

#[test]
fn every_counterfactual_changes_the_prediction_as_stated() {
    let desk = desk();
    let rows: Vec<String> = (1..=14).map(|i| i.to_string()).collect();
    let json = desk.json(&format!("explain people.linsep people.csv --row {}", rows.join(",")));
    let (mut numbers, mut levels) = (0, 0);
    for row in json["rows"].as_array().unwrap() {
        let at = row["row"].as_u64().unwrap() as usize;
        let line = PEOPLE.lines().nth(at + 1).unwrap();
        let cells: Vec<&str> = line.split(',').collect();
        let with = |name: &Value, value: String| {
            let mut cells: Vec<String> = cells[..3].iter().map(ToString::to_string).collect();
            let place = ["age", "job", "pay"].iter().position(|n| name == n).unwrap();
            cells[place] = value;
            predicted(&desk, &cells.join(","))
        };
        assert_eq!(row["actual"], cells[3]);
        assert_eq!(predicted(&desk, &cells[..3].join(",")), row["class"]);
        assert!(row["difference"].as_f64().unwrap().abs() < 1e-12);
        for change in row["numbers"].as_array().unwrap() {
            assert_eq!(
                with(&change["column"], change["to"].to_string()),
                change["class"],
                "{change}"
            );
            assert_ne!(change["class"], row["class"]);
            numbers += 1;
        }
        for change in row["words"].as_array().unwrap() {
            let to = change["to"].as_str().unwrap().to_owned();
            assert_eq!(with(&change["column"], to), change["class"], "{change}");
            levels += 1;
        }
    }
    assert!(numbers > 20 && levels > 2, "{numbers} {levels}");
}

#[test]
fn libsvm_features_are_explained_by_number() {
    let desk = Sandbox::new();
    desk.file("pairs", "+1 1:1 4:0.5\n-1 2:1\n+1 1:2 3:1\n-1 2:2 3:1\n+1 4:1\n-1 3:2\n");
    assert_eq!(desk.run("fit pairs").code, 0);
    assert_session!(desk, "explain pairs.linsep pairs --row 3");
}

#[test]
fn invalid_requests_are_refused() {
    let desk = desk();
    for words in [
        "explain people.linsep people.csv --row 15",
        "explain people.linsep people.csv --against middling",
        "explain people.linsep people.csv --allow pay,height",
        "explain people.linsep iris.csv",
    ] {
        assert_session!(desk, words);
    }
}
