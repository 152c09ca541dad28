//! Finite-state machines from files: tables as CSV, or JSON.
//!
//! **A table of states by symbols**, as in textbooks. `->` marks the start and `*` the accepting
//! states; a column called `output` has the output of a state:
//!
//! ```text
//!   state,0,1              state,input,next,output
//!   ->*even,even,odd       A,0,A,no
//!   odd,odd,even           A,1,B,yes
//! ```
//!
//! **A list of transitions**, with columns called `state` (or `from`), `input` (`symbol`, `on`),
//! `next` (`to`) and optionally `output`: the output of the transition. Without a mark the first
//! state is the start.
//!
//! **JSON**, where `accept` and `output` are optional:
//!
//! ```text
//!   {"start": "A", "accept": ["B"],
//!    "transitions": [{"from": "A", "on": "0", "to": "B", "output": "x"}, …]}
//! ```
//!
//! Every state and symbol has exactly one next state: missing and duplicate transitions are errors.

use crate::error::{Error, foreign};
use linsep_io::csv::{CsvOptions, Force, read_csv};
use linsep_io::location::{Location, quoted_excerpt};
use linsep_io::source::Source;
use linsep_io::table::{MISSING, Table, Values};
use linsep_logic::automaton::{Machine, Parts};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// Maximum length of a machine file, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// A transition as written in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transition {
    from: String,
    on: String,
    to: String,
    output: Option<String>,
}

/// A machine as written in the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    start: Option<String>,
    #[serde(default)]
    accept: Vec<String>,
    transitions: Vec<Transition>,
}

/// Remedy of faulty machines.
const ONE_NEXT_STATE: &str = "A machine has one next state per state and symbol.";

/// Returns the error for a file that is no machine.
fn wrong(name: &str, problem: &str) -> Error {
    Error::data(Location::file(name), format!("{problem}. {ONE_NEXT_STATE}"))
}

/// Reads a machine.
pub fn read_machine(mut source: Source) -> Result<Machine, Error> {
    let name = source.name().to_owned();
    let mut bytes = Vec::new();
    let read = source.pass(false)?.take(MOST_BYTES).read_to_end(&mut bytes);
    read.map_err(|e| Error::from_io(&name, e))?;
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let written = if first == Some(&b'{') {
        serde_json::from_slice(&bytes)
            .map_err(|e| wrong(&name, &format!("invalid machine in JSON ({})", foreign(e))))?
    } else {
        from_table(&words(&name, &bytes)?)?
    };
    build(&name, &written)
}

/// Returns the table with every cell as text.
fn words(name: &str, bytes: &[u8]) -> Result<Table, Error> {
    let missing = vec![String::new()];
    let mut options = CsvOptions { header: Some(true), missing, ..CsvOptions::default() };
    let typed = read_csv(Source::from_bytes(name, bytes), &options)?;
    options.force = typed.columns.into_iter().map(|c| (c.name, Force::Categorical)).collect();
    Ok(read_csv(Source::from_bytes(name, bytes), &options)?)
}

/// Returns the index of the column with one of these names.
fn called(table: &Table, names: &[&str]) -> Option<usize> {
    table.columns.iter().position(|c| names.contains(&c.name.trim().to_lowercase().as_str()))
}

fn from_table(table: &Table) -> Result<Written, Error> {
    let state = called(table, &["state", "from"]);
    let input = called(table, &["input", "symbol", "on"]);
    let next = called(table, &["next", "to"]);
    let output = called(table, &["output"]);
    match (state, input, next) {
        (Some(state), Some(input), Some(next)) => list(table, [state, input, next], output),
        _ => matrix(table, output),
    }
}

/// Returns a cell without surrounding blanks.
fn cell(table: &Table, row: usize, column: usize) -> Result<&str, Error> {
    let own = &table.columns[column];
    let empty =
        || Error::missing_cell(table, own, "a state, a symbol or an output", ONE_NEXT_STATE);
    match &own.values {
        Values::Categorical { codes, levels } if codes[row] != MISSING => {
            Ok(levels[codes[row] as usize].trim())
        }
        _ => Err(empty()),
    }
}

