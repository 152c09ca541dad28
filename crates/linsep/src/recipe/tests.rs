mod features;
mod product;
pub(super) mod square;

use super::*;
use crate::TrainingSettings;
use linsep_core::Design;
use linsep_io::csv::{CsvOptions, read_csv};
use linsep_io::source::Source;
use linsep_io::table::Table;

fn table(text: &str) -> Table {
    read_csv(Source::from_bytes("t.csv", text.as_bytes()), &CsvOptions::default()).unwrap()
}

fn learn(text: &str, settings: &RecipeSettings) -> (Recipe, Vec<String>) {
    let table = table(text);
    let roles = Recipe { target: "y".to_owned(), ..Recipe::default() };
    let (recipe, notes) = roles.fit(&table, &vec![1.0; table.rows], settings);
    (recipe, notes.into_iter().map(|note| note.text).collect())
}

fn encode(recipe: &Recipe, text: &str, scaling: Scaling) -> Result<Encoded, Error> {
    recipe.encode(Input::Table(table(text)), scaling)
}

fn rows(x: &Design) -> Vec<Vec<f64>> {
    (0..x.n()).map(|i| x.row(i)).collect()
}

const MIXED: &str = "age,color,y\n10,red,0\n,blue,1\n30,,0\n20,red,1\n";

#[test]
fn mixed_table_is_encoded() {
    let (recipe, notes) = learn(MIXED, &RecipeSettings::default());
    assert_eq!(notes, [] as [&str; 0]);
    assert_eq!(
        recipe.features(),
        ["age", "age=missing", "color=blue", "color=red", "color=missing"]
    );

    let encoded = encode(&recipe, MIXED, Scaling::Raw).unwrap();
    let x = rows(&encoded.x.unwrap());
    assert_eq!(x[0], [10.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(x[1], [20.0, 1.0, 1.0, 0.0, 0.0], "the mean stands for what is missing");
    assert_eq!(x[2], [30.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        encoded.counts.missing.into_iter().collect::<Vec<_>>(),
        [("age".to_owned(), 1), ("color".to_owned(), 1)]
    );
}

#[test]
fn standardized_and_raw_scores_agree() {
    let (recipe, _) = learn(MIXED, &RecipeSettings::default());
    let standard = rows(&encode(&recipe, MIXED, Scaling::Standard).unwrap().x.unwrap());
    let ages: Vec<f64> = [0, 2, 3].map(|i| standard[i][0]).to_vec();
    assert!(ages.iter().sum::<f64>().abs() < 1e-12);
    assert!((ages.iter().map(|z| z * z).sum::<f64>() / 3.0 - 1.0).abs() < 1e-12);
    assert_eq!(standard[1][0], 0.0);

    let hyperplane = Hyperplane { w: vec![0.5, -1.0, 2.0, 0.25, 3.0], b: -0.125 };
    let folded = recipe.units().to_raw_units(&hyperplane);
    let raw = rows(&encode(&recipe, MIXED, Scaling::Raw).unwrap().x.unwrap());
    for (z, x) in standard.iter().zip(&raw) {
        assert!((hyperplane.at(z) - folded.at(x)).abs() < 1e-12);
    }
}

#[test]
fn unseen_levels_are_zeros_and_counted() {
    let (recipe, _) = learn("color,y\nred,0\nblue,1\n", &RecipeSettings::default());
    let encoded = encode(&recipe, "color,y\ngreen,0\nred,1\n,0\n", Scaling::Raw).unwrap();
    assert_eq!(rows(&encoded.x.unwrap()), [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]);
    assert_eq!(encoded.counts.unseen["color"], 1);
    assert_eq!(encoded.counts.missing["color"], 1);
}

#[test]
fn columns_are_matched_by_name() {
    let (recipe, _) = learn("a,b,y\n1,2,0\n3,5,1\n", &RecipeSettings::default());
    let encoded = encode(&recipe, "y,b,more,a\n0,7,8,9\n1,6,5,4\n", Scaling::Raw).unwrap();
    assert_eq!(rows(&encoded.x.unwrap()), [[9.0, 7.0], [4.0, 6.0]]);
    let error = encode(&recipe, "a,c,y\n1,2,0\n3,5,1\n", Scaling::Raw).unwrap_err();
    assert!(error.to_string().contains("no column \"b\""));
}

#[test]
fn unused_columns_are_dropped_with_a_note() {
    let mut text = String::from("same,id,day,word,n,y\n");
    for i in 0..40 {
        text += &format!("1,u{i},2024-01-{:02},w{},{i},{}\n", i % 28 + 1, i % 3, i % 2);
    }
    let (recipe, notes) = learn(&text, &RecipeSettings::default());
    let used: Vec<&str> = recipe.columns().into_iter().map(|(name, _)| name).collect();
    assert_eq!(used, ["word", "n"]);
    let all = notes.join("\n");
    assert!(all.contains("column same dropped: constant 1"), "{all}");
    assert!(all.contains("column id dropped: looks like an identifier (40 distinct values)"));
    assert!(all.contains("column day dropped: looks like dates"));
    assert!(all.contains("column n numbers the rows"));
    let settings = RecipeSettings { keep: vec!["id".into()], ..RecipeSettings::default() };
    assert_eq!(learn(&text, &settings).0.columns()[0].0, "id");
}

#[test]
fn very_many_levels_are_hashed() {
    let mut text = String::from("w,y\n");
    for i in 0..300 {
        text += &format!("word{},{}\n", i % 100, i % 2);
    }
    let settings = RecipeSettings { max_levels: 50, buckets: 16, ..RecipeSettings::default() };
    let (recipe, _) = learn(&text, &settings);
    assert_eq!(recipe.width(), 16);
    let encoded = encode(&recipe, "w,y\nnew,0\nword1,1\nword1,0\n", Scaling::Raw).unwrap();
    let x = rows(&encoded.x.unwrap());
    assert!(x.iter().all(|row| row.iter().sum::<f64>() == 1.0), "every level is known");
    assert_eq!(x[1], x[2]);
}

#[test]
fn many_levels_give_a_sparse_design() {
    let mut text = String::from("w,n,y\n");
    for i in 0..60 {
        text += &format!("word{},{},{}\n", i % 20, i, i % 2);
    }
    let (recipe, _) = learn(&text, &RecipeSettings::default());
    let x = encode(&recipe, &text, Scaling::Standard).unwrap().x.unwrap();
    assert!(matches!(x, Design::SparseF64(_)), "two of 21 columns are filled");
    let z = (7.0 - 29.5) / recipe.units().scale[20];
    assert!((x.row(7)[recipe.width() - 1] - z).abs() < 1e-12);
}

#[test]
fn recipe_round_trips_through_json() {
    let (recipe, _) = learn(MIXED, &RecipeSettings::default());
    let text = serde_json::to_string(&recipe).unwrap();
    assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe);
}

#[test]
fn missing_values_can_be_refused() {
    let settings = RecipeSettings { missing: MissingPolicy::Error, ..RecipeSettings::default() };
    let (recipe, _) = learn(MIXED, &settings);
    let error = encode(&recipe, MIXED, Scaling::Raw).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "t.csv, line 3, column 1 (age): expected a value, found a missing \
        value"
        ),
        "{error}"
    );
}
