//! Threshold logic as text and JSON, one module per job. Neurons have weights w and a threshold, or
//! the bias w0 of the lectures.

pub(crate) mod automaton;
pub(crate) mod count;
pub(crate) mod drawing;
pub(crate) mod network;
pub(crate) mod threshold;

use crate::layout::Text;
use crate::number::plural;
use linsep::jobs::logic::Function;
use linsep::logic::Neuron;
use serde_json::{Value, json};
use std::fmt::Write;

/// Adds the description of a function.
fn describe(text: &mut Text, function: &Function) {
    let truth = &function.truth;
    let (n, rows, ones) = (truth.inputs(), truth.rows(), truth.ones());
    let names = if n == 0 { String::new() } else { format!(" ({})", function.inputs.join(", ")) };
    let mut shown: String = function.text.chars().take(80).collect();
    if function.text.chars().count() > 80 {
        shown.push('…');
    }
    let inputs = plural(n, "input", "inputs");
    text.entry("function", &format!("{shown}: {inputs}{names}, true in {ones} of {rows} rows"));
    if n <= 6 {
        let (bits, hex) = (truth.bits(), truth.hex());
        text.entry("truth table", &format!("{bits} (from the first row down), {hex}"));
    }
}

/// Returns the description of a function as JSON.
fn function_json(function: &Function) -> Value {
    let truth = &function.truth;
    json!({ "inputs": function.inputs, "hex": truth.hex(), "ones": truth.ones(), "rows": truth.rows() })
}

/// Returns a neuron as an inequality: `2 x1 − x3 ≥ 1`.
fn inequality(neuron: &Neuron, inputs: &[String]) -> String {
    let mut sum = String::new();
    for (w, input) in neuron.weights.iter().zip(inputs).filter(|(w, _)| **w != 0) {
        let sign = match (*w < 0, sum.is_empty()) {
            (true, true) => "−",
            (true, false) => " − ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let size = w.unsigned_abs();
        let _ = if size == 1 {
            write!(sum, "{sign}{input}")
        } else {
            write!(sum, "{sign}{size} {input}")
        };
    }
    if sum.is_empty() {
        sum.push('0');
    }
    format!("{sum} ≥ {}", minus(neuron.threshold))
}

/// Returns a number as text with a minus sign.
fn minus(v: i64) -> String {
    if v < 0 { format!("−{}", v.unsigned_abs()) } else { v.to_string() }
}

/// Returns a neuron as JSON, with the bias w0 of the lectures, for which w0 + w·x is never 0.
fn neuron_json(neuron: &Neuron) -> Value {
    json!({
        "weights": neuron.weights,
        "threshold": neuron.threshold,
        "w0": 0.5 - neuron.threshold as f64,
        "name": neuron.name(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inequalities_omit_zero_and_unit_weights() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let text = |weights: [i64; 3], threshold| {
            inequality(&Neuron { weights: weights.to_vec(), threshold }, &names)
        };
        assert_eq!(text([2, 0, -1], 1), "2 a − c ≥ 1");
        assert_eq!(text([-1, -3, 1], -2), "−a − 3 b + c ≥ −2");
        assert_eq!(text([0, 0, 0], 1), "0 ≥ 1");
    }
}
