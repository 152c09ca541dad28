//! Any finite-state machine as threshold neurons with unit delays.
//!
//! A machine has states, symbols, a start and a transition δ(q, a) for every state and symbol. The network has one neuron for every state q that can be
//! reached and every symbol a. It fires at time t + 1 if at time t the machine is in q **and** reads a:
//!
//! ```text
//!   (q, a) at t+1   ⇔   Σ_{δ(p, b) = q} (p, b) at t  +  [a is read at t]  ≥  2
//! ```
//!
//! The machine is in q just after some (p, b) with δ(p, b) = q, so the sum is 1 in state q and 0 in any other; at the start, where no neuron has
//! fired yet, one *start* neuron that fires once stands for the first state. Every weight is 1 and every threshold 2: AND gates. An output
//! is an OR (threshold 1) over the transitions that give it, one step later.
//!
//! **It is right for every input, not only for those tried:** if just one neuron (p, b) fires and a is read, then just (δ(p, b), a) fires next.
//! [`Circuit::verify`] checks that for every neuron and every symbol; the rest is induction.
//!
//! Source: `McCulloch` & Pitts (1943); Minsky, *Computation: Finite and Infinite Machines* (1967), chapter 3.

use super::neuron::Neuron;
use crate::error::Error;

/// A machine. States, symbols and outputs are numbered in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    states: Vec<String>,
    symbols: Vec<String>,
    start: usize,
    /// δ(q, a) at q · symbols + a.
    next: Vec<usize>,
    accept: Vec<bool>,
    outputs: Vec<String>,
    /// The output of each transition, where there are outputs.
    output: Vec<usize>,
}

/// The parts a machine is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Names of the states.
    pub states: Vec<String>,
    /// Names of the symbols.
    pub symbols: Vec<String>,
    /// The state at the start.
    pub start: usize,
    /// δ(q, a) at q · symbols + a.
    pub next: Vec<usize>,
    /// Whether each state accepts.
    pub accept: Vec<bool>,
    /// Names of the outputs; may be none.
    pub outputs: Vec<String>,
    /// The output of each transition, if there are outputs.
    pub output: Vec<usize>,
}

/// Connections between neurons that a machine may take: states times symbols, each with as many as there are symbols, on average.
const MOST: usize = 1 << 24;

impl Machine {
    /// Puts a machine together.
    pub fn new(parts: Parts) -> Result<Self, Error> {
        let Parts { states, symbols, start, next, accept, outputs, output } = parts;
        let cells = states.len().saturating_mul(symbols.len());
        let shape = |what, got, want| {
            if got == want { Ok(()) } else { Err(Error::Shape { what, got, want }) }
        };
        if cells == 0 {
            return Err(Error::NothingThere { what: "states and symbols" });
        }
        let connections = cells.saturating_mul(symbols.len());
        if connections > MOST {
            return Err(Error::TooLarge { what: "connections", got: connections, most: MOST });
        }
        shape("transitions", next.len(), cells)?;
        shape("marks of states that accept", accept.len(), states.len())?;
        shape("outputs of transitions", output.len(), if outputs.is_empty() { 0 } else { cells })?;
        let beyond = |what, list: &[usize], most: usize| {
            list.iter()
                .find(|v| **v >= most)
                .map_or(Ok(()), |&got| Err(Error::TooLarge { what, got, most: most - 1 }))
        };
        beyond("state numbers", &next, states.len())?;
        beyond("state numbers", &[start], states.len())?;
        beyond("output numbers", &output, outputs.len().max(1))?;
        Ok(Self { states, symbols, start, next, accept, outputs, output })
    }

    /// Names of the states.
    pub fn states(&self) -> &[String] {
        &self.states
    }

    /// Names of the symbols.
    pub fn symbols(&self) -> &[String] {
        &self.symbols
    }

    /// Names of the outputs; none where the machine only accepts.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The state at the start.
    pub fn start(&self) -> usize {
        self.start
    }

    /// δ(q, a).
    pub fn next(&self, state: usize, symbol: usize) -> usize {
        self.next[state * self.symbols.len() + symbol]
    }

    /// The output of a transition, if the machine has outputs.
    pub fn output(&self, state: usize, symbol: usize) -> Option<usize> {
        self.output.get(state * self.symbols.len() + symbol).copied()
    }

    /// Whether a state accepts.
    pub fn accepts(&self, state: usize) -> bool {
        self.accept[state]
    }

    /// The states after each symbol of a word.
    pub fn run(&self, word: &[usize]) -> Vec<usize> {
        let step = |state: &mut usize, symbol: &usize| {
            *state = self.next(*state, *symbol);
            Some(*state)
        };
        word.iter().scan(self.start, step).collect()
    }

