//! Help texts of all commands.

use crate::harness::Sandbox;

#[test]
fn every_help_text() {
    let desk = Sandbox::new();
    for command in [
        "",
        "fit",
        "predict",
        "evaluate",
        "separable",
        "verify",
        "trace",
        "show",
        "plot",
        "plot losses",
        "transform",
        "plot boundaries",
        "plot projection",
        "compare",
        "check",
        "logic",
        "logic threshold",
        "logic network",
        "logic count",
        "logic automaton",
        "export",
        "explain",
        "plot data",
        "plot trace",
        "plot weights",
        "plot confusion",
        "plot coefficients",
        "plot roc",
        "plot path",
    ] {
        let words = format!("{command} --help");
        insta::assert_snapshot!(desk.session(words.trim()));
    }
}
