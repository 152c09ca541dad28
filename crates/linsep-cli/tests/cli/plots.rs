//! Plots of data, runs and models: SVG text and reported facts.

use crate::harness::{Sandbox, assert_session, name_of};
use crate::public_data::public_data;
use std::fmt::Write;
use std::fs;

/// Four rows of one column, and four rows of two columns separated by a hyperplane through the
/// origin.
fn desk() -> Sandbox {
    let desk = Sandbox::new();
    desk.file("line.csv", "x,class\n-2,a\n-0.5,a\n1,b\n2,b\n");
    desk.file("cone.csv", "x,y,class\n1,2,b\n2,1,b\n-1,1,a\n-2,-1,a\n");
    assert_eq!(desk.run("fit iris.csv").code, 0);
    assert_eq!(desk.run("fit gales.csv").code, 0);
    desk
}

#[test]
fn svg_of_every_plot() {
    let desk = desk();
    for words in [
        "plot data gales.csv --method perceptron",
        "plot trace gales.csv --method batch-perceptron --positive w1 --start 0,1,-0.5",
        "plot weights line.csv",
        "plot weights cone.csv --no-intercept",
        "plot confusion iris.linsep iris.csv",
        "plot coefficients iris.linsep",
        "plot roc gales.linsep gales.csv",
        "plot pr iris.linsep iris.csv",
        "plot calibration iris.linsep iris.csv",
        "plot path gales.csv --points 12",
    ] {
        let run = desk.run(&format!("{words} -o -"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{words}");
        insta::assert_snapshot!(name_of(&format!("svg of {words}")), run.stdout);
    }
}

#[test]
fn plots_report_their_series_and_facts() {
    let desk = desk();
    for words in [
        "plot data iris.csv",
        "plot trace gales.csv --method perceptron",
        "plot trace iris.csv --method perceptron --positive setosa --max-iter 9",
        "plot weights line.csv --method batch-perceptron",
        "plot confusion iris.linsep iris.csv",
        "plot coefficients iris.linsep --top 2",
        "plot roc iris.linsep iris.csv",
        "plot pr gales.linsep gales.csv",
        "plot calibration gales.linsep gales.csv",
        "plot path iris.csv --class setosa --points 5",
    ] {
        assert_session!(desk, words);
    }
    let json = desk.json("plot data iris.csv -o data.png");
    assert!(json["right"].as_f64().unwrap() > 0.95);
    assert!(fs::read(desk.path("data.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn invalid_plots_are_refused() {
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
        "plot data gales.linsep",
        "plot weights gales.linsep",
        "plot trace gales.linsep",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn columns_are_selected_by_name() {
    let desk = desk();
    let two = "--columns petal_length,petal_width";
    let plot = desk.run(&format!("plot data iris.csv {two} -o -")).stdout;
    assert!(plot.contains(">petal_length<") && plot.contains(">petal_width<"), "{plot}");
    assert_eq!(desk.run(&format!("plot boundaries iris.csv {two} -o -")).code, 0);
    let trace = format!("plot trace iris.csv {two} --method perceptron --positive setosa -o -");
    assert!(
        desk.run(&trace).stdout.contains(">Decision boundaries<"),
        "two columns have boundaries to draw"
    );
    let weights = desk.run("plot weights gales.csv --columns x1 -o -");
    assert!(weights.stdout.contains("weight of x1"), "{}", weights.stderr);
    // The same model as with the other columns dropped.
    let columns = "--drop sepal_length --drop sepal_width";
    let dropped = desk.json(&format!("fit iris.csv {columns} -o dropped.linsep"));
    let named = desk.json(&format!("fit iris.csv {two} -o named.linsep"));
    assert_eq!(dropped["planes"], named["planes"]);
    assert_session!(desk, "fit iris.csv --columns petal_length,petals");
    desk.file("pairs", "+1 1:1\n-1 2:1\n+1 1:2\n-1 2:2\n");
    assert_session!(desk, "fit pairs --columns 1");
}

/// Selects columns of a table by index from 0, and names them.
fn select_columns(text: &str, columns: &[(usize, &str)]) -> String {
    let mut out: String = columns.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(",");
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if cells[columns[0].0].parse::<f64>().is_ok() {
            let kept: Vec<&str> = columns.iter().map(|&(at, _)| cells[at]).collect();
            write!(out, "\n{}", kept.join(",")).unwrap();
        }
    }
    out + "\n"
}

#[test]
fn every_plot_of_public_data_is_valid_svg() {
    let desk = Sandbox::new();
    for (file, narrow, class) in [
        ("wine/wine.csv", [(0, "alcohol"), (6, "flavanoids"), (13, "class")], "3"),
        ("wdbc/wdbc.csv", [(0, "radius"), (1, "texture"), (30, "class")], "2"),
    ] {
        let text = fs::read_to_string(public_data(file).unwrap()).unwrap();
        let two = select_columns(&text, &narrow);
        // One class against the rest, for plots of two classes.
        let against_rest = |line: &str| {
            let (cells, own) = line.rsplit_once(',').unwrap();
            format!("{cells},{}", if own == "class" || own == class { own } else { "rest" })
        };
        let pair: String = two.lines().map(|line| against_rest(line) + "\n").collect();
        desk.file("whole.csv", &text);
        desk.file("two.csv", &two);
        desk.file("pair.csv", &pair);
        desk.file("one.csv", select_columns(&pair, &[narrow[0], (2, "class")]));
        assert_eq!(desk.run("fit whole.csv").code, 0);
        assert_eq!(desk.run("fit two.csv").code, 0);
        assert_eq!(desk.run("fit pair.csv --infer -o sure.linsep").code, 0);
        for words in [
            "losses",
            "boundaries pair.csv",
            "projection pair.csv",
            "regions two.linsep two.csv",
            "data whole.csv",
            "data two.csv --method svm",
            "trace pair.csv --method perceptron --max-iter 5",
            "weights one.csv --method perceptron",
            "confusion whole.linsep whole.csv",
            "coefficients whole.linsep",
            "coefficients sure.linsep",
            "roc whole.linsep whole.csv",
            "pr whole.linsep whole.csv",
            "calibration whole.linsep whole.csv",
            "path whole.csv --points 4",
        ] {
            let run = desk.run(&format!("plot {words} -o -"));
            assert_eq!(run.code, 0, "{file}, {words}: {}", run.stderr);
            let whole = run.stdout.starts_with("<svg") && run.stdout.ends_with("</svg>\n");
            assert!(whole && !run.stdout.contains("NaN"), "{file}, {words}");
        }
        let sure = desk.run("plot coefficients sure.linsep -o -").stdout;
        assert!(sure.contains("95 % CI (profile)") && sure.contains("estimate"), "{sure}");
    }
}
