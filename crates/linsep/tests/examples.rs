//! The programs in `examples`: each runs, and the facts that it prints hold.

#![allow(clippy::unwrap_used, unreachable_pub)] // tests may unwrap; each program has a main

use std::cell::RefCell;

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Collects what a program prints; the programs below see this macro instead of that of std.
macro_rules! println {
    ($($text:tt)*) => {{
        let line = format!($($text)*);
        crate::PRINTED.with_borrow_mut(|all| *all += &(line + "\n"));
    }};
}

#[path = "../examples/certificate.rs"]
mod certificate;
#[path = "../examples/many_classes.rs"]
mod many_classes;
#[path = "../examples/own_observer.rs"]
mod own_observer;
#[path = "../examples/quickstart.rs"]
mod quickstart;
#[path = "../examples/separation_proof.rs"]
mod separation_proof;
#[path = "../examples/streaming_scores.rs"]
mod streaming_scores;

/// What a program printed, line by line.
fn lines(program: fn() -> Result<(), linsep::Error>) -> Vec<String> {
    program().unwrap();
    let printed = PRINTED.take();
    eprintln!("{printed}");
    printed.lines().map(str::to_owned).collect()
}

/// The numbers of a line.
fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().filter_map(|word| word.trim_end_matches('.').parse().ok()).collect()
}

#[test]
fn quickstart_prints_a_certificate_and_labeled_probabilities() {
    let lines = lines(quickstart::main);
    assert!(lines[0].starts_with("objective at most ") && lines[0].contains("above the optimum"));
    assert!(lines[1].ends_with("training predictions certified equal to the optimum's"));
    let table = &lines[3..];
    assert_eq!(
        table[0].split_whitespace().collect::<Vec<_>>(),
        ["setosa", "versicolor", "virginica"]
    );
    for (row, class) in table[1..].iter().zip(0..3) {
        let p = numbers(row);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-3, "{row}");
        assert!(p.iter().all(|other| *other <= p[class]), "row {row} is of class {class}");
    }
    assert_eq!(table.len(), 4);
}

#[test]
fn certificates_of_different_runs_enclose_the_same_minimum() {
    let lines = lines(certificate::main);
    let gaps: Vec<f64> = lines[1..5].iter().map(|line| numbers(line)[1]).collect();
    let certified: Vec<f64> = lines[1..5].iter().map(|line| numbers(line)[2]).collect();
    for (loose, tight) in [(0, 1), (2, 3)] {
        assert!(gaps[tight] <= 1e-9 && gaps[loose] > gaps[tight], "{gaps:?}");
        assert!(certified[tight] >= certified[loose] && certified[tight] <= 150.0);
    }
    let ends = numbers(lines.last().unwrap());
    assert!(ends[0] <= ends[1] && ends[1] - ends[0] < 1e-6, "{ends:?}");
}

#[test]
fn separation_of_xor_is_disproved_and_the_proof_is_bound_to_its_data() {
    let lines = lines(separation_proof::main);
    assert_eq!(lines[0], "XOR is a case of overlap.");
    let rows: Vec<&String> = lines.iter().filter(|line| line.contains("× row")).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|line| line.trim().starts_with("0.25 ×")), "{rows:?}");
    assert!(lines.contains(&"The checker confirms: overlap.".to_owned()));
    let refusal = lines.last().unwrap();
    assert!(refusal.len() > "For AND the checker says: ".len(), "{refusal}");
}

#[test]
fn an_observer_ends_a_run_once_the_gap_is_small_enough() {
    let lines = lines(own_observer::main);
    let gaps: Vec<f64> = lines
        .iter()
        .filter(|line| line.starts_with("epoch"))
        .map(|line| numbers(line)[1])
        .collect();
    let (last, earlier) = gaps.split_last().unwrap();
    assert!(*last <= 0.01 && earlier.iter().all(|gap| *gap > 0.01), "{gaps:?}");
    assert!(lines.iter().any(|line| line.starts_with("The run was interrupted after")));
    assert!(lines.iter().any(|line| line.starts_with("objective at most")));
}

#[test]
fn a_stream_is_scored_in_blocks_without_losing_a_row() {
    let lines = lines(streaming_scores::main);
    let head = numbers(&lines[0]);
    assert_eq!(head[0], 100_000.0);
    assert!(head[1] > 1.0, "more than one block: {head:?}");
    let counts: Vec<f64> = lines[1..].iter().map(|line| numbers(line)[0]).collect();
    assert_eq!((counts.len(), counts.iter().sum::<f64>()), (3, 100_000.0));
}

#[test]
fn schemes_have_their_number_of_hyperplanes() {
    let lines = lines(many_classes::main);
    let planes = |scheme: &str| {
        let line = lines.iter().find(|line| line.starts_with(&format!("{scheme} "))).unwrap();
        let numbers = numbers(line);
        assert!(numbers[1] <= 100.0);
        numbers[0]
    };
    assert_eq!(planes("softmax"), 10.0);
    assert_eq!(planes("one-vs-rest"), 10.0);
    assert_eq!(planes("one-vs-rest-but-last"), 9.0);
    assert_eq!(planes("one-vs-one"), 45.0);
    assert_eq!(planes("crammer-singer"), 10.0);
    assert_eq!(planes("winner-take-all"), 10.0);
    assert_eq!(planes("kesler"), 10.0);
}
