//! `linsep logic automaton`: a finite-state machine and its network of neurons with unit delays.

use crate::failure::Failure;
use crate::layout::{Table, entry};
use crate::output::Output;
use clap::Args;
use linsep::logic::automaton::{Cell, Circuit, Machine};
use linsep::{Source, read_machine};
use linsep_report::number::plural;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct AutomatonArgs {
    /// Machine file: a table of states by symbols, or a list of transitions, as CSV or JSON
    file: PathBuf,

    /// Input word: symbols one after another, or separated by blanks or commas
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    input: Option<String>,
}

/// One step of the machine and of the network.
struct Step {
    symbol: usize,
    /// State of the machine after the step.
    state: usize,
    /// State of the network, by the neuron that fires.
    network: Option<usize>,
    /// Cell that fires.
    cell: Option<usize>,
    /// Output of the machine, or whether it accepts.
    output: String,
    /// Output of the network.
    network_output: String,
}

pub fn run(args: &AutomatonArgs, out: &Output) -> Result<(), Failure> {
    let machine = read_machine(Source::open(&args.file)?)?;
    let circuit = Circuit::of(&machine);
    let verified = circuit.verify(&machine);
    let word = args.input.as_deref().map(|text| word(&machine, text)).transpose()?;
    let steps = word.map(|word| steps(&machine, &circuit, &word));
    let name = args.file.display().to_string();
    out.result(
        || as_json(&machine, &circuit, verified, steps.as_deref()),
        || as_text(&name, &machine, &circuit, verified, steps.as_deref()),
    )
}

/// Parses an input word. Characters need no separators if all symbols are single characters.
fn word(machine: &Machine, text: &str) -> Result<Vec<usize>, Failure> {
    let symbols = machine.symbols();
    let single = symbols.iter().all(|symbol| symbol.chars().count() == 1);
    let between = |c: char| c.is_whitespace() || c == ',';
    let mut parts: Vec<(usize, String)> = Vec::new();
    let mut fresh = true;
    for (column, c) in (1..).zip(text.chars()) {
        let own = symbols.iter().any(|symbol| single && symbol.chars().eq([c]));
        if between(c) && !own {
            fresh = true;
            continue;
        }
        match parts.last_mut() {
            Some((_, part)) if !single && !fresh => part.push(c),
            _ => parts.push((column, c.to_string())),
        }
        fresh = false;
    }
    let number = |(column, part): &(usize, String)| {
        symbols.iter().position(|symbol| symbol == part).ok_or_else(|| {
            let known: Vec<&str> = symbols.iter().take(20).map(String::as_str).collect();
            Failure::Usage(format!(
                "--input, column {column}: expected a symbol of the machine ({}), found {part:?}",
                known.join(", ")
            ))
        })
    };
    parts.iter().map(number).collect()
}

fn steps(machine: &Machine, circuit: &Circuit, word: &[usize]) -> Vec<Step> {
    let (mut moment, mut before) = (circuit.start(), machine.start());
    let mut steps = Vec::new();
    for (&symbol, state) in word.iter().zip(machine.run(word)) {
        moment = circuit.step(&moment, symbol);
        let fired: Vec<usize> = circuit
            .read(&moment)
            .iter()
            .enumerate()
            .filter(|(_, fires)| **fires)
            .map(|(o, _)| o)
            .collect();
        let (output, network_output) = match machine.output(before, symbol) {
            Some(expected) => {
                let names: Vec<&str> =
                    fired.iter().map(|&o| machine.outputs()[o].as_str()).collect();
                (machine.outputs()[expected].clone(), names.join(" "))
            }
            None => (accepts(machine.accepts(state)), accepts(!fired.is_empty())),
        };
        let cell = moment.cells.iter().position(|fires| *fires);
        steps.push(Step {
            symbol,
            state,
            network: circuit.state(machine, &moment),
            cell,
            output,
            network_output,
        });
        before = state;
    }
    steps
}

fn accepts(yes: bool) -> String {
    (if yes { "accepts" } else { "-" }).to_owned()
}

