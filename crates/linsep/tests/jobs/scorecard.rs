//! Scorecards: sums of points against the predictions of the model.

use crate::harness::{input, predicted};
use linsep::card::ColumnPart;
use linsep::jobs::{Fit, Scorecard};
use linsep::prelude::*;

/// Categorical and numeric columns with missing cells.
const STAFF: &str = "age,job,hours,y\n20,baker,30,no\n25,smith,44,no\n,baker,40,yes\n\
    60,smith,35,yes\n41,clerk,50,yes\n33,,20,no\n52,baker,41,yes\n29,clerk,38,no\n\
    45,smith,,yes\n23,clerk,15,no\n38,baker,45,yes\n31,smith,28,no\n";

#[test]
fn points_add_up_to_the_predictions_of_the_model() {
    let data = input(STAFF);
    let model = Fit::default().run(&data).unwrap().model_file;
    let card = Scorecard::default().run(&model, "staff", Some(data.clone())).unwrap();
    assert_eq!((card.changed, card.data), (Some(0), Some(("data".to_owned(), 12))));
    let threshold: f64 = card.threshold.to_string().parse().unwrap();
    let predicted = predicted(&model, &data);
    assert_eq!(predicted.len(), 12);
    for (row, predicted) in STAFF.lines().skip(1).zip(predicted) {
        let cells: Vec<&str> = row.split(',').collect();
        let mut total = 0.0;
        for line in &card.lines {
            let at = ["age", "job", "hours"].iter().position(|c| line.column == *c).unwrap();
            let points = line.points as f64;
            total += match (cells[at], &line.part) {
                ("", ColumnPart::Missing) => points,
                ("", _) => 0.0,
                (cell, ColumnPart::Number { .. }) => {
                    points * cell.parse::<f64>().unwrap() / 10_f64.powi(line.unit)
                }
                (cell, ColumnPart::Level(level)) if level == cell => points,
                _ => 0.0,
            };
        }
        let class = if total >= threshold { "yes" } else { "no" };
        assert_eq!(predicted, Label::parse(class), "{row}: {total}");
    }
}
