//! Pictures of data, runs and models: as SVG, word by word.

use crate::harness::Desk;
use std::fs;

/// Four rows in one column, and four in two that a plane through the origin separates.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.file("line.csv", "x,class\n-2,a\n-0.5,a\n1,b\n2,b\n");
    desk.file("cone.csv", "x,y,class\n1,2,b\n2,1,b\n-1,1,a\n-2,-1,a\n");
    assert_eq!(desk.run("fit iris.csv").code, 0);
    assert_eq!(desk.run("fit gales.csv").code, 0);
    desk
}

#[test]
fn pictures_word_by_word() {
    let desk = desk();
    for words in [
        "plot data gales.csv --method perceptron -o -",
        "plot trace gales.csv --method batch-perceptron --positive w1 --start 0,1,-0.5 -o -",
        "plot weights line.csv -o -",
        "plot weights cone.csv --no-intercept -o -",
        "plot confusion iris.linsep iris.csv -o -",
        "plot coefficients iris.linsep -o -",
        "plot roc gales.linsep gales.csv -o -",
        "plot pr iris.linsep iris.csv -o -",
        "plot calibration iris.linsep iris.csv -o -",
        "plot path gales.csv --points 12 -o -",
    ] {
        let run = desk.run(words);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{words}");
        insta::assert_snapshot!(run.stdout);
    }
}

#[test]
fn pictures_say_what_they_show() {
    let desk = desk();
    for words in [
        "plot data iris.csv",
        "plot trace gales.csv --method perceptron",
        "plot trace iris.csv --method perceptron --positive setosa --epochs 9",
        "plot weights line.csv --method batch-perceptron",
        "plot confusion iris.linsep iris.csv",
        "plot coefficients iris.linsep --top 2",
        "plot roc iris.linsep iris.csv",
        "plot pr gales.linsep gales.csv",
        "plot calibration gales.linsep gales.csv",
        "plot path iris.csv --class setosa --points 5",
    ] {
        insta::assert_snapshot!(desk.session(words));
    }
    let json = desk.json("plot data iris.csv -o data.png");
    assert!(json["right"].as_f64().unwrap() > 0.95);
    assert!(fs::read(desk.path("data.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn pictures_that_cannot_be_drawn() {
    let desk = desk();
    for words in [
        "plot data line.csv",
        "plot weights gales.csv",
        "plot weights iris.csv",
        "plot trace gales.csv --method fisher",
        "plot trace iris.csv --method perceptron",
        "plot confusion iris.linsep gales.csv",
        "plot path iris.linsep",
        "plot path iris.csv --method perceptron",
    ] {
        insta::assert_snapshot!(desk.session(words));
    }
}