/// Returns the name of a state without its marks, which are recorded in `written`.
fn unmarked(text: &str, written: &mut Written) -> String {
    let (mut rest, mut start, mut accept) = (text.trim(), false, false);
    loop {
        rest = if let Some(next) = ["->", "→", ">"].iter().find_map(|mark| rest.strip_prefix(mark))
        {
            start = true;
            next.trim_start()
        } else if let Some(next) = rest.strip_prefix('*') {
            accept = true;
            next.trim_start()
        } else {
            break;
        };
    }
    if start {
        written.start = Some(rest.to_owned());
    }
    if accept {
        written.accept.push(rest.to_owned());
    }
    rest.to_owned()
}

fn list(
    table: &Table,
    [state, input, next]: [usize; 3],
    output: Option<usize>,
) -> Result<Written, Error> {
    let mut written = Written::default();
    for row in 0..table.rows {
        let from = unmarked(cell(table, row, state)?, &mut written);
        let on = cell(table, row, input)?.to_owned();
        let to = cell(table, row, next)?.to_owned();
        let output =
            output.map(|output| cell(table, row, output).map(str::to_owned)).transpose()?;
        written.transitions.push(Transition { from, on, to, output });
    }
    Ok(written)
}

fn matrix(table: &Table, output: Option<usize>) -> Result<Written, Error> {
    let mut written = Written::default();
    let mut states = Vec::new();
    for row in 0..table.rows {
        states.push(unmarked(cell(table, row, 0)?, &mut written));
    }
    let mut outputs = BTreeMap::new();
    if let Some(output) = output {
        for (row, state) in states.iter().enumerate() {
            outputs.insert(state.clone(), cell(table, row, output)?.to_owned());
        }
    }
    for (row, from) in states.iter().enumerate() {
        for column in (1..table.columns.len()).filter(|column| Some(*column) != output) {
            let to = cell(table, row, column)?.to_owned();
            let on = table.columns[column].name.trim().to_owned();
            // The output of a state is the output of every transition into it.
            let output = outputs.get(&to).cloned();
            written.transitions.push(Transition { from: from.clone(), on, to, output });
        }
    }
    Ok(written)
}

/// Names, numbered in order of first occurrence.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

fn build(name: &str, written: &Written) -> Result<Machine, Error> {
    let bad = |problem: String| wrong(name, &problem);
    let (mut states, mut symbols, mut outputs) =
        (Names::default(), Names::default(), Names::default());
    for t in &written.transitions {
        states.number(&t.from);
        symbols.number(&t.on);
    }
    let known = |state: &str, what: &str| {
        states.numbers.get(state).copied().ok_or_else(|| {
            bad(format!("{what} {}, which has no transitions", quoted_excerpt(state)))
        })
    };
    if written.transitions.is_empty() {
        return Err(bad("no transitions".to_owned()));
    }
    // The check precedes the allocation of a table with all cells, which may be huge.
    require_one_next_state(&written.transitions, &symbols.list).map_err(bad)?;

    let with_output = written.transitions.iter().filter(|t| t.output.is_some()).count();
    if with_output != 0 && with_output != written.transitions.len() {
        return Err(bad("some transitions have an output and others have none".to_owned()));
    }
    let cells = states.list.len() * symbols.list.len();
    let (mut next, mut output) = (vec![0; cells], vec![0; cells]);
    for t in &written.transitions {
        let at = states.numbers[&t.from] * symbols.list.len() + symbols.numbers[&t.on];
        next[at] = known(&t.to, "a transition leads to state")?;
        if let Some(text) = &t.output {
            output[at] = outputs.number(text);
        }
    }
    let start = match &written.start {
        Some(start) => known(start, "the start state is")?,
        None => 0,
    };
    let mut accept = vec![false; states.list.len()];
    for state in &written.accept {
        accept[known(state, "an accepting state is")?] = true;
    }
    if outputs.list.is_empty() {
        output.clear();
    }
    let parts = Parts {
        states: states.list.clone(),
        symbols: symbols.list,
        start,
        next,
        accept,
        outputs: outputs.list,
        output,
    };
    Machine::new(parts)
        .map_err(|source| Error::Logic { place: Box::new(Location::file(name)), source })
}

