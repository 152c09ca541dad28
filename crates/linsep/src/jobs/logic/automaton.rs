//! A finite-state machine as a network of neurons with unit delays.

use crate::error::Error;
use linsep_core::control::literal;
use linsep_logic::automaton::{Circuit, Machine};
use serde::{Deserialize, Serialize};

/// Request for the network of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Automaton {
    /// Name of the machine.
    pub name: String,
    /// Input word: symbols one after another, or separated by blanks or commas.
    pub input: Option<String>,
}

/// The network of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonOutcome {
    /// Name of the machine.
    pub name: String,
    /// The machine.
    pub machine: Machine,
    /// The network.
    pub circuit: Circuit,
    /// Whether machine and network agree on every input word.
    pub verified: bool,
    /// The steps on the input word, if it is given.
    pub steps: Option<Vec<Step>>,
}

/// One step of the machine and of the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The symbol read.
    pub symbol: usize,
    /// State of the machine after the step.
    pub state: usize,
    /// State of the network, by the neuron that fires.
    pub network: Option<usize>,
    /// Cell that fires.
    pub cell: Option<usize>,
    /// Output of the machine, or whether it accepts.
    pub output: String,
    /// Output of the network.
    pub network_output: String,
}

impl Step {
    /// Whether machine and network agree.
    pub fn agrees(&self) -> bool {
        self.network == Some(self.state) && self.output == self.network_output
    }
}

/// Output of a step to a state that accepts.
const ACCEPTS: &str = "accepts";

impl AutomatonOutcome {
    /// Whether the machine accepts the input word; `None` without one, or if the machine has
    /// outputs instead.
    pub fn accepts(&self) -> Option<bool> {
        let last = self.steps.as_ref()?.last()?;
        self.machine.outputs().is_empty().then(|| last.output == ACCEPTS)
    }
}

impl Automaton {
    /// Builds the network, verifies it on every transition and runs it on the input word.
    pub fn run(&self, machine: Machine) -> Result<AutomatonOutcome, Error> {
        let circuit = Circuit::of(&machine);
        let verified = circuit.verify(&machine);
        let word = self.input.as_deref().map(|text| word(&machine, text)).transpose()?;
        let steps = word.map(|word| steps(&machine, &circuit, &word));
        Ok(AutomatonOutcome { name: self.name.clone(), machine, circuit, verified, steps })
    }
}

/// Parses an input word. Characters need no separators if all symbols are single characters.
fn word(machine: &Machine, text: &str) -> Result<Vec<usize>, Error> {
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
            Error::Request(format!(
                "`input`, column {column}: expected a symbol of the machine ({}), found {:?}",
                literal(&known.join(", ")),
                literal(part)
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
    (if yes { ACCEPTS } else { "-" }).to_owned()
}
