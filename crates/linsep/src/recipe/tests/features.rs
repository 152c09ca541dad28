//! Nonlinear features: against scikit-learn (`golden/features.json` with its provenance), and
//! their properties as steps of a recipe.

use super::{Scaling, TrainingSettings, encode, rows, table};
use crate::SampleWeights;
use crate::TrainingData;
use crate::error::Error;
use crate::recipe::step::ALL;
use crate::recipe::{FeatureMap, MissingPolicy, Recipe, RecipeSettings, Step};
use linsep_io::input::Input;
use linsep_io::memory::Memory;
use serde_json::Value;

fn settings(spec: &str) -> TrainingSettings {
    let features = FeatureMap::parse_all(spec).unwrap();
    let recipe = RecipeSettings { features, ..RecipeSettings::default() };
    TrainingSettings { recipe, ..TrainingSettings::default() }
}

fn train(text: &str, settings: &TrainingSettings) -> Result<TrainingData, Error> {
    TrainingData::new(Input::Table(table(text)), settings)
}

fn features(text: &str, spec: &str) -> Vec<String> {
    train(text, &settings(spec)).unwrap().recipe.features()
}

fn golden() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/features.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    let numbers =
        |row: &Value| row.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// Rows of three numbers and an alternating class.
fn csv(rows: &[Vec<f64>]) -> String {
    let line = |(i, row): (usize, &Vec<f64>)| {
        let cells: Vec<String> = row.iter().map(f64::to_string).collect();
        format!("{},{}\n", cells.join(","), i % 2)
    };
    format!("a,b,c,y\n{}", rows.iter().enumerate().map(line).collect::<String>())
}

fn assert_near(got: &[Vec<f64>], want: &Value, what: &str) {
    let want = matrix(want);
    assert_eq!((got.len(), got[0].len()), (want.len(), want[0].len()), "{what}");
    for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
        assert!((got - want).abs() <= 1e-12 * want.abs().max(1.0), "{what}: {got}, not {want}");
    }
}

fn raw(recipe: &Recipe, text: &str) -> Vec<Vec<f64>> {
    rows(&encode(recipe, text, Scaling::Raw).unwrap().x.unwrap())
}

#[test]
fn monomials_match_scikit_learn() {
    let golden = golden();
    let text = csv(&matrix(&golden["table"]));
    for case in golden["polynomial"].as_array().unwrap() {
        let spec = format!("poly({})", case["degree"]);
        let training = train(&text, &settings(&spec)).unwrap();
        let names = case["names"].as_array().unwrap().iter().map(|name| {
            name.as_str().unwrap().replace("^2", "²").replace("^3", "³").replace(' ', ":")
        });
        assert_eq!(training.recipe.features(), names.collect::<Vec<_>>());
        assert_near(&raw(&training.recipe, &text), &case["features"], &spec);
    }
}

#[test]
fn bins_and_splines_match_scikit_learn() {
    let golden = golden();
    let (text, new) = (csv(&matrix(&golden["table"])), csv(&matrix(&golden["new"])));
    for weighted in golden["weighted"].as_array().unwrap() {
        let weights = weighted["weights"].as_array().unwrap().iter();
        let weights: Vec<f64> = weights.map(|s| s.as_f64().unwrap()).collect();
        let recipe = |spec: &str| {
            let weights = Some(SampleWeights::Rows(weights.clone()));
            train(&text, &TrainingSettings { weights, ..settings(spec) }).unwrap().recipe
        };
        for case in weighted["bins"].as_array().unwrap() {
            let spec = format!("bins(*, {})", case["count"]);
            assert_near(&raw(&recipe(&spec), &text), &case["features"], &spec);
        }
        for case in weighted["splines"].as_array().unwrap() {
            let spec = format!("spline(*, {})", case["knots"]);
            let recipe = recipe(&spec);
            assert_near(&raw(&recipe, &text), &case["features"], &spec);
            assert_near(&raw(&recipe, &new), &case["new"], "outside the knots");
        }
    }
}