    /// The states that can be reached, in the order in which they are met.
    pub fn reachable(&self) -> Vec<usize> {
        let (mut seen, mut order, mut at) = (vec![false; self.states.len()], vec![self.start], 0);
        seen[self.start] = true;
        while let Some(&state) = order.get(at) {
            for symbol in 0..self.symbols.len() {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The state before.
    pub state: usize,
    /// The symbol read.
    pub symbol: usize,
    /// The cells it listens to; every weight is 1.
    pub from: Vec<usize>,
    /// Whether it listens to the start neuron.
    pub first: bool,
}

/// A machine as neurons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    /// One per reachable state and symbol; the threshold of each is 2.
    pub cells: Vec<Cell>,
    /// For each output, or for "accepts" where there are none, the cells it listens to; the threshold is 1.
    pub readouts: Vec<Vec<usize>>,
}

/// What fires at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Whether the start neuron does.
    pub start: bool,
    /// Which cells do.
    pub cells: Vec<bool>,
}

impl Circuit {
    /// The network of a machine.
    pub fn of(machine: &Machine) -> Self {
        let (states, k) = (machine.reachable(), machine.symbols.len());
        // Cells by the state they lead to.
        let mut leading = vec![Vec::new(); machine.states.len()];
        let places = || states.iter().flat_map(|&state| (0..k).map(move |symbol| (state, symbol)));
        for (at, (state, symbol)) in places().enumerate() {
            leading[machine.next(state, symbol)].push(at);
        }
        let cell = |(state, symbol): (usize, usize)| Cell {
            state,
            symbol,
            from: leading[state].clone(),
            first: state == machine.start,
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
        let readouts = (0..machine.outputs.len().max(1)).map(gives).collect();
        Self { cells: places().map(cell).collect(), readouts }
    }

    /// The moment before the first symbol.
    pub fn start(&self) -> Moment {
        Moment { start: true, cells: vec![false; self.cells.len()] }
    }

    /// One step of time: every neuron sees what fired before, and the symbol.
    pub fn step(&self, before: &Moment, symbol: usize) -> Moment {
        let fires = |cell: &Cell| {
            let sum = cell.from.iter().filter(|at| before.cells[**at]).count()
                + usize::from(cell.first && before.start)
                + usize::from(cell.symbol == symbol);
            sum >= 2
        };
        Moment { start: false, cells: self.cells.iter().map(fires).collect() }
    }

    /// Which read-outs fire, one step after a moment.
    pub fn read(&self, moment: &Moment) -> Vec<bool> {
        self.readouts.iter().map(|from| from.iter().any(|at| moment.cells[*at])).collect()
    }

    /// The state that a moment stands for: that after the one cell that fires. `None` where not just one does.
    pub fn state(&self, machine: &Machine, moment: &Moment) -> Option<usize> {
        let mut firing = self.cells.iter().zip(&moment.cells).filter(|(_, fires)| **fires);
        match (moment.start, firing.next(), firing.next()) {
            (true, None, None) => Some(machine.start),
            (false, Some((cell, _)), None) => Some(machine.next(cell.state, cell.symbol)),
            _ => None,
        }
    }

    /// Whether it does what the machine does for every word: the step from each moment that can be, by each symbol. With one
    /// neuron firing, only those that listen to it can reach 2, so only those are looked at.
    pub fn verify(&self, machine: &Machine) -> bool {
        let n = self.cells.len();
        // Who listens to each cell, and last to the start; and which read-outs do.
        let (mut listeners, mut heard) = (vec![Vec::new(); n + 1], vec![Vec::new(); n]);
        for (at, cell) in self.cells.iter().enumerate() {
            cell.from.iter().for_each(|from| listeners[*from].push(at));
            if cell.first {
                listeners[n].push(at);
            }
        }
        for (output, from) in self.readouts.iter().enumerate() {
            from.iter().for_each(|at| heard[*at].push(output));
        }
        let right = |at: usize, state: usize, symbol: usize| {
            let fires = |group: &&[usize]| {
                group.len() + usize::from(self.cells[group[0]].symbol == symbol) >= 2
            };
            let mut firing = listeners[at].chunk_by(|a, b| a == b).filter(fires);
            let (Some(one), None) = (firing.next(), firing.next()) else { return false };
            let (cell, next) = (&self.cells[one[0]], machine.next(state, symbol));
            let told = match machine.output(state, symbol) {
                Some(output) => heard[one[0]] == [output],
                None => heard[one[0]].is_empty() != machine.accepts(next),
            };
            told && machine.next(cell.state, cell.symbol) == next
        };
        let after = |at: usize| match self.cells.get(at) {
            Some(cell) => machine.next(cell.state, cell.symbol),
            None => machine.start,
        };
        (0..=n).all(|at| (0..machine.symbols.len()).all(|symbol| right(at, after(at), symbol)))
    }

    /// Cell `at` as a neuron: inputs are the cells, the start neuron and the symbols, in this order.
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
    use crate::math::rng::Rng;

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

    /// Random machines on random words: the network says what the machine says, at every step.
    #[test]
    fn networks_do_what_their_machines_do() {
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

    /// A step is what the neurons with their weights say.
    #[test]
    fn cells_are_neurons() {
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
    fn a_broken_circuit_is_found_out() {
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
    fn machines_that_make_no_sense_are_refused() {
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
