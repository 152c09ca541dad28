//! `separable` and `verify`.

use crate::harness::{Sandbox, assert_session};

/// Quasi-complete separation: one row occurs in both classes, all others are separated.
const TIE: &str = "x,smoker,y\n1,no,a\n2,no,a\n3,yes,a\n3,yes,b\n2,no,b\n5,yes,b\n6,yes,b\n";

#[test]
fn each_kind_of_separation_is_reported() {
    let desk = Sandbox::new();
    desk.file("tie.csv", TIE);
    assert_session!(desk, "separable xor.csv");
    assert_session!(desk, "separable iris.csv --positive setosa");
    assert_session!(desk, "separable tie.csv");
}

#[test]
fn certificates_are_verified_and_altered_ones_rejected() {
    let desk = Sandbox::new();
    // Each has a witness of another kind: rows, and a hyperplane.
    for data in ["xor.csv", "iris.csv --positive setosa"] {
        let found = desk.json(&format!("separable {data} --output cert"));
        assert_eq!(found["verified"], true, "{data}");
        let verified = desk.json(&format!("verify cert {data}"));
        assert_eq!((&verified["valid"], &verified["verdict"]), (&true.into(), &found["verdict"]));

        let text = std::fs::read_to_string(desk.path("cert")).unwrap();
        let digit = text.rfind("weights").or(text.find("planes")).unwrap();
        let at = digit + text[digit..].find(|c: char| c.is_ascii_digit()).unwrap();
        let mut bytes = text.into_bytes();
        bytes[at] = if bytes[at] == b'9' { b'1' } else { bytes[at] + 1 };
        desk.file("cert", bytes);
        let run = desk.wide(&format!("verify cert {data}"));
        assert_eq!(run.code, 1, "{data}: {}{}", run.stdout, run.stderr);
    }
    desk.wide("separable xor.csv --output cert");
    assert_session!(desk, "verify cert iris.csv");
    assert_session!(desk, "verify xor.csv xor.csv");
}

#[test]
fn separation_and_mistake_bounds_of_a_fit_are_printed() {
    let desk = Sandbox::new();
    desk.file("tie.csv", TIE);
    desk.file("three.csv", "a,b,class\n0,0,x\n0,1,x\n5,0,y\n6,1,y\n0,7,z\n1,8,z\n");
    let run = desk.wide("fit tie.csv --method logistic --penalty none --max-iter 50");
    assert!(run.stdout.contains("quasi-complete separation"), "{}", run.stdout);
    assert_session!(desk, "fit iris.csv --penalty none --multiclass one-vs-one --max-iter 5 -o m");
    for scheme in ["winner-take-all", "kesler"] {
        assert_session!(
            desk,
            format!("fit three.csv --method perceptron --multiclass {scheme} -o m")
        );
    }
    assert_session!(desk, "fit gales.csv --method perceptron -o m");
}

#[test]
fn saved_models_keep_separation_and_mistake_bounds() {
    let desk = Sandbox::new();
    desk.file("tie.csv", TIE);
    desk.json("fit tie.csv --penalty none --max-iter 50 -o m");
    assert_session!(desk, "show m", "separation_of_a_saved_model");
    desk.json("fit iris.csv --method perceptron --multiclass one-vs-one -o m");
    assert_session!(desk, "show m", "mistake_bounds_of_a_saved_model");
}
