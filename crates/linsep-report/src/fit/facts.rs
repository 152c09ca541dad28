//! Further results of a learner, as JSON, lines and tables.

use crate::flags::spell;
use crate::layout::Text;
use crate::number::number;
use crate::table::Table;
use linsep::core::Label;
use linsep::core::learner::{Fact, Facts};
use linsep::jobs::fit::LEAVE_ONE_OUT;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// A result and its name.
type Named = (Cow<'static, str>, Fact);

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
                    let cells = heads.iter().zip(row).map(|(head, v)| (head.to_string(), json!(v)));
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
    let short = |(name, fact): &Named| {
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
    let sentence = |(_, fact): &Named| match fact {
        Fact::Note(text) => Some(("note", spell(text))),
        _ => None,
    };
    let numbers = (!numbers.is_empty()).then(|| ("results", numbers.join(", ")));
    numbers.into_iter().chain(facts.list().iter().filter_map(sentence)).collect()
}

/// Appends tables, and points and matrices of few columns, each after an empty line. The
/// leave-one-out curve is excluded: it is shown with the tuning.
pub(super) fn tables(out: &mut Text, facts: &Facts, columns: &[String], classes: &[Label]) {
    const MOST: usize = 8;
    let columns_of = || columns.iter().map(String::as_str).collect();
    for (name, fact) in facts.list().iter().filter(|(name, _)| *name != LEAVE_ONE_OUT) {
        let name = name.replace('-', " ");
        let (heads, rows, names): (Vec<&str>, &Vec<Vec<f64>>, Vec<String>) = match fact {
            Fact::Points(rows) if columns.len() <= MOST => {
                let mut sorted: Vec<&Label> = classes.iter().collect();
                sorted.sort_unstable();
                let names = sorted.into_iter().map(ToString::to_string).collect();
                (columns_of(), rows, names)
            }
            Fact::Scatter(rows) if columns.len() <= MOST => (columns_of(), rows, columns.to_vec()),
            Fact::Table(heads, rows) => {
                (heads.iter().map(AsRef::as_ref).collect(), rows, vec![String::new(); rows.len()])
            }
            _ => continue,
        };
        let heads: Vec<&str> = [name.as_str()].into_iter().chain(heads).collect();
        let mut table = Table::new(&heads, 1);
        for (name, row) in names.into_iter().zip(rows) {
            table.row([name].into_iter().chain(row.iter().map(|v| number(*v))).collect());
        }
        out.gap();
        out.table(&table, 2);
    }
}
