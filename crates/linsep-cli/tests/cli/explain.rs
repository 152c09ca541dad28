//! `explain`: contributions and counterfactuals.

use crate::harness::{Sandbox, assert_session};

const PEOPLE: &str = "age,job,pay,y\n\
    31,cook,900,poor\n44,smith,1500,rich\n52,nurse,1300,rich\n,cook,1100,poor\n23,smith,1200,poor\n\
    61,nurse,1000,rich\n38,cook,1400,poor\n47,smith,1150,rich\n,nurse,1450,rich\n29,cook,950,poor\n\
    35,nurse,1250,rich\n58,smith,1050,rich\n26,nurse,900,poor\n41,cook,1350,rich\n";

fn desk() -> Sandbox {
    let desk = Sandbox::new();
    desk.file("people.csv", PEOPLE);
    assert_eq!(desk.run("fit people.csv").code, 0);
    assert_eq!(desk.run("fit iris.csv").code, 0);
    desk
}

#[test]
fn explanations_as_text() {
    let desk = desk();
    for words in [
        "explain people.linsep people.csv --row 4",
        "explain people.linsep people.csv --row 2,5 --allow pay --top 2",
        "explain iris.linsep iris.csv --row 71",
        "explain iris.linsep iris.csv --row 71 --against setosa",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn libsvm_features_are_explained_by_number() {
    let desk = Sandbox::new();
    desk.file("pairs", "+1 1:1 4:0.5\n-1 2:1\n+1 1:2 3:1\n-1 2:2 3:1\n+1 4:1\n-1 3:2\n");
    assert_eq!(desk.run("fit pairs").code, 0);
    assert_session!(desk, "explain pairs.linsep pairs --row 3");
}

#[test]
fn invalid_requests_are_refused() {
    let desk = desk();
    for words in [
        "explain people.linsep people.csv --row 15",
        "explain people.linsep people.csv --against middling",
        "explain people.linsep people.csv --allow pay,height",
        "explain people.linsep iris.csv",
    ] {
        assert_session!(desk, words);
    }
}