fn agree(steps: &[Step]) -> bool {
    steps.iter().all(|step| step.network == Some(step.state) && step.output == step.network_output)
}

/// Returns the name of a cell: its state and its symbol.
fn cell_name(machine: &Machine, cell: &Cell) -> String {
    format!("({}, {})", machine.states()[cell.state], machine.symbols()[cell.symbol])
}

fn as_text(
    name: &str,
    machine: &Machine,
    circuit: &Circuit,
    verified: bool,
    steps: Option<&[Step]>,
) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: String| entry(&mut text, key, &value);
    let reachable = machine.reachable();
    let unreachable = match machine.states().len() - reachable.len() {
        0 => String::new(),
        n => format!("; {} omitted", plural(n, "unreachable state", "unreachable states")),
    };
    line(
        "machine",
        format!(
            "{name}: {}, {}, start {}{unreachable}",
            plural(machine.states().len(), "state", "states"),
            plural(machine.symbols().len(), "symbol", "symbols"),
            machine.states()[machine.start()]
        ),
    );
    let k = circuit.readouts.len();
    let read = if machine.outputs().is_empty() {
        "1 for acceptance".to_owned()
    } else {
        plural(k, "for the output", "for the outputs")
    };
    line(
        "network",
        format!(
            "{} with unit delay (threshold 2, weights 1), 1 for the start, {read} (threshold 1)",
            plural(circuit.cells.len(), "neuron", "neurons")
        ),
    );
    line(
        "verified",
        if verified {
            "for every input word: all transitions were compared".to_owned()
        } else {
            "no: a transition differs from the machine".to_owned()
        },
    );
    if let Some(steps) = steps {
        let n = plural(steps.len(), "step", "steps");
        line(
            "input",
            format!(
                "{n}: {}",
                if agree(steps) {
                    "network and machine agree at every step"
                } else {
                    "network and machine differ"
                }
            ),
        );
        if let (Some(last), true) = (steps.last(), machine.outputs().is_empty()) {
            line(
                "result",
                if last.output == "accepts" {
                    "accepted".to_owned()
                } else {
                    "not accepted".to_owned()
                },
            );
        }
    }
    text.push('\n');
    text + &steps
        .map_or_else(|| neurons(machine, circuit), |steps| run_table(machine, circuit, steps))
}

/// Returns the table of the neurons and their inputs.
fn neurons(machine: &Machine, circuit: &Circuit) -> String {
    const SHOWN: usize = 24;
    const FEW: usize = 6;
    let mut table =
        Table::new(&["neuron (state, symbol)", "fires on the symbol after one of"], 2).prose(1);
    for cell in circuit.cells.iter().take(SHOWN) {
        let start = cell.first.then(|| "start".to_owned());
        let from = cell.from.iter().map(|&at| cell_name(machine, &circuit.cells[at]));
        let mut all: Vec<String> = start.into_iter().chain(from).collect();
        let more = all.len().saturating_sub(FEW);
        all.truncate(FEW);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        table.row(vec![cell_name(machine, cell), all.join(" ") + &more]);
    }
    let more = circuit.cells.len().saturating_sub(SHOWN);
    table.show(2)
        + &if more > 0 {
            format!("  … and {}\n", plural(more, "neuron", "neurons"))
        } else {
            String::new()
        }
}

/// Returns the table of the steps of machine and network.
fn run_table(machine: &Machine, circuit: &Circuit, steps: &[Step]) -> String {
    const SHOWN: usize = 60;
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
            step.cell.map_or(String::new(), |at| cell_name(machine, &circuit.cells[at])),
            state(step.network),
            step.network_output.clone(),
        ]);
    }
    let more = steps.len().saturating_sub(SHOWN);
    table.show(2)
        + &if more > 0 {
            format!("  … and {}\n", plural(more, "step", "steps"))
        } else {
            String::new()
        }
}

fn as_json(machine: &Machine, circuit: &Circuit, verified: bool, steps: Option<&[Step]>) -> Value {
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
        json["agree"] = json!(agree(steps));
        json["steps"] = steps.iter().map(step).collect();
    }
    json
}
