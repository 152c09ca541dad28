//! Threshold logic: which Boolean functions one neuron computes, and networks of neurons for the rest.
//!
//! On inputs that are 0 or 1 a plane is a McCulloch–Pitts neuron: it fires where w·x ≥ T. A neuron can be AND, OR, NOT and so much
//! of all Boolean functions as planes can separate; networks of them can be every Boolean function, and with delays every
//! finite-state machine.
//!
//! * [`Truth`]: a function as its table; [`Expression`]: as a text; [`Facts`]: Chow parameters, unate and symmetric inputs
//! * [`decide`]: is it a threshold function? With the least weights, or with a [`Summable`] set that proves that it is not
//! * [`network()`]: one neuron, or two layers with as few hidden neurons as are found
//! * [`count()`]: how many threshold functions of n inputs there are
//! * [`automaton`]: finite-state machines as neurons with delays
//!
//! Everything is in whole numbers, and every answer is checked on the whole table before it is given.
//!
//! ```
//! use linsep::logic::{Expression, Limits, Verdict, decide};
//!
//! let or = Expression::parse("x1 | x2")?.truth;
//! let Verdict::Threshold(found) = decide(&or, &Limits::default()) else { panic!() };
//! assert_eq!((&found.neuron.weights[..], found.neuron.threshold), (&[1, 1][..], 1));
//!
//! let xor = Expression::parse("x1 ^ x2")?.truth;
//! let Verdict::Summable(proof) = decide(&xor, &Limits::default()) else { panic!() };
//! assert!(proof.holds(&xor));
//! # Ok::<(), linsep::Error>(())
//! ```

pub mod automaton;
mod canonical;
pub mod count;
mod expression;
mod facts;
mod lists;
mod network;
mod neuron;
mod small;
mod summable;
mod threshold;
mod truth;

pub use count::{Count, count};
pub use expression::Expression;
pub use facts::{Facts, Unate};
pub use network::{MOST_INPUTS as MOST_NETWORK_INPUTS, Network, Proof, network};
pub use neuron::Neuron;
pub use summable::Summable;
pub use threshold::{Least, Limits, Verdict, decide};
pub use truth::{MOST_INPUTS, Truth};
