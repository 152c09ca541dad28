//! Any finite-state machine as threshold neurons with unit delays.
//!
//! A machine has states, symbols, a start state and a transition δ(q, a) for every state and
//! symbol. The network has one neuron for every reachable state q and every symbol a. It fires at
//! time t + 1 if at time t the machine is in q **and** reads a:
//!
//! ```text
//!   (q, a) at t+1   ⇔   Σ_{δ(p, b) = q} (p, b) at t  +  [a is read at t]  ≥  2
//! ```
//!
//! The machine is in q exactly if some (p, b) with δ(p, b) = q has just fired. So the sum is 1 in
//! state q and 0 in any other. Before the first symbol no neuron has fired, and a *start* neuron
//! that fires once represents the start state. Every weight is 1 and every threshold 2: AND gates.
//! An output is an OR (threshold 1) over the transitions with that output, one step later.
//!
//! **The network is correct for every input, not only for tested ones:** if exactly one neuron (p,
//! b) fires and a is read, then exactly (δ(p, b), a) fires next. [`Circuit::verify`] checks this
//! for every neuron and every symbol; the rest is induction.
//!
//! Source: `McCulloch` & Pitts (1943); Minsky, *Computation: Finite and Infinite Machines* (1967),
//! chapter 3.
//!
//! Over 400 lines: the machine, its network and their tests.

use super::neuron::Neuron;
use crate::error::Error;
use linsep_core::Error as Size;
use serde::{Deserialize, Serialize};

/// A machine. States, symbols and outputs are numbered in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Machine(Parts);

/// The components of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// Names of the states.
    pub states: Vec<String>,
    /// Names of the symbols.
    pub symbols: Vec<String>,
    /// The start state.
    pub start: usize,
    /// δ(q, a) at q · symbols + a.
    pub next: Vec<usize>,
    /// Whether each state accepts.
    pub accept: Vec<bool>,
    /// Names of the outputs; may be empty.
    pub outputs: Vec<String>,
    /// The output of each transition; empty without outputs.
    pub output: Vec<usize>,
}

/// Largest number of connections between neurons: states × symbols neurons, each with as many
/// connections as symbols on average.
const MOST: usize = 1 << 24;

impl TryFrom<Parts> for Machine {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self, Error> {
        Self::new(parts)
    }
}

impl Machine {
    /// Builds a machine after checking its parts.
    pub fn new(parts: Parts) -> Result<Self, Error> {
        let Parts { states, symbols, start, next, accept, outputs, output } = &parts;
        let cells = states.len().saturating_mul(symbols.len());
        let shape = |what, got, want| {
            if got == want { Ok(()) } else { Err(Size::Shape { what, got, want }) }
        };
        if cells == 0 {
            return Err(Size::EmptyDesign { what: "states and symbols" }.into());
        }
        let connections = cells.saturating_mul(symbols.len());
        if connections > MOST {
            return Err(Size::TooLarge { what: "connections", got: connections, most: MOST }.into());
        }
        shape("transitions", next.len(), cells)?;
        shape("marks of states that accept", accept.len(), states.len())?;
        shape("outputs of transitions", output.len(), if outputs.is_empty() { 0 } else { cells })?;
        let beyond = |what, list: &[usize], most: usize| {
            list.iter()
                .find(|v| **v >= most)
                .map_or(Ok(()), |&got| Err(Size::TooLarge { what, got, most: most - 1 }))
        };
        beyond("state numbers", next, states.len())?;
        beyond("state numbers", &[*start], states.len())?;
        beyond("output numbers", output, outputs.len().max(1))?;
        Ok(Self(parts))
    }

    /// Returns the names of the states.
    pub fn states(&self) -> &[String] {
        &self.0.states
    }

    /// Returns the names of the symbols.
    pub fn symbols(&self) -> &[String] {
        &self.0.symbols
    }

    /// Returns the names of the outputs; empty for an acceptor.
    pub fn outputs(&self) -> &[String] {
        &self.0.outputs
    }

    /// Returns the start state.
    pub fn start(&self) -> usize {
        self.0.start
    }

    /// Returns δ(q, a).
    pub fn next(&self, state: usize, symbol: usize) -> usize {
        self.0.next[state * self.0.symbols.len() + symbol]
    }

    /// Returns the output of a transition, if the machine has outputs.
    pub fn output(&self, state: usize, symbol: usize) -> Option<usize> {
        self.0.output.get(state * self.0.symbols.len() + symbol).copied()
    }

    /// Returns whether a state accepts.
    pub fn accepts(&self, state: usize) -> bool {
        self.0.accept[state]
    }

    /// Returns the states after each symbol of a word.
    pub fn run(&self, word: &[usize]) -> Vec<usize> {
        let step = |state: &mut usize, symbol: &usize| {
            *state = self.next(*state, *symbol);
            Some(*state)
        };
        word.iter().scan(self.0.start, step).collect()
    }

