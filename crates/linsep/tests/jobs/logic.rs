//! Threshold functions: the lectures' gates, and the functions of two inputs.

use linsep::jobs::logic::{Function, ThresholdOutcome};
use linsep::logic::{Limits, ThresholdResult};

/// The lectures' gates, and the 14 threshold functions among the 16 functions of two inputs.
#[test]
fn fourteen_of_sixteen_functions_are_threshold_functions() {
    let limits = Limits::default();
    let mut threshold = 0;
    for code in 0..16 {
        let output = |row: usize| code >> row & 1 == 1;
        let bits: String = (0..4).map(|row| if output(row) { '1' } else { '0' }).collect();
        match Function::of_bits(&bits).unwrap().unwrap().decide(&limits).result {
            ThresholdResult::Threshold(found) => {
                assert!((0..4).all(|row| found.neuron.fires(row) == output(row)), "{bits}");
                threshold += 1;
            }
            ThresholdResult::Summable(found) => {
                assert!(found.ones.iter().all(|(row, _)| output(*row)), "{bits}");
                assert!(found.zeros.iter().all(|(row, _)| !output(*row)), "{bits}");
            }
            ThresholdResult::Undecided => panic!("{bits} is undecided"),
        }
    }
    assert_eq!(threshold, 14);
    let decide = |text| Function::of_expression(text).unwrap().decide(&limits);
    let ThresholdResult::Threshold(and) = decide("a & b").result else { panic!("AND") };
    // w0 = −1.5 lies between the sums 1 and 2.
    assert_eq!((and.neuron.weights.as_slice(), and.neuron.threshold), (&[1, 1][..], 2));
    assert_eq!(and.neuron.name(), Some("AND"));
    let ThresholdOutcome { function, result: ThresholdResult::Summable(xor), .. } = decide("a ^ b")
    else {
        panic!("XOR")
    };
    assert_eq!(function.row(xor.ones[0].0), "10");
}
