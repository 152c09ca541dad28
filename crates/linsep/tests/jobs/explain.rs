//! Explanations: contributions add up, and counterfactuals change the prediction as stated.

use crate::harness::input;
use linsep::ModelFile;
use linsep::io::Memory;
use linsep::jobs::{Explain, Fit, Predict};
use linsep::prelude::*;

const PEOPLE: &str = "age,job,pay,y\n\
    31,cook,900,poor\n44,smith,1500,rich\n52,nurse,1300,rich\n,cook,1100,poor\n23,smith,1200,poor\n\
    61,nurse,1000,rich\n38,cook,1400,poor\n47,smith,1150,rich\n,nurse,1450,rich\n29,cook,950,poor\n\
    35,nurse,1250,rich\n58,smith,1050,rich\n26,nurse,900,poor\n41,cook,1350,rich\n";

/// Returns the class predicted for a line of people, as an index.
fn predicted(model: &ModelFile, line: &str) -> usize {
    let source = Source::from_bytes("line.csv", format!("age,job,pay\n{line}\n"));
    let (job, read) = (Predict::default(), ReadOptions::default());
    let found = job.run(model, vec![source], &read, Memory::default(), &mut ()).unwrap();
    found.classes[0].unwrap() as usize
}

#[test]
fn every_counterfactual_changes_the_prediction_as_stated() {
    let model = Fit::default().run(&input(PEOPLE)).unwrap().model_file;
    let job = Explain { rows: (0..14).collect(), ..Explain::default() };
    let source = Source::from_bytes("people.csv", PEOPLE);
    let found = job.run(&model, "people", source, &ReadOptions::default()).unwrap();
    assert_eq!(found.explained.len(), 14);
    let (mut numbers, mut levels) = (0, 0);
    for row in &found.explained {
        let line = PEOPLE.lines().nth(row.row + 1).unwrap();
        let cells: Vec<&str> = line.split(',').collect();
        let with = |name: &str, value: String| {
            let mut cells: Vec<String> = cells[..3].iter().map(ToString::to_string).collect();
            cells[["age", "job", "pay"].iter().position(|n| name == *n).unwrap()] = value;
            predicted(&model, &cells.join(","))
        };
        assert_eq!(row.actual, Some(Label::parse(cells[3])));
        assert_eq!(predicted(&model, &cells[..3].join(",")), row.class);
        assert!((row.sum - row.score).abs() < 1e-12);
        for change in &row.number_changes {
            assert_eq!(with(&change.name, change.to.to_string()), change.class, "{change:?}");
            assert_ne!(change.class, row.class);
            numbers += 1;
        }
        for change in &row.level_changes {
            assert_eq!(with(&change.name, change.to.clone()), change.class, "{change:?}");
            levels += 1;
        }
    }
    assert!(numbers > 20 && levels > 2, "{numbers} {levels}");
}