/// Refuses the first duplicate state and symbol, or else the first missing one.
fn require_one_next_state(transitions: &[Transition], symbols: &[String]) -> Result<(), String> {
    let mut seen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for t in transitions {
        if !seen.entry(&t.from).or_default().insert(&t.on) {
            let (state, symbol) = (quoted_excerpt(&t.from), quoted_excerpt(&t.on));
            return Err(format!("state {state} has two next states on {symbol}"));
        }
    }
    for t in transitions {
        let own = &seen[t.from.as_str()];
        if own.len() == symbols.len() {
            continue;
        }
        if let Some(lacks) = symbols.iter().find(|symbol| !own.contains(symbol.as_str())) {
            let (state, symbol) = (quoted_excerpt(&t.from), quoted_excerpt(lacks));
            return Err(format!("state {state} has no next state on {symbol}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Machine, String> {
        read_machine(Source::from_bytes("m", text)).map_err(|e| e.to_string())
    }

    /// Whether a word is accepted.
    fn accepts(machine: &Machine, word: &str) -> bool {
        let number = |c: char| machine.symbols().iter().position(|s| *s == c.to_string()).unwrap();
        let word: Vec<usize> = word.chars().map(number).collect();
        machine.accepts(machine.run(&word).last().copied().unwrap_or(machine.start()))
    }

    #[test]
    fn three_forms_of_a_machine_read_equal() {
        let table = read("state,0,1\n->*even,even,odd\nodd,odd,even\n").unwrap();
        let list =
            read("state,input,next\n*even,0,even\neven,1,odd\nodd,0,odd\nodd,1,even\n").unwrap();
        let json = r#"{"start": "even", "accept": ["even"], "transitions": [
            {"from": "even", "on": "0", "to": "even"}, {"from": "even", "on": "1", "to": "odd"},
            {"from": "odd", "on": "0", "to": "odd"}, {"from": "odd", "on": "1", "to": "even"}]}"#;
        assert_eq!((&list, &read(json).unwrap()), (&table, &table));
        assert!(accepts(&table, "0110") && !accepts(&table, "010") && accepts(&table, ""));
    }

    #[test]
    fn mealy_and_moore_outputs_are_read() {
        let mealy = read("from;on;to;output\nA;0;A;no\nA;1;B;yes\nB;0;A;no\nB;1;B;no\n").unwrap();
        assert_eq!(
            (mealy.outputs(), mealy.output(0, 1)),
            (&["no".to_owned(), "yes".to_owned()][..], Some(1))
        );
        let moore = read("q,a,b,output\nX,X,Y,low\nY,X,Y,high\n").unwrap();
        let into = |state, symbol| moore.outputs()[moore.output(state, symbol).unwrap()].as_str();
        assert_eq!((into(0, 0), into(0, 1), into(1, 1)), ("low", "high", "high"));
    }

    #[test]
    fn invalid_machines_are_refused_with_the_reason() {
        for (text, wanted) in [
            ("state,input,next\nA,0,A\nA,0,B\nB,0,A\n", "state \"A\" has two next states on \"0\""),
            ("state,input,next\nA,0,A\nA,1,B\nB,0,A\n", "state \"B\" has no next state on \"1\""),
            ("state,0,1\nA,A,C\nB,B,A\n", "leads to state \"C\", which has no transitions"),
            ("state,0,1\nA,A,\nB,B,A\n", "column 3 (1)"),
            ("{\"transitions\": []}", "no transitions"),
            ("{\"transitions\": [{\"from\": \"A\"}]}", "missing field ``on``"),
            (
                "{\"start\": \"Z\", \"transitions\": [{\"from\": \"A\", \"on\": \"0\", \"to\": \"A\"}]}",
                "the start state is \"Z\"",
            ),
            ("", "empty"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(wanted), "{text:?}: {error}");
        }
    }
}
