//! The worked examples of the lectures.

use crate::harness::{Sandbox, assert_session};
use serde_json::{Value, json};

/// Returns the numbers of a JSON list.
fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn assert_close(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() < 1e-12, "{got:?} {want:?}");
    }
}

#[test]
fn batch_perceptron_example() {
    let trace = Sandbox::new()
        .json("trace gales.csv --method batch-perceptron --start 0,1,-0.5 --positive w1");
    assert_eq!(trace["method"], "batch-perceptron");
    assert_eq!(trace["columns"], json!(["x1", "x2"]));
    assert_eq!(trace["positive"], "w1");
    assert_eq!(trace["stop"], "separated");
    let [first, second] = trace["steps"].as_array().unwrap().as_slice() else {
        panic!("two steps: {trace}")
    };

    // The scores of ω1 and ω2 under the first estimate, and Y[0] = {1, 4 of ω1; 2, 3 of ω2}.
    assert_close(&numbers(&first["scores"]), &[-0.5, 0.5, 0.1, -0.1, -0.5, 0.5, 0.5, -0.1]);
    assert_eq!(first["step"], 0);
    assert_eq!(first["mistakes"], json!([0, 3, 5, 6]));
    assert_close(&[first["criterion"].as_f64().unwrap()], &[0.5 + 0.1 + 0.5 + 0.5]);

    // One update, and the scores under it.
    assert_eq!(second["step"], 1);
    assert_close(&numbers(&second["w"]), &[1.45, -0.6]);
    assert_close(&[second["b"].as_f64().unwrap()], &[-0.5]);
    let after = [0.95, 0.35, 0.01, 0.275, -0.5, -1.1, -0.7375, -0.305];
    assert_close(&numbers(&second["scores"]), &after);
    assert_eq!(second["mistakes"], json!([]));
    assert_eq!(second["criterion"], 0.0);
}

#[test]
fn rosenblatt_rule_by_row() {
    let trace = Sandbox::new()
        .json("trace rosenblatt.csv --method perceptron --tie negative --eta 1 --positive pos");
    let steps = trace["steps"].as_array().unwrap();
    // Row, W·X, y, updated, (w0, w1, w2) after: the lecture's table.
    let table = [
        (0, 0.0, -1, true, [1.0, 1.0, 1.0]),
        (1, 1.0, 1, false, [1.0, 1.0, 1.0]),
        (2, 0.0, -1, true, [2.0, 1.0, 0.0]),
        (3, 1.0, 1, true, [1.0, 2.0, 1.0]),
        (4, 0.0, -1, false, [1.0, 2.0, 1.0]),
        (5, 2.0, 1, true, [0.0, 2.0, 0.0]),
        (0, 2.0, 1, false, [0.0, 2.0, 0.0]),
    ];
    for (step, (row, z, predicted, updated, [b, w1, w2])) in steps.iter().zip(table) {
        let want = json!({ "row": row, "z": z, "predicted": predicted, "updated": updated, "w": [w1, w2], "b": b });
        for (key, value) in want.as_object().unwrap() {
            assert_eq!(&step[key], value, "{key} of {step}");
        }
    }
    let targets: Vec<i64> = steps.iter().take(6).map(|s| s["target"].as_i64().unwrap()).collect();
    assert_eq!(targets, [1, 1, 1, -1, -1, -1]);

    // Training continues until an epoch makes no update, and ends at (1, 2, −1).
    assert!(steps[steps.len() - 6..].iter().all(|step| step["updated"] == false));
    let last = &steps[steps.len() - 1];
    assert_eq!((&last["b"], &last["w"]), (&json!(1.0), &json!([2.0, -1.0])));
    assert_eq!(trace["stop"], "separated");
}

#[test]
fn every_method_ends_without_error_on_xor() {
    let desk = Sandbox::new();
    for method in
        ["perceptron", "batch-perceptron", "averaged-perceptron", "pocket", "gradient-descent"]
    {
        let fit = desk.json(&format!("fit xor.csv --method {method}"));
        let stop = fit["stop"].as_str().unwrap();
        assert!(["stalled", "iteration-limit"].contains(&stop), "{method}: {stop}");
        assert!(fit["mistakes"].as_f64().unwrap() >= 1.0, "{method}");
    }
}

#[test]
fn tables_as_text() {
    let desk = Sandbox::new();
    assert_session!(
        desk,
        "trace gales.csv --method batch-perceptron --start 0,1,-0.5 --positive w1"
    );
    assert_session!(
        desk,
        "trace rosenblatt.csv --method perceptron --tie negative --eta 1 --positive pos"
    );
}
