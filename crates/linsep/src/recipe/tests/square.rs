//! A new step is a file and a line of the registry: x² goes from the table to the explanation of a
//! prediction without another change.

use super::{Scaling, TrainingSettings, rows, table};
use crate::error::Error;
use crate::explain::{Cell, Explain};
use crate::model_file::{Header, ModelFile};
use crate::recipe::step::{Affine, Cells, Encoder, Sample, Step, StepKind, load};
use crate::scoring::SelectedRow;
use crate::{Recipe, TrainingData};
use linsep_core::control::Note;
use linsep_core::features::column_statistics;
use linsep_core::{DecisionRule, Hyperplane, Label, LinearModel};
use linsep_io::csv::Force;
use linsep_io::input::Input;
use linsep_io::table::{Column, Values};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::slice;

/// The square of a number.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Square {
    name: String,
    mean: f64,
    scale: f64,
}

/// Numeric columns with a name that ends with ².
pub(in crate::recipe) const KIND: StepKind = StepKind {
    name: "square",
    adjective: "numeric",
    title: "Squared columns",
    learn,
    load: load::<Square>,
};

fn learn(
    sample: &Sample<'_>,
    column: &Column,
    _: &mut Vec<Note>,
) -> Option<Result<Box<dyn Step>, String>> {
    let name = column.name.clone();
    let Values::Numeric { slot } = column.values else { return None };
    if !name.ends_with('²') {
        return None;
    }
    let squares: Vec<f64> =
        (0..sample.table.rows).map(|i| sample.table.row(i)[slot].powi(2)).collect();
    let spread = column_statistics(&squares, 1, sample.weights)[0];
    Some(if spread.is_constant() {
        Err(format!("constant square {}", spread.mean))
    } else {
        Ok(Box::new(Square { name, mean: spread.mean, scale: spread.deviation }))
    })
}

impl Step for Square {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn columns(&self) -> &[String] {
        slice::from_ref(&self.name)
    }

    fn reads(&self) -> Force {
        Force::Numeric
    }

    fn width(&self) -> usize {
        1
    }

    fn feature(&self, _: usize) -> String {
        format!("({})", self.name)
    }

    fn units(&self, _: usize) -> Option<(f64, f64)> {
        Some((self.mean, self.scale))
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error> {
        let (number, by) = (cells.numbers(0)?, Affine::new(self.mean, self.scale, scaling));
        Ok(Box::new(move |rows, out| {
            for (k, &i) in rows.iter().enumerate() {
                out.put(k, 0, by.of(number(i).powi(2)));
            }
        }))
    }
}

const TEXT: &str = "a,b²,same²,y\n1,-3,2,n\n2,1,-2,y\n4,3,2,n\n,-1,2,y\n";

/// Returns the model 1·a + 2·[a=missing] − 3·b² + 4 over the columns of [`TEXT`].
fn model_file(recipe: Recipe) -> ModelFile {
    let classes = vec![Label::Text("n".into()), Label::Text("y".into())];
    let hyperplane = Hyperplane { w: vec![1.0, 2.0, -3.0], b: 4.0 };
    let model = LinearModel::new(classes, vec![hyperplane], DecisionRule::Sign).unwrap();
    let model = linsep_core::model::Model::from(model);
    let header = Header::new("perceptron", &model, recipe);
    ModelFile { model, directions: Vec::new(), header }
}

#[test]
fn new_step_is_a_file_and_a_line() {
    // Learn, name, encode.
    let training =
        TrainingData::new(Input::Table(table(TEXT)), &TrainingSettings::default()).unwrap();
    assert_eq!(training.recipe.features(), ["a", "a=missing", "(b²)"]);
    assert_eq!(training.notes.len(), 1);
    assert_eq!(training.notes[0].text, "column same² dropped: constant square 4");
    let standardized: Vec<f64> = rows(&training.x).iter().map(|row| row[2]).collect();
    assert_eq!(standardized, [1.0, -1.0, 1.0, -1.0], "squares are 9 and 1");
    let raw = training.recipe.encode(Input::Table(table(TEXT)), Scaling::Raw).unwrap();
    assert_eq!(rows(&raw.x.unwrap())[3], [7.0 / 3.0, 1.0, 1.0]);

    // Save and load.
    let saved = model_file(training.recipe);
    let loaded = ModelFile::from_bytes("m", &saved.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded, saved);
    let recipe = serde_json::to_value(&loaded.header.recipe).unwrap();
    assert_eq!(recipe["steps"][1]["encoding"], "square");

    // Explain.
    let explain = Explain { model_file: &loaded, against: None, allow: None, most: 9 };
    let input = Input::Table(table(TEXT).select_rows(&[0]));
    let explained = explain.row(&SelectedRow { row: 0, input, label: None }).unwrap().unwrap();
    assert_eq!(explained.score, 1.0 - 27.0 + 4.0);
    let part = &explained.contributions[0];
    assert_eq!((part.name.as_str(), &part.cell), ("b²", &Cell::Number(-3.0)));
    assert!((part.value - -3.0 * (9.0 - 5.0)).abs() < 1e-12, "from the mean square, 5");
    let names: Vec<&str> = explained.number_changes.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["a"], "a coefficient does not bound the change of a square");
    let error = crate::card::lines("m", &loaded).unwrap_err().to_string();
    assert!(error.contains("b²"), "{error}");
}

/// Loading is strict.
#[test]
fn unknown_steps_and_fields_are_refused() {
    let load =
        |step: Value| serde_json::from_value::<Box<dyn Step>>(step).map_err(|e| e.to_string());
    let good = serde_json::json!({"encoding": "square", "name": "b²", "mean": 5.0, "scale": 4.0});
    assert_eq!(serde_json::to_value(load(good.clone()).unwrap()).unwrap(), good);
    let with = |key: &str, value: Value| {
        let mut step = good.clone();
        step[key] = value;
        load(step).unwrap_err()
    };
    assert_eq!(with("encoding", Value::from("cube")), "unknown encoding \"cube\"");
    assert!(with("more", Value::from(1)).starts_with("unknown field `more`"));
    assert!(with("mean", Value::from("b")).contains("expected f64"));
    let nameless = load(serde_json::json!({"name": "b²"})).unwrap_err();
    assert_eq!(nameless, "missing field `encoding`");
}
