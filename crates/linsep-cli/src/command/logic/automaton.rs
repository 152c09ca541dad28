//! `linsep logic automaton`: a finite-state machine as neurons with unit delays, beside the machine
//! itself.

use crate::failure::Failure;
use crate::layout::{Table, entry};
use crate::output::Output;
use crate::text::plural;
use clap::Args;
use linsep::logic::automaton::{Cell, Circuit, Machine};
use linsep_io::{Source, read_machine};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct AutomatonArgs {
    /// The machine: a table of states by symbols, or a list of transitions, as CSV or JSON
    file: PathBuf,

    /// What to read: symbols one after another, or with blanks or commas between them
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    input: Option<String>,
}

/// One step of both.
struct Step {
    symbol: usize,
    /// The machine's state after it.
    state: usize,
    /// The network's, by the one neuron that fires.
    network: Option<usize>,
    /// The cell that fires.
    cell: Option<usize>,
    /// What the machine says: an output, or whether it accepts.
    says: String,
    /// The same of the network.
    reads: String,
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

/// A text as symbols: each character one, where all symbols are single characters.
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
                "--input, column {column}: found {part:?} where a symbol of the machine belongs: {}",
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
        let (says, reads) = match machine.output(before, symbol) {
            Some(output) => {
                let names: Vec<&str> =
                    fired.iter().map(|&o| machine.outputs()[o].as_str()).collect();
                (machine.outputs()[output].clone(), names.join(" "))
            }
            None => (accepts(machine.accepts(state)), accepts(!fired.is_empty())),
        };
        let cell = moment.cells.iter().position(|fires| *fires);
        steps.push(Step {
            symbol,
            state,
            network: circuit.state(machine, &moment),
            cell,
            says,
            reads,
        });
        before = state;
    }
    steps
}

fn accepts(yes: bool) -> String {
    (if yes { "accepts" } else { "-" }).to_owned()
}

fn agree(steps: &[Step]) -> bool {
    steps.iter().all(|step| step.network == Some(step.state) && step.says == step.reads)
}

/// A cell's name: its state and its symbol.
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
    let beyond = match machine.states().len() - reachable.len() {
        0 => String::new(),
        more => format!(
            "; {more} cannot be reached and {} left out",
            if more == 1 { "is" } else { "are" }
        ),
    };
    line(
        "machine",
        format!(
            "{name}: {}, {}, start {}{beyond}",
            plural(machine.states().len(), "state", "states"),
            plural(machine.symbols().len(), "symbol", "symbols"),
            machine.states()[machine.start()]
        ),
    );
    let k = circuit.readouts.len();
    let read = if machine.outputs().is_empty() {
        "1 that says whether it accepts".to_owned()
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
            "for every input: each step from each state was compared".to_owned()
        } else {
            "NO: a step differs from the machine's".to_owned()
        },
    );
    if let Some(steps) = steps {
        let n = plural(steps.len(), "step", "steps");
        line(
            "input",
            format!(
                "{n}: {}",
                if agree(steps) {
                    "network and machine agree at every one"
                } else {
                    "network and machine DIFFER"
                }
            ),
        );
        if let (Some(last), true) = (steps.last(), machine.outputs().is_empty()) {
            line(
                "answer",
                if last.says == "accepts" {
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

/// What each neuron listens to.
fn neurons(machine: &Machine, circuit: &Circuit) -> String {
    const SHOWN: usize = 24;
    const FEW: usize = 6;
    let mut table =
        Table::new(&["neuron (state, symbol)", "fires after the symbol and one of"], 2).prose(1);
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

/// Machine and network side by side.
fn run_table(machine: &Machine, circuit: &Circuit, steps: &[Step]) -> String {
    const SHOWN: usize = 60;
    let mut table = Table::new(
        &["time", "symbol", "machine", "says", "neuron that fires", "network", "says"],
        7,
    );
    let state =
        |state: Option<usize>| state.map_or("none".to_owned(), |q| machine.states()[q].clone());
    for (t, step) in steps.iter().enumerate().take(SHOWN) {
        table.row(vec![
            (t + 1).to_string(),
            machine.symbols()[step.symbol].clone(),
            state(Some(step.state)),
            step.says.clone(),
            step.cell.map_or(String::new(), |at| cell_name(machine, &circuit.cells[at])),
            state(step.network),
            step.reads.clone(),
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
                "says": step.says,
                "network_says": step.reads,
            })
        };
        json["agree"] = json!(agree(steps));
        json["steps"] = steps.iter().map(step).collect();
    }
    json
}
