//! Whether a Boolean function is a threshold function, as text and JSON.

use super::{describe, function_json, inequality, minus, neuron_json};
use crate::layout::{Style, Text};
use crate::table::Table;
use linsep::core::math::exact::BigInt;
use linsep::jobs::logic::{Function, ThresholdOutcome};
use linsep::logic::{Facts, Summable, ThresholdResult};
use serde_json::{Value, json};

/// The outcome as text.
pub(crate) fn text(outcome: &ThresholdOutcome, style: Style) -> String {
    let ThresholdOutcome { function, facts, result } = outcome;
    let mut text = Text::new(style);
    describe(&mut text, function);
    let mut table = Table::new(&["input", "weight", "chow", "output is"], 1);
    let mut line = |key: &str, value: String| text.entry(key, &value);
    let rows = function.truth.rows();
    match result {
        ThresholdResult::Threshold(least) => {
            let neuron = &least.neuron;
            let named = neuron.name().map_or(String::new(), |name| format!(" ({name})"));
            line("result", format!("threshold function: one neuron computes it{named}"));
            line("neuron", format!("fires if {}", inequality(neuron, &function.inputs)));
            line(
                "",
                format!(
                    "equivalently, if w0 + w·x > 0 with w0 = {}",
                    0.5 - neuron.threshold as f64
                )
                .replace('-', "−"),
            );
            let size = neuron.size();
            line(
                "weights",
                if least.is_proved() {
                    format!("Σ|w| = {size}, proved minimal among integer weights")
                } else {
                    format!(
                        "Σ|w| = {size}, minimum at least {} (raise --parts to prove more)",
                        least.bound
                    )
                },
            );
            line("verified", format!("on all {rows} rows"));
        }
        ThresholdResult::Summable(summable) => {
            line("result", "not a threshold function: no neuron computes it".to_owned());
            line(
                "proof",
                "equally many rows of output 1 and of output 0 have the same sum:".to_owned(),
            );
            line(
                "",
                format!("{} = {}", side(function, &summable.ones), side(function, &summable.zeros)),
            );
            line("", "a neuron would need a larger sum of w·x on the left".to_owned());
            line("verified", "both sums, in exact arithmetic".to_owned());
        }
        ThresholdResult::Undecided => {
            line("result", "undecided within the limits of the search".to_owned());
        }
    }
    line(
        "chow",
        format!(
            "{} rows of output 1; below, those of them with input 1, for each input",
            facts.ones
        ),
    );
    let mut properties = Vec::new();
    properties.push(if facts.is_monotone() {
        "monotone"
    } else if facts.is_unate() {
        "unate: monotone in each input"
    } else {
        "not unate"
    });
    if facts.self_dual {
        properties.push("self-dual");
    }
    line("properties", properties.join(", "));
    line("symmetric", groups(function, facts));
    let weight = |j: usize| match result {
        ThresholdResult::Threshold(least) => minus(least.neuron.weights[j]),
        _ => String::new(),
    };
    for (j, input) in function.inputs.iter().enumerate() {
        table.row(vec![
            input.clone(),
            weight(j),
            facts.chow[j].to_string(),
            direction(facts, j).to_owned(),
        ]);
    }
    if !function.inputs.is_empty() {
        text.gap();
        text.table(&table, 2);
    }
    text.finish()
}

/// Returns the monotonicity of the output in an input.
fn direction(facts: &Facts, j: usize) -> &'static str {
    use linsep::logic::Unate;
    match facts.unate[j] {
        Unate::Independent => "independent",
        Unate::Positive => "increasing",
        Unate::Negative => "decreasing",
        Unate::Binate => "not monotone",
    }
}

/// Returns the groups of exchangeable inputs as text.
fn groups(function: &Function, facts: &Facts) -> String {
    let names = |group: &Vec<usize>| {
        group.iter().map(|&j| function.inputs[j].as_str()).collect::<Vec<_>>().join(" ")
    };
    let several: Vec<String> = facts.symmetric.iter().filter(|g| g.len() > 1).map(names).collect();
    match several.len() {
        0 => "no two inputs".to_owned(),
        1 if facts.symmetric.len() == 1 => "in all inputs".to_owned(),
        _ => several.join("; "),
    }
}

/// Returns rows with their multiplicities: `2·(0,1) + (1,0)`.
fn side(function: &Function, rows: &[(usize, BigInt)]) -> String {
    let one = |(row, times): &(usize, BigInt)| {
        let cells: Vec<String> = function.truth.row(*row).iter().map(ToString::to_string).collect();
        let times = if *times == BigInt::from(1) { String::new() } else { format!("{times}·") };
        format!("{times}({})", cells.join(","))
    };
    rows.iter().map(one).collect::<Vec<_>>().join(" + ")
}

/// Returns a certificate as JSON: inputs and multiplicities of rows. A multiplicity is a string,
/// since it can exceed the range of JSON numbers.
pub(super) fn summable_json(function: &Function, summable: &Summable) -> Value {
    let list = |rows: &[(usize, BigInt)]| {
        let one = |(row, times): &(usize, BigInt)| json!({ "row": row, "inputs": function.row(*row), "times": times.to_string() });
        Value::from(rows.iter().map(one).collect::<Vec<Value>>())
    };
    json!({ "ones": list(&summable.ones), "zeros": list(&summable.zeros) })
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &ThresholdOutcome) -> Value {
    let ThresholdOutcome { function, facts, result } = outcome;
    let mut json = function_json(function);
    let (name, verified) = match result {
        ThresholdResult::Threshold(least) => {
            json["neuron"] = neuron_json(&least.neuron);
            json["size"] = json!(least.neuron.size());
            json["size_bound"] = json!(least.bound);
            json["minimal"] = json!(least.is_proved());
            ("threshold", true)
        }
        ThresholdResult::Summable(summable) => {
            json["certificate"] = summable_json(function, summable);
            ("not-threshold", true)
        }
        ThresholdResult::Undecided => ("undecided", false),
    };
    json["verdict"] = json!(name);
    json["verified"] = json!(verified);
    json["chow"] = json!(facts.chow);
    json["unate"] = json!(facts.unate.iter().map(|u| u.name()).collect::<Vec<_>>());
    json["symmetric"] = json!(facts.symmetric);
    json["self_dual"] = json!(facts.self_dual);
    json
}