/// Two numbers, one with missing cells, and two categories, one with missing cells.
const MIXED: &str = "u,v,color,size,y\n1,,red,s,n\n2,3,blue,l,y\n4,5,red,l,n\n7,9,,s,y\n\
                     3,8,blue,s,n\n9,2,red,l,y\n";
const EVERY: &str = "log(u); bins(v, 3); poly(2); interactions";

#[test]
fn names_tell_the_factors() {
    assert_eq!(
        features("x1,x2,y\n0,0,n\n0,1,y\n1,0,y\n1,2,n\n", "poly(2)"),
        ["x1", "x2", "x1²", "x1:x2", "x2²"]
    );
    assert_eq!(
        features(MIXED, "interactions(u, color); interactions(color, size)")[8..],
        [
            "color=blue:u",
            "color=red:u",
            "color=missing:u",
            "color=blue:size=l",
            "color=blue:size=s",
            "color=red:size=l",
            "color=red:size=s",
            "color=missing:size=s",
        ],
        "only pairs of levels in training"
    );
    assert_eq!(features(MIXED, "log(u);poly(3, u)")[0], "log1p(u)");
    let all = features(MIXED, "log(u);poly(3, u)");
    assert_eq!(all[all.len() - 2..], ["log1p(u)²", "log1p(u)³"]);
    assert_eq!(features(MIXED, "bins(u, 2)")[..2], ["u<3.5", "u≥3.5"]);
    assert_eq!(features(MIXED, "spline(u, 2)")[..3], ["spline(u)#0", "spline(u)#1", "spline(u)#2"]);
    assert_eq!(features(MIXED, "log(u)")[..3], ["log1p(u)", "v", "v=missing"]);
}

#[test]
fn missing_factors_are_imputed() {
    let training = train(MIXED, &settings("poly(2, u, v); interactions(v, color)")).unwrap();
    let names = training.recipe.features();
    let value = |row: usize, name: &str| {
        let j = names.iter().position(|own| own == name).unwrap();
        raw(&training.recipe, MIXED)[row][j]
    };
    let mean = (3.0 + 5.0 + 9.0 + 8.0 + 2.0) / 5.0;
    assert_eq!((value(0, "u:v"), value(0, "v²")), (mean, mean * mean));
    assert_eq!((value(0, "color=red:v"), value(0, "color=blue:v")), (mean, 0.0));
    assert_eq!(value(3, "color=missing:v"), 9.0);
    let logarithm = train(MIXED, &settings("log(v)")).unwrap().recipe;
    let new = raw(&logarithm, "u,v,color,size\n1,-4,red,s\n1,,red,s\n1,0,red,s\n");
    assert_eq!(new[0], new[1], "a negative number has no logarithm");
    assert_eq!((new[0][1], new[0][2], new[2][1]), ((1.0 + mean).ln(), 1.0, 0.0));
    let dropping = TrainingSettings {
        recipe: RecipeSettings { missing: MissingPolicy::Drop, ..settings(EVERY).recipe },
        ..TrainingSettings::default()
    };
    assert_eq!(train(MIXED, &dropping).unwrap().x.n(), 4);
}

/// Derived features have mean 0 and standard deviation 1 in training, and sample weight 2 is a
/// repeated row.
#[test]
fn derived_features_are_standardized_with_weights() {
    let whole = MIXED.replace(",,", ",6,").replace("9,6,s", "9,red,s");
    let spec = "log(u); spline(v, 3); poly(3); interactions";
    let weights = vec![1.0, 2.0, 1.0, 3.0, 1.0, 2.0];
    let weighted =
        TrainingSettings { weights: Some(SampleWeights::Rows(weights.clone())), ..settings(spec) };
    let once = train(&whole, &weighted).unwrap();
    let units = once.recipe.units();
    for j in 0..once.recipe.width() {
        if units.scale[j] == 1.0 && units.mean[j] == 0.0 {
            continue;
        }
        let mean = |f: fn(f64) -> f64| {
            let terms = (0..once.x.n()).map(|i| weights[i] * f(once.x.row(i)[j]));
            terms.sum::<f64>() / weights.iter().sum::<f64>()
        };
        let name = &once.recipe.features()[j];
        assert!(mean(|z| z).abs() < 1e-12, "mean of {name}");
        assert!((mean(|z| z * z) - 1.0).abs() < 1e-12, "standard deviation of {name}");
    }
    let mut lines = whole.lines();
    let mut repeated = format!("{}\n", lines.next().unwrap());
    for (line, weight) in lines.zip(&weights) {
        repeated += &format!("{line}\n").repeat(*weight as usize);
    }
    let twice = train(&repeated, &settings(spec)).unwrap();
    assert_eq!(twice.recipe.features(), once.recipe.features());
    let other = twice.recipe.units();
    let pairs = units.scale.iter().zip(&other.scale).chain(units.mean.iter().zip(&other.mean));
    for (a, b) in pairs {
        assert!((a - b).abs() <= 1e-12 * a.abs().max(1.0), "{a} {b}");
    }
}

