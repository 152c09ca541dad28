//! `logic`: the lectures' gates, counts, networks and automata.

use crate::harness::{Sandbox, assert_session};
use std::fs;

/// Runs `linsep logic COMMAND FUNCTION`, where the function may contain blanks.
fn session(desk: &Sandbox, command: &str, function: &str, more: &[&str]) -> String {
    let args: Vec<&str> =
        ["logic", command, function].into_iter().chain(more.iter().copied()).collect();
    let run = desk.run_with(&args, "");
    format!(
        "$ linsep logic {command} '{function}'\nexit code {}\n{}{}",
        run.code, run.stdout, run.stderr
    )
}

fn json(desk: &Sandbox, command: &str, function: &str) -> serde_json::Value {
    let run = desk.run_with(&["logic", command, function, "--json"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn threshold_functions_and_proofs_of_the_contrary() {
    let desk = Sandbox::new();
    for (name, function) in [
        ("nor_and", "x1 & !(x2 | x3)"),
        ("xor", "x1 ^ x2"),
        ("majority", "maj(a, b, c) | d & e"),
        ("hexadecimal", "0x7f"),
        ("table", "xor.csv"),
        ("constant", "a | !a"),
    ] {
        let session = session(&desk, "threshold", function, &[]);
        insta::assert_snapshot!(format!("threshold_{name}"), session);
    }
}

#[test]
fn invalid_functions_are_refused_with_location() {
    let desk = Sandbox::new();
    desk.file("part.csv", "a,b,f\n0,0,1\n0,1,0\n1,1,1\n");
    desk.file("odd.csv", "a,b,f\n0,0,1\n0,2,0\n1,0,1\n1,1,1\n");
    desk.file("twice.csv", "a,f\n0,1\n1,0\n1,1\n");
    for (name, function) in [
        ("missing_operand", "x1 & (x2 | )"),
        ("unknown_operator", "x1 $ x2"),
        ("three_bits", "011"),
        ("missing_row", "part.csv"),
        ("cell_of_another_value", "odd.csv"),
        ("repeated_row", "twice.csv"),
        ("missing_file", "nowhere.csv"),
    ] {
        let session = session(&desk, "threshold", function, &[]);
        insta::assert_snapshot!(format!("threshold_{name}"), session);
    }
}

#[test]
fn networks_compute_other_functions() {
    let desk = Sandbox::new();
    insta::assert_snapshot!("network_xor", session(&desk, "network", "a ^ b", &["-o", "xor.svg"]));
    insta::assert_snapshot!("network_parity", session(&desk, "network", "a ^ b ^ c", &[]));
    insta::assert_snapshot!(
        "network_or_of_ands",
        session(&desk, "network", "a & b | c & d", &["-o", "or.png"])
    );
    insta::assert_snapshot!("network_and", session(&desk, "network", "a & b", &[]));
    assert_eq!(desk.files(), ["or.png", "xor.svg"]);
    let svg = fs::read_to_string(desk.path("xor.svg")).unwrap();
    for words in ["h1: NAND", "h2: OR", "output: AND", "Hyperplanes of the neurons", "output 1"] {
        assert!(svg.contains(&format!(">{words}</text>")), "{words}");
    }
    let again = desk.run_with(&["logic", "network", "a ^ b", "-o", "-"], "");
    assert_eq!(again.stdout, svg, "the same on stdout");
    let json = json(&desk, "network", "a ^ b");
    assert_eq!((&json["minimal"], &json["hidden"][0]["name"]), (&true.into(), &"NAND".into()));
}

#[test]
fn counts_are_within_the_bound_of_the_lectures() {
    let desk = Sandbox::new();
    let counted = desk.json("logic count 6");
    let numbers: Vec<u64> = counted["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["functions"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [2, 4, 14, 104, 1_882, 94_572, 15_028_134]);
    assert_eq!(
        (&counted["bound"], &counted["all"]),
        (&"68719476736".into(), &"18446744073709551616".into())
    );
    assert_eq!(desk.run("logic count 9").code, 2);
    // The last paragraph contains a time, which a snapshot cannot.
    let text = desk.run("logic count 4").stdout;
    let (table, _) = text.split_once("\n\n").unwrap();
    insta::assert_snapshot!("count_4", table);
}

#[test]
fn automata_and_their_networks_agree() {
    let desk = Sandbox::new();
    desk.file("mealy.json", r#"{"start": "idle", "transitions": [
        {"from": "idle", "on": "coin", "to": "paid", "output": "wait"}, {"from": "idle", "on": "push", "to": "idle", "output": "stay"},
        {"from": "paid", "on": "coin", "to": "paid", "output": "back"}, {"from": "paid", "on": "push", "to": "idle", "output": "go"}]}"#);
    desk.file("hole.csv", "state,input,next\nA,0,A\nA,1,B\nB,0,A\n");
    assert_session!(desk, "logic automaton parity-machine.csv --input 101101");
    assert_session!(desk, "logic automaton parity-machine.csv");
    assert_session!(desk, "logic automaton mealy.json --input push,coin,coin,push");
    assert_session!(desk, "logic automaton hole.csv");
    assert_session!(desk, "logic automaton parity-machine.csv --input 102");
    let json = desk.json("logic automaton parity-machine.csv --input 0110");
    assert_eq!((&json["verified"], &json["agree"]), (&true.into(), &true.into()));
    assert_eq!(json["steps"][3]["network"], "even");
}
