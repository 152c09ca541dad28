//! The worked examples of the lectures as text.

use crate::harness::{Sandbox, assert_session};

#[test]
fn tables_as_text() {
    let desk = Sandbox::new();
    assert_session!(
        desk,
        "trace gales.csv --method batch-perceptron --start 0,1,-0.5 --positive w1"
    );
    assert_session!(
        desk,
        "trace rosenblatt.csv --method perceptron --tie negative --eta 1 --positive pos"
    );
}