#[test]
fn every_kind_round_trips_and_encodes_rows_alike_in_blocks() {
    let mut met = Vec::new();
    for spec in [EVERY, "spline(*, 4); interactions", "poly(3)"] {
        let recipe = train(MIXED, &settings(spec)).unwrap().recipe;
        let text = serde_json::to_string(&recipe).unwrap();
        let loaded = serde_json::from_str::<Recipe>(&text).unwrap();
        assert_eq!(loaded, recipe);
        met.extend(recipe.steps.iter().map(|step| step.kind().name));
        for scaling in [Scaling::Raw, Scaling::Standard] {
            let encode = |table| loaded.encode(Input::Table(table), scaling).unwrap().x.unwrap();
            let one = |i: usize| rows(&encode(table(MIXED).select_rows(&[i])));
            let alone: Vec<Vec<f64>> = (0..6).flat_map(one).collect();
            assert_eq!(alone, rows(&encode(table(MIXED))), "{spec}");
        }
    }
    for kind in ALL.iter().filter(|kind| !["square", "hashed", "text"].contains(&kind.name)) {
        assert!(met.contains(&kind.name), "{}", kind.name);
    }
}

#[test]
fn contradictory_steps_are_not_loaded() {
    let recipe = train(MIXED, &settings("log(u); spline(v, 3); interactions; poly(2)")).unwrap();
    let mut refused = 0;
    let step = |kind: &str| -> Value {
        let steps = recipe.recipe.steps.iter();
        let mut own = steps.filter(|step| step.kind().name == kind);
        serde_json::to_value(own.next().unwrap()).unwrap()
    };
    let bad = [
        ("product", "columns", serde_json::json!([])),
        ("product", "powers", serde_json::json!([1])),
        ("spline", "knots", serde_json::json!([1.0, 2.0])),
        ("spline", "functions", serde_json::json!([])),
        ("logarithm", "units", serde_json::json!({"mean": 0.0, "scale": 0.0})),
        ("level-slope", "slopes", serde_json::json!([])),
        ("level-pair", "pairs", serde_json::json!([[0, 9]])),
        ("level-pair", "columns", serde_json::json!(["color"])),
    ];
    for (kind, field, value) in bad {
        let mut forged = step(kind);
        assert!(serde_json::from_value::<Box<dyn Step>>(forged.clone()).is_ok());
        forged[field] = value;
        let error = serde_json::from_value::<Box<dyn Step>>(forged).unwrap_err().to_string();
        assert!(error.contains("contradict"), "{kind}: {error}");
        refused += 1;
    }
    assert_eq!(refused, 8);
}

#[test]
fn constant_products_are_dropped_with_a_note() {
    let text = "u,v,y\n0,1,n\n1,0,y\n0,2,n\n3,0,y\n";
    let training = train(text, &settings("interactions")).unwrap();
    assert_eq!(training.recipe.features(), ["u", "v"]);
    assert_eq!(training.notes[0].text, "products of columns dropped: 1: u:v (constant 0)");
    let huge = "u,v,y\n1e200,1,n\n2e200,5,y\n-3e200,2,n\n0,0,y\n";
    let training = train(huge, &settings("poly(2)")).unwrap();
    assert_eq!(training.recipe.features(), ["u", "v", "u:v", "v²"]);
    assert!(training.notes[0].text.contains("u:u (its values overflow)"));
    let predicted = raw(&training.recipe, "u,v\n1e308,1e308\n");
    assert!(predicted[0].iter().all(|v| v.is_finite()), "{predicted:?}");
}

