//! `fit --infer` and `--firth`: their output and their refusals.

use crate::harness::{Sandbox, assert_session};

/// A numeric column, its double, and a categorical column of three levels; overlapping classes.
const CLINIC: &str = "dose,double,group,well\n\
    1,2,b,no\n2,4,b,no\n3,6,b,yes\n4,8,b,no\n5,10,a,yes\n6,12,a,no\n7,14,a,yes\n8,16,a,yes\n\
    1,2,c,no\n3,6,c,yes\n5,10,c,no\n7,14,c,yes\n";

#[test]
fn output_of_inference() {
    let desk = Sandbox::new();
    desk.file("clinic.csv", CLINIC);
    desk.file("tie.csv", "x,z,y\n1,0,a\n2,1,a\n3,0,a\n3,1,b\n4,0,b\n5,1,b\n");
    desk.file("weights.csv", "x,y,s\n0,a,20\n0,b,5\n1,a,8\n1,b,14\n");
    for words in [
        "fit clinic.csv --infer -o m",
        "show m",
        "fit clinic.csv --infer --reference group=c --intervals wald --level 0.9 --standard-errors hc1 -o m",
        "fit weights.csv --target y --weights s --infer -o m",
        "fit tie.csv --infer",
        "fit tie.csv --firth -o m",
        "fit iris.csv --infer",
        "fit iris.csv --infer --positive setosa",
        "fit iris.csv --infer --positive virginica -o m",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn invalid_inference_is_refused() {
    let desk = Sandbox::new();
    desk.file("clinic.csv", CLINIC);
    for words in [
        "fit clinic.csv --infer -C 1",
        "fit clinic.csv --infer --penalty l1",
        "fit clinic.csv --infer --method svm",
        "fit clinic.csv --infer --class-weight balanced",
        "fit clinic.csv --infer --no-intercept",
        "fit clinic.csv --infer --level 95",
        "fit clinic.csv --firth --standard-errors hc0",
        "fit clinic.csv --infer --reference group=z",
        "fit clinic.csv --level 0.9",
        "fit clinic.csv --infer --no-standardize",
    ] {
        assert_session!(desk, words);
    }
    // An explicit absence of a penalty is accepted.
    for none in ["--penalty none", "--lambda 0", "--method logistic"] {
        assert_eq!(desk.run(&format!("fit clinic.csv --infer {none} -o m")).code, 0, "{none}");
    }
    assert!(!desk.files().contains(&"clinic.linsep".to_owned()), "no model was saved");
}
