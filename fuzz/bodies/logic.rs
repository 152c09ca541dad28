//! Threshold logic: expressions, truth tables, finite-state machines.

use linsep::io::{ReadOptions, Source};
use linsep::logic::automaton::Circuit;
use linsep::logic::{Expression, Limits, ThresholdResult, TruthTable, decide};
use linsep::{read_machine, read_truth};

/// Parses a Boolean expression. Valid expressions have the same truth table after printing and
/// parsing; errors point at the position, on one line.
pub(crate) fn expression(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Expression::parse(&text) {
        Ok(Expression { inputs, truth }) => {
            assert_eq!(inputs.len(), truth.inputs());
            assert_eq!(TruthTable::parse(&truth.bits()), Some(Ok(truth.clone())));
            if truth.inputs() >= 2 {
                assert_eq!(TruthTable::parse(&truth.hex()), Some(Ok(truth.clone())));
            }
            if truth.inputs() <= 4 {
                check_threshold(&truth);
            }
        }
        Err(linsep::logic::Error::Expression { excerpt, caret, column, .. }) => {
            assert!((1..=text.chars().count() + 1).contains(&column));
            assert!((1..=excerpt.chars().count() + 1).contains(&caret));
            assert!(!excerpt.contains(char::is_control));
        }
        Err(other) => assert!(!other.to_string().is_empty()),
    }
    let _ = TruthTable::parse(&text);
}

/// Reads a truth table, as text and as a file. Both forms print the same, and the table differs
/// from its negation.
pub(crate) fn truth(data: &[u8]) {
    let read = |block, target| {
        let mut options = ReadOptions::default();
        options.csv.limits.block = block;
        read_truth(Source::from_bytes("t", data), target, &options).map_err(|e| e.to_string())
    };
    let file = read(1 << 20, None);
    assert_eq!(read(3, None), file);
    match file {
        Ok((inputs, truth)) => assert_eq!(inputs.len(), truth.inputs()),
        Err(error) => assert!(!error.contains(char::is_control), "{error:?}"),
    }
    let _ = read(1 << 20, Some("b"));

    let text = String::from_utf8_lossy(data);
    match TruthTable::parse(&text) {
        Some(Ok(truth)) => {
            assert_eq!(TruthTable::parse(&truth.bits()), Some(Ok(truth.clone())));
            if truth.inputs() >= 2 {
                assert_eq!(TruthTable::parse(&truth.hex()), Some(Ok(truth.clone())));
            }
            assert_eq!(truth.ones() + truth.not().ones(), truth.rows());
            assert_eq!(truth.not().not(), truth);
            if truth.inputs() <= 4 {
                check_threshold(&truth);
            }
        }
        Some(Err(error)) => assert!(!error.to_string().contains(char::is_control)),
        None => {}
    }
}

/// Checks that a small function is a threshold function, with weights, or proved not to be one.
fn check_threshold(truth: &TruthTable) {
    match decide(truth, &Limits::default()) {
        ThresholdResult::Threshold(least) => assert!(least.neuron.computes(truth)),
        ThresholdResult::Summable(summable) => assert!(summable.holds(truth)),
        ThresholdResult::Undecided => panic!("small functions are decided"),
    }
}

/// Reads a finite-state machine; the synthesized network has the same behavior.
pub(crate) fn machine(data: &[u8]) {
    if let Ok(machine) = read_machine(Source::from_bytes("m", data))
        && machine.states().len() * machine.symbols().len() <= 256
    {
        assert!(Circuit::of(&machine).verify(&machine));
    }
}
