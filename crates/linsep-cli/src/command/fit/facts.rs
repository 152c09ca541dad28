//! Further results of a learner, as JSON, lines and tables.

use super::post_processing::LEAVE_ONE_OUT;
use crate::layout::Table;
use linsep::Label;
use linsep::learner::{Fact, Facts};
use linsep_report::flags::spell;
use linsep_report::number::number;
use serde_json::{Map, Value, json};

/// Facts by name, with underscores for hyphens; sentences form a list of notes.
pub(super) fn json(facts: &Facts) -> Value {
    let mut map = Map::new();
    let mut notes = Vec::new();
    for (name, fact) in facts.list() {
        let value = match fact {
            Fact::Note(text) => {
                notes.push(Value::from(spell(text)));
                continue;
            }
            Fact::Number(v) => linsep::model_file::number(*v),
            Fact::Numbers(list) => json!(list),
            Fact::Points(rows) | Fact::Scatter(rows) => json!(rows),
            Fact::Table(heads, rows) => {
                let row = |row: &Vec<f64>| {
                    let cells =
                        heads.iter().zip(row).map(|(head, v)| ((*head).to_owned(), json!(v)));
                    Value::Object(cells.collect())
                };
                rows.iter().map(row).collect()
            }
        };
        map.insert(name.replace('-', "_"), value);
    }
    if !notes.is_empty() {
        map.insert("notes".to_owned(), Value::from(notes));
    }
    Value::Object(map)
}

/// One line of numbers, and one line per sentence.
pub(super) fn lines(facts: &Facts) -> Vec<(&'static str, String)> {
    let short = |(name, fact): &(&'static str, Fact)| {
        let name = if *name == "lambda" { "λ".to_owned() } else { name.replace('-', " ") };
        match fact {
            Fact::Number(v) => Some(format!("{name} {}", number(*v))),
            Fact::Numbers(list) if list.len() <= 10 => {
                let list: Vec<String> = list.iter().map(|v| number(*v)).collect();
                Some(format!("{name} {}", list.join(" / ")))
            }
            _ => None,
        }
    };
    let numbers: Vec<String> = facts.list().iter().filter_map(short).collect();
    let sentence = |(_, fact): &(&'static str, Fact)| match fact {
        Fact::Note(text) => Some(("note", spell(text))),
        _ => None,
    };
    let numbers = (!numbers.is_empty()).then(|| ("results", numbers.join(", ")));
    numbers.into_iter().chain(facts.list().iter().filter_map(sentence)).collect()
}

/// Tables, and points and matrices of few columns. The leave-one-out curve is excluded: it is shown
/// with the tuning.
pub(super) fn tables(facts: &Facts, columns: &[String], classes: &[Label]) -> Vec<String> {
    const MOST: usize = 8;
    let show = |(name, fact): &(&'static str, Fact)| {
        let name = name.replace('-', " ");
        let (heads, rows, names): (Vec<&str>, &Vec<Vec<f64>>, Vec<String>) = match fact {
            Fact::Points(rows) if columns.len() <= MOST => {
                let mut sorted: Vec<&Label> = classes.iter().collect();
                sorted.sort_unstable();
                let names = sorted.into_iter().map(ToString::to_string).collect();
                (columns.iter().map(String::as_str).collect(), rows, names)
            }
            Fact::Scatter(rows) if columns.len() <= MOST => {
                (columns.iter().map(String::as_str).collect(), rows, columns.to_vec())
            }
            Fact::Table(heads, rows) => (heads.clone(), rows, vec![String::new(); rows.len()]),
            _ => return None,
        };
        let heads: Vec<&str> = [name.as_str()].into_iter().chain(heads).collect();
        let mut table = Table::new(&heads, 1);
        for (name, row) in names.into_iter().zip(rows) {
            table.row([name].into_iter().chain(row.iter().map(|v| number(*v))).collect());
        }
        Some(table.show(2))
    };
    facts.list().iter().filter(|(name, _)| *name != LEAVE_ONE_OUT).filter_map(show).collect()
}
