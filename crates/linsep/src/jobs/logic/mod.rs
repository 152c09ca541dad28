//! Threshold logic: Boolean functions and automata as neurons with thresholds.

mod automaton;
mod count;

pub use automaton::{Automaton, AutomatonOutcome, Step};
pub use count::{CountOutcome, CountThresholdFunctions, Counted};

use crate::error::Error;
use linsep_logic::{
    Expression, Facts, Limits, Network, ThresholdResult, TruthTable, decide, network,
};
use serde::{Deserialize, Serialize};

/// A Boolean function with names for its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Function as given by the user.
    pub text: String,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Its table.
    pub truth: TruthTable,
}

impl Function {
    /// Parses a truth table in bits or hexadecimal; `None` if the text is none.
    pub fn of_bits(text: &str) -> Option<Result<Self, Error>> {
        let function = |truth: TruthTable| Self {
            text: text.to_owned(),
            inputs: (1..=truth.inputs()).map(|j| format!("x{j}")).collect(),
            truth,
        };
        Some(TruthTable::parse(text)?.map(function).map_err(Error::from))
    }

    /// Parses an expression.
    pub fn of_expression(text: &str) -> Result<Self, Error> {
        let Expression { inputs, truth } = Expression::parse(text)?;
        Ok(Self { text: text.to_owned(), inputs, truth })
    }

    /// The inputs of a row as text: `011`.
    pub fn row(&self, row: usize) -> String {
        self.truth.row(row).iter().map(ToString::to_string).collect()
    }

    /// Decides whether the function is a threshold function.
    pub fn decide(self, limits: &Limits) -> ThresholdOutcome {
        let (facts, result) = (Facts::of(&self.truth), decide(&self.truth, limits));
        ThresholdOutcome { function: self, facts, result }
    }

    /// Builds a network of neurons that computes the function.
    pub fn network(self, limits: &Limits) -> Result<NetworkOutcome, Error> {
        let network = network(&self.truth, limits)?;
        Ok(NetworkOutcome { function: self, network, file: None })
    }
}

/// Whether a Boolean function is a threshold function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdOutcome {
    /// The function.
    pub function: Function,
    /// Its properties.
    pub facts: Facts,
    /// A neuron, or a proof that there is none.
    pub result: ThresholdResult,
}

/// A network of neurons that computes a Boolean function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkOutcome {
    /// The function.
    pub function: Function,
    /// The network.
    pub network: Network,
    /// File of the drawing, if it was written.
    pub file: Option<String>,
}

impl NetworkOutcome {
    /// Names of the hidden neurons: h1, h2, …
    pub fn hidden_names(&self) -> Vec<String> {
        (1..=self.network.hidden.len()).map(|i| format!("h{i}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again<T: Serialize + for<'de> Deserialize<'de>>(outcome: &T) -> T {
        serde_json::from_slice(&serde_json::to_vec(outcome).unwrap()).unwrap()
    }

    #[test]
    fn saved_outcomes_of_all_functions_of_three_inputs_are_the_same() {
        let limits = Limits::default();
        for bits in 0..256 {
            let function = Function::of_bits(&format!("{bits:08b}")).unwrap().unwrap();
            let decided = function.clone().decide(&limits);
            assert_eq!(again(&decided), decided, "{bits:08b}");
            let network = function.network(&limits).unwrap();
            assert_eq!(again(&network), network, "{bits:08b}");
        }
    }

    #[test]
    fn a_table_of_too_many_inputs_is_refused() {
        let table = serde_json::from_str::<TruthTable>("{\"n\": 64, \"words\": [1]}");
        assert!(table.is_err(), "2⁶⁴ rows do not fit into memory");
    }
}
