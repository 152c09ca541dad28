//! `linsep logic threshold`: is a Boolean function a threshold function?

use super::function::{Function, FunctionArgs};
use super::{inequality, minus, neuron_json};
use crate::failure::Failure;
use crate::layout::{Table, entry};
use crate::output::Output;
use clap::Args;
use linsep::logic::{Facts, Limits, Summable, ThresholdResult, decide};
use linsep::math::exact::BigInt;
use serde_json::{Value, json};

#[derive(Args)]
pub struct ThresholdArgs {
    #[command(flatten)]
    function: FunctionArgs,

    /// Parts of the search that may be looked at to prove that the weights are the least
    #[arg(long, value_name = "N", default_value_t = Limits::default().parts)]
    parts: u64,
}

pub fn run(args: &ThresholdArgs, out: &Output) -> Result<(), Failure> {
    let function = args.function.read(out)?;
    let verdict = decide(&function.truth, &Limits { parts: args.parts });
    let facts = Facts::of(&function.truth);
    out.result(|| as_json(&function, &facts, &verdict), || as_text(&function, &facts, &verdict))
}

fn as_text(function: &Function, facts: &Facts, verdict: &ThresholdResult) -> String {
    let mut text = function.text();
    let mut table = Table::new(&["input", "weight", "chow", "output goes"], 1);
    let mut line = |key: &str, value: String| entry(&mut text, key, &value);
    let rows = function.truth.rows();
    match verdict {
        ThresholdResult::Threshold(least) => {
            let neuron = &least.neuron;
            let named = neuron.name().map_or(String::new(), |name| format!(" ({name})"));
            line("verdict", format!("threshold function: one neuron computes it{named}"));
            line("neuron", format!("fires where {}", inequality(neuron, &function.inputs)));
            line(
                "",
                format!("that is, where w0 + w·x > 0 with w0 = {}", 0.5 - neuron.threshold as f64)
                    .replace('-', "−"),
            );
            let size = neuron.size();
            line(
                "weights",
                if least.is_proved() {
                    format!("Σ|w| = {size}: no whole weights are smaller (proved)")
                } else {
                    format!(
                        "Σ|w| = {size}: not proved minimal; none has less than {} (raise --parts)",
                        least.bound
                    )
                },
            );
            line("verified", format!("on all {rows} rows"));
        }
        ThresholdResult::Summable(summable) => {
            line("verdict", "no threshold function: no neuron computes it".to_owned());
            line(
                "proof",
                "rows with output 1 and rows with output 0, as many, with the same sum:".to_owned(),
            );
            line(
                "",
                format!("{} = {}", side(function, &summable.ones), side(function, &summable.zeros)),
            );
            line("", "a neuron would give the left side the larger sum of w·x".to_owned());
            line("verified", "the sums were added up exactly".to_owned());
        }
        ThresholdResult::Undecided => {
            line("verdict", "undecided: it could not be settled with what was allowed".to_owned());
        }
    }
    line(
        "chow",
        format!("m = {} rows with output 1; s below: those of them with the input 1", facts.ones),
    );
    let mut traits = Vec::new();
    traits.push(if facts.is_monotone() {
        "monotone"
    } else if facts.is_unate() {
        "unate: the output goes one way with every input"
    } else {
        "not unate"
    });
    if facts.self_dual {
        traits.push("self-dual");
    }
    line("kind", traits.join(", "));
    line("symmetric", groups(function, facts));
    let weight = |j: usize| match verdict {
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
    if function.inputs.is_empty() { text } else { format!("{text}\n{}", table.show(2)) }
}

/// How the output goes with an input, in a word.
fn direction(facts: &Facts, j: usize) -> &'static str {
    use linsep::logic::Unate;
    match facts.unate[j] {
        Unate::Independent => "nowhere",
        Unate::Positive => "up",
        Unate::Negative => "down",
        Unate::Binate => "both ways",
    }
}

/// The inputs that can be exchanged, in words.
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

/// Rows and how often each is taken: `2·(0,1) + (1,0)`.
fn side(function: &Function, rows: &[(usize, BigInt)]) -> String {
    let one = |(row, times): &(usize, BigInt)| {
        let cells: Vec<String> = function.truth.row(*row).iter().map(ToString::to_string).collect();
        let times = if *times == BigInt::from(1) { String::new() } else { format!("{times}·") };
        format!("{times}({})", cells.join(","))
    };
    rows.iter().map(one).collect::<Vec<_>>().join(" + ")
}

/// A certificate as JSON: inputs of rows, and how often each is taken (a text, as it may be any
/// number).
pub(super) fn summable_json(function: &Function, summable: &Summable) -> Value {
    let list = |rows: &[(usize, BigInt)]| {
        let one = |(row, times): &(usize, BigInt)| json!({ "row": row, "inputs": function.row(*row), "times": times.to_string() });
        Value::from(rows.iter().map(one).collect::<Vec<Value>>())
    };
    json!({ "ones": list(&summable.ones), "zeros": list(&summable.zeros) })
}

fn as_json(function: &Function, facts: &Facts, verdict: &ThresholdResult) -> Value {
    let mut json = function.json();
    let (name, verified) = match verdict {
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