    /// Returns the reachable states in breadth-first order.
    pub fn reachable(&self) -> Vec<usize> {
        let (mut seen, mut order, mut at) =
            (vec![false; self.0.states.len()], vec![self.0.start], 0);
        seen[self.0.start] = true;
        while let Some(&state) = order.get(at) {
            for symbol in 0..self.0.symbols.len() {
                let next = self.next(state, symbol);
                if !std::mem::replace(&mut seen[next], true) {
                    order.push(next);
                }
            }
            at += 1;
        }
        order
    }
}

/// The neuron of a state and a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The state before the symbol.
    pub state: usize,
    /// The symbol read.
    pub symbol: usize,
    /// The cells connected to its input; every weight is 1.
    pub from: Vec<usize>,
    /// Whether the start neuron is connected to its input.
    pub first: bool,
}

/// A machine as a network of neurons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circuit {
    /// One per reachable state and symbol; the threshold of each is 2.
    pub cells: Vec<Cell>,
    /// For each output, or for acceptance if there are none, the cells connected to it; the
    /// threshold is 1.
    pub readouts: Vec<Vec<usize>>,
}

/// Firing neurons at one time step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeStep {
    /// Whether the start neuron fires.
    pub start: bool,
    /// Whether each cell fires.
    pub cells: Vec<bool>,
}

impl Circuit {
    /// Builds the network of a machine.
    pub fn of(machine: &Machine) -> Self {
        let (states, k) = (machine.reachable(), machine.0.symbols.len());
        // Cells by the state to which they lead.
        let mut leading = vec![Vec::new(); machine.0.states.len()];
        let places = || states.iter().flat_map(|&state| (0..k).map(move |symbol| (state, symbol)));
        for (at, (state, symbol)) in places().enumerate() {
            leading[machine.next(state, symbol)].push(at);
        }
        let cell = |(state, symbol): (usize, usize)| Cell {
            state,
            symbol,
            from: leading[state].clone(),
            first: state == machine.0.start,
        };
        let gives = |output: usize| {
            let of = |&(_, (state, symbol)): &(usize, (usize, usize))| match machine
                .output(state, symbol)
            {
                Some(own) => own == output,
                None => machine.accepts(machine.next(state, symbol)),
            };
            places().enumerate().filter(of).map(|(at, _)| at).collect()
        };
        let readouts = (0..machine.0.outputs.len().max(1)).map(gives).collect();
        Self { cells: places().map(cell).collect(), readouts }
    }

    /// Returns the time step before the first symbol.
    pub fn start(&self) -> TimeStep {
        TimeStep { start: true, cells: vec![false; self.cells.len()] }
    }

    /// Computes one time step from the previous firing neurons and the symbol.
    pub fn step(&self, before: &TimeStep, symbol: usize) -> TimeStep {
        let fires = |cell: &Cell| {
            let sum = cell.from.iter().filter(|at| before.cells[**at]).count()
                + usize::from(cell.first && before.start)
                + usize::from(cell.symbol == symbol);
            sum >= 2
        };
        TimeStep { start: false, cells: self.cells.iter().map(fires).collect() }
    }

    /// Returns which readouts fire, one step after a moment.
    pub fn read(&self, moment: &TimeStep) -> Vec<bool> {
        self.readouts.iter().map(|from| from.iter().any(|at| moment.cells[*at])).collect()
    }

    /// Returns the state of the machine at a moment: the successor state of the only firing cell.
    /// `None` unless exactly one cell fires.
    pub fn state(&self, machine: &Machine, moment: &TimeStep) -> Option<usize> {
        let mut firing = self.cells.iter().zip(&moment.cells).filter(|(_, fires)| **fires);
        match (moment.start, firing.next(), firing.next()) {
            (true, None, None) => Some(machine.0.start),
            (false, Some((cell, _)), None) => Some(machine.next(cell.state, cell.symbol)),
            _ => None,
        }
    }

    /// Verifies that the network simulates the machine on every word: one step from each possible
    /// moment, for each symbol. With one neuron firing, only its successors can reach the threshold
    /// 2, so only they are examined.
    pub fn verify(&self, machine: &Machine) -> bool {
        let n = self.cells.len();
        // Successors of each cell, with the start neuron last; and its readouts.
        let (mut successors, mut readouts) = (vec![Vec::new(); n + 1], vec![Vec::new(); n]);
        for (at, cell) in self.cells.iter().enumerate() {
            cell.from.iter().for_each(|from| successors[*from].push(at));
            if cell.first {
                successors[n].push(at);
            }
        }
        for (output, from) in self.readouts.iter().enumerate() {
            from.iter().for_each(|at| readouts[*at].push(output));
        }
        let right = |at: usize, state: usize, symbol: usize| {
            let fires = |group: &&[usize]| {
                group.len() + usize::from(self.cells[group[0]].symbol == symbol) >= 2
            };
            let mut firing = successors[at].chunk_by(|a, b| a == b).filter(fires);
            let (Some(one), None) = (firing.next(), firing.next()) else { return false };
            let (cell, next) = (&self.cells[one[0]], machine.next(state, symbol));
            let output_agrees = match machine.output(state, symbol) {
                Some(output) => readouts[one[0]] == [output],
                None => readouts[one[0]].is_empty() != machine.accepts(next),
            };
            output_agrees && machine.next(cell.state, cell.symbol) == next
        };
        let after = |at: usize| match self.cells.get(at) {
            Some(cell) => machine.next(cell.state, cell.symbol),
            None => machine.0.start,
        };
        (0..=n).all(|at| (0..machine.0.symbols.len()).all(|symbol| right(at, after(at), symbol)))
    }

