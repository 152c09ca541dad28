//! Multiclass schemes from the command line.

use crate::harness::{Sandbox, assert_session};
use serde_json::Value;

/// Three classes in a triangle, with two features.
const TRIANGLE: &str = "x,y,class\n0,0,a\n1,0,a\n0,1,a\n8,0,b\n9,1,b\n8,1,b\n4,8,c\n5,9,c\n4,9,c\n";

fn triangle() -> Sandbox {
    let desk = Sandbox::new();
    desk.file("triangle.csv", TRIANGLE);
    desk
}

#[test]
fn every_scheme_is_reported() {
    let desk = triangle();
    for (method, scheme) in [
        ("logistic", "one-vs-rest"),
        ("logistic", "one-vs-rest-but-last"),
        ("svm", "one-vs-one"),
        ("perceptron", "winner-take-all"),
        ("averaged-perceptron", "kesler"),
        ("svm", "crammer-singer"),
    ] {
        let words = format!("fit triangle.csv --method {method} --multiclass {scheme} -o {scheme}");
        assert_session!(desk, words);
        let fit = desk.json(&words);
        assert_eq!(fit["multiclass"], scheme);
        assert_eq!(fit["accuracy"], 1.0);
        let shown = desk.json(&format!("show {scheme}"));
        assert_eq!(shown["multiclass"], scheme);
        let evaluated = desk.json(&format!("evaluate {scheme} triangle.csv"));
        assert_eq!(evaluated["accuracy"], 1.0);
    }
    assert_session!(desk, "show one-vs-one");
    assert_session!(desk, "show one-vs-rest-but-last");
    assert_session!(desk, "show crammer-singer");
}

#[test]
fn choice_of_the_scheme_is_explained() {
    let desk = triangle();
    assert_session!(
        desk,
        "fit iris.csv --method perceptron --multiclass kesler --explain-multiclass -o m"
    );
    assert_session!(desk, "fit iris.csv --explain-multiclass -o m");
    assert_session!(desk, "fit gales.csv --method perceptron --explain-multiclass -o m");
    let json = desk.json("fit iris.csv --method svm --explain-multiclass -o m");
    let schemes = json["schemes"].as_array().unwrap();
    let taken: Vec<&Value> = schemes.iter().filter(|s| s["taken"] == true).collect();
    assert_eq!((taken.len(), &taken[0]["name"]), (1, &Value::from("one-vs-rest")));
    let pairs = schemes.iter().find(|s| s["name"] == "one-vs-one").unwrap();
    assert_eq!((&pairs["planes"], &pairs["ambiguous_regions"]), (&3.into(), &true.into()));
}

#[test]
fn incompatible_settings_are_refused() {
    let desk = triangle();
    for words in [
        "fit triangle.csv --multiclass winner-take-all",
        "fit triangle.csv --method perceptron --multiclass crammer-singer",
        "fit triangle.csv --method svm --loss squared-hinge --multiclass crammer-singer",
        "fit triangle.csv --method perceptron --multiclass kesler --tie positive",
        "fit triangle.csv --multiclass one-vs-one --path",
        "trace triangle.csv --method perceptron --multiclass one-vs-one",
        "fit triangle.csv --multiclass one-vs-all",
    ] {
        assert_session!(desk, words);
    }
    assert_eq!(desk.files(), ["triangle.csv"]);
}

/// Far to the upper right a point is on the positive side of the hyperplanes of a and of b: the
/// ambiguous region of the figure in the lectures.
#[test]
fn ambiguous_rows_are_resolved_or_kept() {
    let desk = triangle();
    desk.file("crossed.csv", "x,y,class\n1,0,a\n2,0,a\n0,1,b\n0,2,b\n-1,-1,c\n-2,-2,c\n");
    desk.file("rows.csv", "x,y\n5,0\n0,5\n5,5\n-5,-5\n");
    let fit =
        "fit crossed.csv --method logistic --multiclass one-vs-rest-but-last --no-standardize -o m";
    assert_eq!(desk.json(fit)["ambiguous"], 0);
    assert_session!(desk, "predict m rows.csv --scores");
    assert_session!(desk, "predict m rows.csv --ambiguous keep");
    let json = desk.json("predict m rows.csv --ambiguous keep");
    assert_eq!(json["ambiguous"], serde_json::json!([2]));
    assert_eq!(json["predictions"], serde_json::json!(["a", "b", null, "c"]));
    let json = desk.json("predict m rows.csv");
    assert_eq!(json["predictions"].as_array().unwrap().iter().filter(|p| p.is_null()).count(), 0);
    desk.file("test.csv", "x,y,class\n5,5,a\n5,0,a\n0,5,b\n");
    assert_session!(desk, "evaluate m test.csv");
    assert_eq!(desk.json("evaluate m test.csv")["ambiguous"], 1);
    // A scheme without ambiguous regions does not report them.
    desk.run("fit crossed.csv -o argmax");
    assert!(desk.json("predict argmax rows.csv").get("ambiguous").is_none());
}

