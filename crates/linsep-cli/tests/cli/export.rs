//! Models in other formats.

use crate::harness::{Sandbox, assert_session};
use std::fs;

/// Categorical and numeric columns with missing cells.
const STAFF: &str = "age,job,hours,y\n20,baker,30,no\n25,smith,44,no\n,baker,40,yes\n60,smith,35,yes\n41,clerk,50,yes\n33,,20,no\n\
                     52,baker,41,yes\n29,clerk,38,no\n45,smith,,yes\n23,clerk,15,no\n38,baker,45,yes\n31,smith,28,no\n";

fn staff() -> Sandbox {
    let desk = Sandbox::new();
    desk.file("staff.csv", STAFF);
    assert_eq!(desk.run("fit staff.csv -o staff.linsep").code, 0);
    desk
}

#[test]
fn scorecard_in_raw_units() {
    let desk = staff();
    assert_session!(desk, "export staff.linsep --to scorecard --data staff.csv");
    assert_session!(desk, "export staff.linsep --to scorecard --bits 2 --data staff.csv");
    assert_session!(desk, "export staff.linsep --to scorecard --bits 6");
    assert_session!(desk, "export staff.linsep --to scorecard --data staff.csv -o card.csv");
    insta::assert_snapshot!("card.csv", fs::read_to_string(desk.path("card.csv")).unwrap());
}

/// The sum of the points gives the predictions of the model.
#[test]
fn points_add_up_to_the_predictions_of_the_model() {
    let desk = staff();
    let card = desk.json("export staff.linsep --to scorecard --data staff.csv");
    assert_eq!((&card["changed"], &card["rows"]), (&0.into(), &12.into()));
    let predicted = desk.json("predict staff.linsep staff.csv");
    for (line, predicted) in STAFF.lines().skip(1).zip(predicted["predictions"].as_array().unwrap())
    {
        let cells: Vec<&str> = line.split(',').collect();
        let mut total = 0.0;
        for entry in card["lines"].as_array().unwrap() {
            let at = ["age", "job", "hours"].iter().position(|c| entry["column"] == *c).unwrap();
            let points = entry["points"].as_f64().unwrap();
            let cell = cells[at];
            total += match (cell, entry["per"].as_f64()) {
                ("", _) if entry["missing"] == true => points,
                ("", _) => 0.0,
                (cell, Some(per)) => points * cell.parse::<f64>().unwrap() / per,
                (cell, None) if entry["value"] == cell => points,
                _ => 0.0,
            };
        }
        let yes = total >= card["threshold"].as_f64().unwrap();
        assert_eq!(*predicted, if yes { "yes" } else { "no" }, "{line}: {total}");
    }
}

#[test]
fn invalid_scorecards_are_refused() {
    let desk = staff();
    desk.run("fit iris.csv -o iris.linsep");
    assert_session!(desk, "export iris.linsep --to scorecard");
    assert_session!(desk, "export staff.linsep --to paper");
    assert_session!(desk, "export staff.linsep --to scorecard --bits 1");
    assert_session!(desk, "export staff.linsep --to scorecard --data iris.csv");
}