    /// Returns cell `at` as a neuron: inputs are the cells, the start neuron and the symbols, in
    /// this order.
    pub fn neuron(&self, at: usize, symbols: usize) -> Neuron {
        let n = self.cells.len();
        let mut weights = vec![0; n + 1 + symbols];
        let cell = &self.cells[at];
        cell.from.iter().for_each(|from| weights[*from] = 1);
        weights[n] = i64::from(cell.first);
        weights[n + 1 + cell.symbol] = 1;
        Neuron { weights, threshold: 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsep_core::math::rng::Rng;

    fn names(prefix: &str, n: usize) -> Vec<String> {
        (0..n).map(|i| format!("{prefix}{i}")).collect()
    }

    fn random(rng: &mut Rng) -> Machine {
        let (q, k) = (1 + rng.below(7) as usize, 1 + rng.below(4) as usize);
        let o = rng.below(4) as usize;
        let mut draw = |n: usize| rng.below(n as u64) as usize;
        Machine::new(Parts {
            states: names("q", q),
            symbols: names("", k),
            start: draw(q),
            next: (0..q * k).map(|_| draw(q)).collect(),
            accept: (0..q).map(|_| draw(2) == 1).collect(),
            outputs: names("o", o),
            output: if o == 0 { Vec::new() } else { (0..q * k).map(|_| draw(o)).collect() },
        })
        .unwrap()
    }

    /// Random machines on random words: network and machine agree at every step.
    #[test]
    fn networks_simulate_their_machines() {
        for round in 0..300 {
            let mut rng = Rng::new(12, round);
            let machine = random(&mut rng);
            let circuit = Circuit::of(&machine);
            assert!(circuit.verify(&machine), "{machine:?}");
            let k = machine.symbols().len() as u64;
            let word: Vec<usize> = (0..30).map(|_| rng.below(k) as usize).collect();
            let states = machine.run(&word);
            let (mut moment, mut before) = (circuit.start(), machine.start());
            for (symbol, state) in word.into_iter().zip(states) {
                moment = circuit.step(&moment, symbol);
                assert_eq!(circuit.state(&machine, &moment), Some(state));
                let reads = circuit.read(&moment);
                match machine.output(before, symbol) {
                    Some(output) => assert!((0..reads.len()).all(|o| reads[o] == (o == output))),
                    None => assert_eq!(reads, [machine.accepts(state)]),
                }
                before = state;
            }
        }
    }

    /// A time step equals the evaluation of the neurons.
    #[test]
    fn cells_match_their_neurons() {
        let mut rng = Rng::new(13, 0);
        let machine = random(&mut rng);
        let circuit = Circuit::of(&machine);
        let moment = circuit.step(&circuit.start(), 0);
        let inputs: Vec<i64> = moment
            .cells
            .iter()
            .copied()
            .chain([moment.start])
            .chain((0..machine.symbols().len()).map(|a| a == 0))
            .map(i64::from)
            .collect();
        let next = circuit.step(&moment, 0);
        for (at, fires) in next.cells.iter().enumerate() {
            let neuron = circuit.neuron(at, machine.symbols().len());
            let sum: i64 = neuron.weights.iter().zip(&inputs).map(|(w, x)| w * x).sum();
            assert_eq!(sum >= neuron.threshold, *fires);
        }
    }

    #[test]
    fn altered_circuits_fail_verification() {
        let mut rng = Rng::new(14, 3);
        let machine = random(&mut rng);
        let circuit = Circuit::of(&machine);
        for at in 0..circuit.cells.len() {
            let mut broken = circuit.clone();
            let from = &mut broken.cells[at].from;
            if from.pop().is_some() {
                assert!(!broken.verify(&machine), "{at}");
            }
        }
    }

    #[test]
    fn invalid_machines_are_rejected() {
        let parts = Parts {
            states: names("q", 2),
            symbols: names("", 1),
            next: vec![1, 0],
            accept: vec![true, false],
            ..Parts::default()
        };
        assert!(Machine::new(parts.clone()).is_ok());
        let wrong = |change: fn(&mut Parts)| {
            let mut parts = parts.clone();
            change(&mut parts);
            Machine::new(parts).unwrap_err().to_string()
        };
        assert!(wrong(|p| p.next[0] = 2).contains("state numbers"));
        assert!(wrong(|p| p.start = 2).contains("state numbers"));
        assert!(
            wrong(|p| {
                p.next.pop();
            })
            .contains("transitions")
        );
        assert!(wrong(|p| p.states.clear()).contains("states and symbols"));
        assert!(wrong(|p| p.outputs.push("o".into())).contains("outputs"));
    }
}
