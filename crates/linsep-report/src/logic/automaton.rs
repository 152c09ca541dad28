//! A finite-state machine and its network as text and JSON.

use crate::layout::{Style, Text};
use crate::number::plural;
use crate::table::Table;
use linsep::jobs::logic::{AutomatonOutcome, Step};
use linsep::logic::automaton::{Cell, Machine};
use serde_json::{Value, json};

/// Returns the name of a cell: its state and its symbol.
fn cell_name(machine: &Machine, cell: &Cell) -> String {
    format!("({}, {})", machine.states()[cell.state], machine.symbols()[cell.symbol])
}

/// The outcome as text.
pub(crate) fn text(outcome: &AutomatonOutcome, style: Style) -> String {
    let AutomatonOutcome { name, machine, circuit, verified, steps } = outcome;
    let mut text = Text::new(style);
    let unreachable = match machine.states().len() - machine.reachable().len() {
        0 => String::new(),
        n => format!("; {} omitted", plural(n, "unreachable state", "unreachable states")),
    };
    let (states, symbols) = (
        plural(machine.states().len(), "state", "states"),
        plural(machine.symbols().len(), "symbol", "symbols"),
    );
    let start = &machine.states()[machine.start()];
    text.entry("machine", &format!("{name}: {states}, {symbols}, start {start}{unreachable}"));
    let read = if machine.outputs().is_empty() {
        "1 for acceptance".to_owned()
    } else {
        plural(circuit.readouts.len(), "for the output", "for the outputs")
    };
    let neurons = plural(circuit.cells.len(), "neuron", "neurons");
    text.entry(
        "network",
        &format!("{neurons} with unit delay (threshold 2, weights 1), 1 for the start, {read} (threshold 1)"),
    );
    text.entry(
        "verified",
        if *verified {
            "for every input word: all transitions were compared"
        } else {
            "no: a transition differs from the machine"
        },
    );
    if let Some(steps) = steps {
        let n = plural(steps.len(), "step", "steps");
        let agree = if steps.iter().all(Step::agrees) {
            "network and machine agree at every step"
        } else {
            "network and machine differ"
        };
        text.entry("input", &format!("{n}: {agree}"));
    }
    if let Some(accepts) = outcome.accepts() {
        text.entry("result", if accepts { "accepted" } else { "not accepted" });
    }
    text.gap();
    match steps {
        Some(steps) => run_table(&mut text, outcome, steps),
        None => neuron_table(&mut text, outcome),
    }
    text.finish()
}

/// Adds the table of the neurons and their inputs.
fn neuron_table(text: &mut Text, outcome: &AutomatonOutcome) {
    const SHOWN: usize = 24;
    const FEW: usize = 6;
    let (machine, cells) = (&outcome.machine, &outcome.circuit.cells);
    let mut table =
        Table::new(&["neuron (state, symbol)", "fires on the symbol after one of"], 2).prose(1);
    for cell in cells.iter().take(SHOWN) {
        let start = cell.first.then(|| "start".to_owned());
        let from = cell.from.iter().map(|&at| cell_name(machine, &cells[at]));
        let mut all: Vec<String> = start.into_iter().chain(from).collect();
        let more = all.len().saturating_sub(FEW);
        all.truncate(FEW);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        table.row(vec![cell_name(machine, cell), all.join(" ") + &more]);
    }
    text.table(&table, 2);
    more(text, cells.len().saturating_sub(SHOWN), ("neuron", "neurons"));
}

/// Adds the table of the steps of machine and network.
fn run_table(text: &mut Text, outcome: &AutomatonOutcome, steps: &[Step]) {
    const SHOWN: usize = 60;
    let (machine, cells) = (&outcome.machine, &outcome.circuit.cells);
    let mut table = Table::new(
        &["time", "symbol", "machine", "output", "neuron that fires", "network", "output"],
        7,
    );
    let state =
        |state: Option<usize>| state.map_or("none".to_owned(), |q| machine.states()[q].clone());
    for (t, step) in steps.iter().enumerate().take(SHOWN) {
        table.row(vec![
            (t + 1).to_string(),
            machine.symbols()[step.symbol].clone(),
            state(Some(step.state)),
            step.output.clone(),
            step.cell.map_or(String::new(), |at| cell_name(machine, &cells[at])),
            state(step.network),
            step.network_output.clone(),
        ]);
    }
    text.table(&table, 2);
    more(text, steps.len().saturating_sub(SHOWN), ("step", "steps"));
}

/// Adds the number of omitted lines of a table.
fn more(text: &mut Text, more: usize, (one, many): (&str, &str)) {
    if more > 0 {
        text.push_str(&format!("  … and {}\n", plural(more, one, many)));
    }
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &AutomatonOutcome) -> Value {
    let AutomatonOutcome { machine, circuit, verified, steps, .. } = outcome;
    let neuron = |cell: &Cell| {
        json!({
            "state": machine.states()[cell.state],
            "symbol": machine.symbols()[cell.symbol],
            "from": cell.from,
            "start": cell.first,
            "threshold": 2,
        })
    };
    let mut json = json!({
        "states": machine.states(),
        "symbols": machine.symbols(),
        "start": machine.states()[machine.start()],
        "outputs": machine.outputs(),
        "neurons": circuit.cells.iter().map(neuron).collect::<Vec<Value>>(),
        "readouts": circuit.readouts,
        "verified": verified,
    });
    if let Some(steps) = steps {
        let step = |step: &Step| {
            json!({
                "symbol": machine.symbols()[step.symbol],
                "state": machine.states()[step.state],
                "network": step.network.map(|q| &machine.states()[q]),
                "says": step.output,
                "network_says": step.network_output,
            })
        };
        json["agree"] = json!(steps.iter().all(Step::agrees));
        json["steps"] = steps.iter().map(step).collect();
    }
    json
}
