//! A network of neurons that computes a Boolean function, as text and JSON.

use super::threshold::summable_json;
use super::{describe, function_json, inequality, neuron_json};
use crate::layout::{Style, Text};
use crate::number::plural;
use crate::table::Table;
use linsep::jobs::logic::NetworkOutcome;
use serde_json::{Value, json};

/// The outcome as text.
pub(crate) fn text(outcome: &NetworkOutcome, style: Style) -> String {
    let NetworkOutcome { function, network, file } = outcome;
    let mut text = Text::new(style);
    describe(&mut text, function);
    let mut line = |key: &str, value: String| text.entry(key, &value);
    let hidden = network.hidden.len();
    line(
        "network",
        match hidden {
            0 => "one neuron".to_owned(),
            h => format!(
                "two layers: {} and the output",
                plural(h, "hidden neuron", "hidden neurons")
            ),
        },
    );
    let why = network.proof.meaning();
    line(
        "minimal",
        if network.is_minimal() {
            format!("yes: {why}")
        } else {
            format!(
                "not proved: at least {} required ({why})",
                plural(network.at_least, "hidden neuron", "hidden neurons")
            )
        },
    );
    line("verified", format!("on all {} rows", function.truth.rows()));
    if let Some(file) = file {
        line("plot", file.clone());
    }
    let names = outcome.hidden_names();
    let mut table = Table::new(&["neuron", "gate", "fires if"], 3).prose(2);
    for (neuron, name) in network.hidden.iter().zip(&names) {
        let is = neuron.name().unwrap_or_default().to_owned();
        table.row(vec![name.clone(), is, inequality(neuron, &function.inputs)]);
    }
    let into = if names.is_empty() { &function.inputs } else { &names };
    let is = network.output.name().unwrap_or_default().to_owned();
    table.row(vec!["output".to_owned(), is, inequality(&network.output, into)]);
    text.gap();
    text.table(&table, 2);
    if let Some(table) = rows(outcome) {
        text.gap();
        text.table(&table, 2);
    }
    text.finish()
}

/// Returns the truth table of every neuron; `None` unless the rows are few.
fn rows(outcome: &NetworkOutcome) -> Option<Table> {
    const MOST: usize = 16;
    let NetworkOutcome { function, network, .. } = outcome;
    if function.truth.rows() > MOST || network.hidden.is_empty() {
        return None;
    }
    let names = outcome.hidden_names();
    let header: Vec<&str> =
        function.inputs.iter().chain(&names).map(String::as_str).chain(["output"]).collect();
    let mut table = Table::new(&header, 0);
    for row in 0..function.truth.rows() {
        let inputs = function.truth.row(row).into_iter().map(|x| x.to_string());
        let hidden = network.hidden.iter().map(|neuron| u8::from(neuron.fires(row)).to_string());
        let output = u8::from(network.fires(row)).to_string();
        table.row(inputs.chain(hidden).chain([output]).collect());
    }
    Some(table)
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &NetworkOutcome) -> Value {
    let NetworkOutcome { function, network, file } = outcome;
    let mut json = function_json(function);
    json["hidden"] = network.hidden.iter().map(neuron_json).collect();
    json["output"] = neuron_json(&network.output);
    json["minimal"] = json!(network.is_minimal());
    json["hidden_at_least"] = json!(network.at_least);
    json["proof"] = json!(network.proof.meaning());
    json["verified"] = json!(true);
    if let Some(summable) = &network.summable {
        json["certificate"] = summable_json(function, summable);
    }
    if let Some(file) = file {
        json["path"] = json!(file);
    }
    json
}
