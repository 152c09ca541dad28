//! Results of other programs; see `golden/README.md`.

use crate::harness::Desk;
use serde_json::Value;

fn golden(name: &str) -> Value {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn rosenblatts_rule_agrees_with_scikit_learn() {
    let desk = Desk::new();
    for run in golden("perceptron_iris.json")["runs"].as_array().unwrap() {
        let trace = desk.json(&format!(
            "trace iris.csv --method perceptron --positive {} --eta {} --epochs {}",
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