#[test]
fn wrong_specifications_are_refused() {
    for (spec, want) in [
        ("poly", "expected poly(2) or poly(2, x, y), found no degree"),
        ("poly(1)", "expected a degree from 2 to 5, found 1"),
        ("poly(x)", "expected a degree from 2 to 5, found x"),
        ("poly(2", "expected `)` at the end, found poly(2"),
        ("pol(2)", "expected poly, interactions, log, bins or spline, found pol"),
        ("log", "expected log(x) or log(*), found no column"),
        ("log()", "expected a column, found none"),
        ("interactions(x)", "expected interactions or interactions(x, y), found interactions(x)"),
        ("bins(x)", "expected columns and a number, bins(x, 10), found bins(x)"),
        ("bins(x, 1)", "expected a number of bins from 2 to 1000, found 1"),
        ("spline(x, y)", "expected a number of knots from 2 to 1000, found y"),
        ("log(\"x)", "expected a closing quote, found log(\"x)"),
        ("log(x);", "expected poly, interactions, log, bins or spline, found "),
    ] {
        assert_eq!(FeatureMap::parse_all(spec).unwrap_err(), want, "{spec}");
    }
    assert_eq!(
        FeatureMap::parse_all(" log( \"a,b;(c\" , d ) ; poly(2)").unwrap(),
        [
            FeatureMap::Log { columns: vec!["a,b;(c".into(), "d".into()] },
            FeatureMap::Polynomial { degree: 2, columns: Vec::new() },
        ]
    );
    // Characters in any order.
    let letters = ["poly", "log", "(", ")", ",", ";", "\"", "*", "2", " ", "é", "bins", "spline"];
    for i in 0..20_000_usize {
        let pick = |k: usize| letters[(i / letters.len().pow(k as u32)) % letters.len()];
        let _ = FeatureMap::parse_all(&(0..4).map(pick).collect::<String>());
    }
}

#[test]
fn unsuitable_columns_are_refused() {
    let refused = |spec: &str| train(MIXED, &settings(spec)).unwrap_err().to_string();
    assert_eq!(
        refused("poly(2, colors)"),
        "t.csv: no column \"colors\". The columns are: u, v, color, size, y. \
         Did you mean \"color\"?"
    );
    assert!(refused("spline(color, 5)").contains("expected a numeric column in `features`"));
    assert!(refused("interactions(u, y)").contains("found the target"));
    assert!(refused("log(u); spline(u, 5)").contains("found several"));
    assert!(refused("log(*); spline(*, 5)").contains("found several"));
    let negative = train("x,y\n1,a\n-2.5,b\n", &settings("log(x)")).unwrap_err().to_string();
    assert_eq!(
        negative,
        "t.csv, column 1 (x): expected numbers of at least 0 for a logarithm, found -2.5 in row \
         2. Use `features=spline(x, 5)`."
    );
    let kept = features("x,z,y\n1,0,a\n-2.5,4,b\n3,5,a\n", "log(*)");
    assert_eq!(kept, ["x", "log1p(z)"], "log(*) leaves columns with negative numbers");
}

#[test]
fn too_many_products_are_refused_before_they_are_computed() {
    let names: Vec<String> = (0..200).map(|j| format!("c{j}")).collect();
    let row = |i: usize| {
        let cells: Vec<String> = (0..200).map(|j| (i * j % 7).to_string()).collect();
        format!("{},{}\n", cells.join(","), i % 2)
    };
    let text = format!("{},y\n{}", names.join(","), (0..9).map(row).collect::<String>());
    let limited = TrainingSettings { memory: Memory(1 << 30), ..settings("poly(5)") };
    let error = train(&text, &limited).unwrap_err().to_string();
    assert!(error.contains("encoding 9 rows as 1328902788 products of columns"), "{error}");
}
