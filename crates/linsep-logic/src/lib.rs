//! Threshold logic: Boolean functions of a single neuron, and networks of neurons for all others.
//!
//! On inputs that are 0 or 1 a hyperplane is a McCulloch–Pitts neuron: it fires if w·x ≥ T. A
//! neuron computes AND, OR, NOT and every other linearly separable Boolean function. Networks of
//! neurons compute every Boolean function, and with delays every finite-state machine.
//!
//! * [`TruthTable`]: a function as its table; [`Expression`]: as a formula; [`Facts`]: Chow
//!   parameters, unate and symmetric inputs
//! * [`decide`]: decides whether a function is a threshold function, with minimal weights or with a
//!   [`Summable`] set that proves the contrary
//! * [`network()`]: one neuron, or two layers with few hidden neurons
//! * [`count()`]: the number of threshold functions of n inputs
//! * [`automaton`]: finite-state machines as neurons with delays
//!
//! All computations use integers, and every result is verified on the whole table.
//!
//! ```
//! use linsep_logic::{Expression, Limits, ThresholdResult, decide};
//!
//! let or = Expression::parse("x1 | x2")?.truth;
//! let ThresholdResult::Threshold(found) = decide(&or, &Limits::default()) else { panic!() };
//! assert_eq!((&found.neuron.weights[..], found.neuron.threshold), (&[1, 1][..], 1));
//!
//! let xor = Expression::parse("x1 ^ x2")?.truth;
//! let ThresholdResult::Summable(proof) = decide(&xor, &Limits::default()) else { panic!() };
//! assert!(proof.holds(&xor));
//! # Ok::<(), linsep_logic::Error>(())
//! ```

pub mod automaton;
mod canonical;
pub mod count;
pub mod error;
mod expression;
mod facts;
mod lists;
mod network;
mod neuron;
mod parser;
mod small;
mod summable;
mod threshold;
mod truth;

pub use count::{Count, count};
pub use error::Error;
pub use expression::Expression;
pub use facts::{Facts, Unate};
pub use network::{MOST_INPUTS as MOST_NETWORK_INPUTS, Network, Proof, network};
pub use neuron::Neuron;
pub use summable::Summable;
pub use threshold::{Limits, MinimalNeuron, ThresholdResult, decide};
pub use truth::{MOST_INPUTS, TruthTable};