/// W₁ = (1, −1, −1), W₂ = (1, 1, 1), W₃ = (2, 0, 0) on the corners (±1, ±1): the lectures' table,
/// through a model file.
#[test]
fn the_lectures_winner_take_all_table() {
    use linsep::ModelFile;
    use linsep::core::{DecisionRule, Hyperplane, LinearModel};
    let desk = Sandbox::new();
    desk.file("corners.csv", "x1,x2,y\n-1,-1,1\n-1,1,3\n1,-1,3\n1,1,2\n");
    let fit = desk.json(
        "fit corners.csv --method perceptron --multiclass winner-take-all --no-standardize -o m",
    );
    assert_eq!((&fit["stop"], &fit["accuracy"]), (&"separated".into(), &1.0.into()));
    // The trained hyperplanes give the predictions of the lectures; so do those of the lectures.
    let learned = ModelFile::load(desk.path("m")).unwrap();
    let hyperplane = |w: [f64; 2], b: f64| Hyperplane { w: w.to_vec(), b };
    let hyperplanes = vec![
        hyperplane([-1.0, -1.0], 1.0),
        hyperplane([1.0, 1.0], 1.0),
        hyperplane([0.0, 0.0], 2.0),
    ];
    let classes = learned.model.classes().to_vec();
    let model = LinearModel::new(classes, hyperplanes, DecisionRule::ArgMax).unwrap();
    ModelFile { model: model.into(), ..learned.clone() }.save(desk.path("lecture")).unwrap();
    for model in ["m", "lecture"] {
        let json = desk.json(&format!("predict {model} corners.csv --scores"));
        assert_eq!(json["predictions"], serde_json::json!([1, 3, 3, 2]), "neuron 3 is XOR");
        if model == "lecture" {
            let table = serde_json::json!([
                [3.0, -1.0, 2.0],
                [1.0, 1.0, 2.0],
                [1.0, 1.0, 2.0],
                [-1.0, 3.0, 2.0]
            ]);
            assert_eq!(json["scores"], table);
        }
    }
}

#[test]
fn joint_updates_are_traced() {
    let desk = Sandbox::new();
    desk.file("corners.csv", "x1,x2,y\n-1,-1,1\n-1,1,3\n1,-1,3\n1,1,2\n");
    assert_session!(desk, "trace corners.csv --method perceptron --multiclass winner-take-all");
    let json = desk.json("trace corners.csv --method perceptron --multiclass kesler --steps 3");
    assert_eq!((json["steps"].as_array().unwrap().len(), &json["cut"]), (3, &true.into()));
    assert_eq!(json["steps"][0]["winner"], Value::Null, "no class wins at zero");
}

/// A binary fit to the rows of Kesler's construction gives the hyperplanes of the scheme.
#[test]
fn kesler_rows_give_the_hyperplanes_of_the_scheme() {
    let desk = triangle();
    assert_session!(desk, "kesler triangle.csv");
    assert_session!(desk, "kesler triangle.csv --mirror -o long.csv");
    let plain = desk.run("kesler triangle.csv");
    let transformed = desk.run("transform --kesler triangle.csv");
    assert_eq!((transformed.code, transformed.stdout), (0, plain.stdout));
    assert_eq!(desk.run("transform --kesler triangle.csv triangle.csv").code, 2);
    assert_eq!(desk.run("transform triangle.csv").code, 2, "without a model");
    let how = "--method perceptron --no-standardize";
    let long = desk.json(&format!("fit long.csv {how} --no-intercept -o long"));
    let short = desk.json(&format!("fit triangle.csv {how} --multiclass kesler -o short"));
    assert_eq!((&long["stop"], &long["updates"]), (&"separated".into(), &short["updates"]));
    let numbers: Vec<Value> = short["planes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|hyperplane| {
            let w = hyperplane["w"].as_array().unwrap();
            w.iter().cloned().chain([hyperplane["b"].clone()]).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(long["planes"][0]["w"], Value::from(numbers));
    assert_eq!(long["planes"][0]["b"], 0.0);
}

#[test]
fn rows_of_an_unknown_class_are_misclassified() {
    let desk = triangle();
    desk.file("test.csv", "x,y,class\n0,0,a\n8,0,b\n1,1,d\n4,8,c\n");
    for scheme in ["one-vs-one", "one-vs-rest-but-last"] {
        desk.run(&format!("fit triangle.csv --multiclass {scheme} -o m"));
        let json = desk.json("evaluate m test.csv");
        assert_eq!(
            (&json["accuracy"], &json["unknown_labels"][0]["class"]),
            (&0.75.into(), &"d".into())
        );
    }
}

#[test]
fn regions_are_plotted_and_measured() {
    let desk = triangle();
    desk.file("crossed.csv", "x,y,class\n1,0,a\n2,0,a\n0,1,b\n0,2,b\n-1,-1,c\n-2,-2,c\n");
    desk.run("fit crossed.csv --multiclass one-vs-rest-but-last -o m");
    let json = desk.json("plot regions m crossed.csv -o r.svg");
    let share = json["ambiguous"].as_f64().unwrap();
    assert!((0.01..0.5).contains(&share), "{json}");
    let all: f64 =
        json["shares"].as_array().unwrap().iter().map(|s| s["share"].as_f64().unwrap()).sum();
    assert!((all + share - 1.0).abs() < 1e-9, "the regions cover the plot");
    let svg = std::fs::read_to_string(desk.path("r.svg")).unwrap();
    assert!(svg.contains("ambiguous region") && svg.contains("one-vs-rest-but-last"));
    assert_eq!(desk.run("plot regions m crossed.csv -o r.png").code, 0);
    assert!(std::fs::read(desk.path("r.png")).unwrap().starts_with(b"\x89PNG"));
    desk.run("fit iris.csv -o wide");
    assert_session!(desk, "plot regions wide iris.csv -o r.svg");
}

#[test]
fn models_do_not_depend_on_the_number_of_threads() {
    let desk = Sandbox::new();
    for scheme in ["one-vs-rest", "one-vs-rest-but-last", "one-vs-one", "crammer-singer"] {
        let model = |threads: u8| {
            let words = format!(
                "fit iris.csv --method svm --multiclass {scheme} --threads {threads} -o m{threads}"
            );
            assert_eq!(desk.run(&words).code, 0);
            std::fs::read(desk.path(&format!("m{threads}"))).unwrap()
        };
        assert_eq!(model(1), model(4), "{scheme}");
    }
}
