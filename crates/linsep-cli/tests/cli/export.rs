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

#[test]
fn invalid_scorecards_are_refused() {
    let desk = staff();
    desk.run("fit iris.csv -o iris.linsep");
    assert_session!(desk, "export iris.linsep --to scorecard");
    assert_session!(desk, "export staff.linsep --to paper");
    assert_session!(desk, "export staff.linsep --to scorecard --bits 1");
    assert_session!(desk, "export staff.linsep --to scorecard --data iris.csv");
}
