//! Pictures: written whole, in the format the name says, the same bytes every time.

use crate::harness::{Sandbox, assert_session};
use std::fs;

#[test]
fn losses_are_svg_by_default() {
    let desk = Sandbox::new();
    assert_session!(desk, "plot losses");
    assert_eq!(desk.files(), ["losses.svg"]);
    let svg = fs::read_to_string(desk.path("losses.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
    assert!(svg.contains("role=\"img\"") && svg.contains("<title>Loss functions</title>"));
    let losses = linsep::core::loss::ALL.iter().map(|loss| loss.name());
    for name in std::iter::once("0/1 loss").chain(losses) {
        assert!(svg.contains(&format!(">{name}</text>")), "{name} is text in the legend");
    }
    assert_eq!(desk.run("plot losses -o -").stdout, svg, "the same on stdout");
}

#[test]
fn losses_as_png_are_reproducible() {
    let desk = Sandbox::new();
    let json = desk.json("plot losses -o a.PNG");
    assert_eq!((&json["plot"], &json["format"]), (&"losses".into(), &"png".into()));
    assert_eq!((&json["path"], &json["curves"][0]["name"]), (&"a.PNG".into(), &"0/1 loss".into()));
    assert_eq!(json["curves"].as_array().unwrap().len(), linsep::core::loss::ALL.len() + 1);
    desk.run("plot losses -o b.png");
    let (a, b) = (fs::read(desk.path("a.PNG")).unwrap(), fs::read(desk.path("b.png")).unwrap());
    assert!(a.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(a, b, "the same bytes every time");
}

#[test]
fn invalid_output_files_are_refused() {
    let desk = Sandbox::new();
    for words in [
        "plot losses -o losses.jpg",
        "plot losses -o losses",
        "plot losses -o nowhere/losses.svg",
        "plot nothing",
    ] {
        assert_session!(desk, words);
        assert_eq!(desk.files(), [""; 0], "{words}");
    }
    let both = desk.run("plot losses -o - --json");
    assert_eq!(both.code, 2, "{}", both.stderr);
    assert!(both.stderr.contains("cannot both go to stdout"), "{}", both.stderr);
}
