//! A second type of models: the score of a class is minus the squared distance to its prototype.

use super::*;
use crate::jobs::{Evaluate, Explain, Fit, Predict, Scorecard};
use linsep_core::model::{FunctionSettings, ModelType, ScoreFunction};
use linsep_core::options::Setting;
use linsep_core::{Design, Error as CoreError};
use linsep_io::{Input, ReadOptions, Source};
use std::sync::Arc;

pub(in crate::model_file) const PROTOTYPES: ModelType = ModelType { name: "prototypes", load };

#[derive(Debug)]
struct Prototypes {
    /// One prototype per class, row-major.
    points: Vec<f64>,
    d: usize,
    /// Factor of the squared distance.
    scale: f64,
}

fn load(settings: FunctionSettings, from: &mut Tensors) -> Result<Arc<dyn ScoreFunction>, String> {
    let ([_, d], points) = from.f64("prototypes")?;
    match <[_; 1]>::try_from(settings) {
        Ok([(_, Setting::Number(scale))]) if d > 0 && points.iter().all(|v| v.is_finite()) => {
            Ok(Arc::new(Prototypes { points, d, scale }))
        }
        _ => Err("prototypes with a scale are expected".to_owned()),
    }
}

impl ScoreFunction for Prototypes {
    fn name(&self) -> &'static str {
        PROTOTYPES.name
    }

    fn d(&self) -> usize {
        self.d
    }

    fn width(&self) -> usize {
        self.points.len() / self.d
    }

    fn scores(&self, x: &Design) -> Result<Vec<f64>, CoreError> {
        if x.d() != self.d {
            return Err(CoreError::Shape { what: "columns", got: x.d(), want: self.d });
        }
        let score = |row: &[f64], point: &[f64]| {
            let squares = row.iter().zip(point).map(|(x, p)| (x - p) * (x - p));
            -self.scale * squares.sum::<f64>()
        };
        let scores = (0..x.n()).flat_map(|i| {
            let row = x.row(i);
            self.points.chunks_exact(self.d).map(move |point| score(&row, point))
        });
        Ok(scores.collect())
    }

    fn settings(&self) -> FunctionSettings {
        vec![("scale".into(), Setting::Number(self.scale))]
    }

    fn tensors(&self) -> Vec<Tensor> {
        vec![Tensor::f64("prototypes", &[self.width(), self.d], self.points.clone())]
    }
}

const DATA: &str = "x,y,class\n0,0,a\n0.5,0,a\n4,0,b\n3,0.5,b\n0,5,c\n1,4,c\n";

fn source() -> Source {
    Source::from_bytes("rows.csv", DATA.as_bytes())
}

fn rows() -> Input {
    linsep_io::read_source(source(), &ReadOptions::default()).unwrap()
}

/// Prototypes with the recipe of a linear model of the same rows.
fn model_file() -> ModelFile {
    let linear = Fit::default().run(&rows()).unwrap().model_file;
    let points = vec![0.0, 0.0, 4.0, 0.0, 0.0, 5.0];
    let function = Arc::new(Prototypes { points, d: 2, scale: 0.5 });
    let model = Model::new(linear.model.classes().to_vec(), function, DecisionRule::ArgMax);
    let model = model.unwrap().with_link(Link::Softmax);
    let header = Header::new("prototypes", &model, linear.header.recipe);
    ModelFile { model, directions: Vec::new(), header }
}

#[test]
fn another_type_of_models_is_saved_loaded_and_scored() {
    let model_file = model_file();
    let bytes = model_file.to_bytes().unwrap();
    let loaded = ModelFile::from_bytes("m.linsep", &bytes).unwrap();
    assert_eq!(loaded, model_file);
    assert_eq!(loaded.header.model.settings["scale"], 0.5);

    let predict = Predict { scores: true, probabilities: true, ..Predict::default() };
    let found = predict.rows(&loaded, rows()).unwrap();
    assert_eq!(found.classes, [0, 0, 1, 1, 2, 2].map(Some));
    assert_eq!(found.scores.unwrap()[3], Some(vec![-4.625, -0.625, -14.625]));
    let evaluated = Evaluate::default().measure_rows(&loaded, rows()).unwrap();
    assert_eq!(evaluated.evaluation.rows, 6);

    // In an outcome, a model is JSON.
    let text = serde_json::to_string(&loaded).unwrap();
    assert_eq!(serde_json::from_str::<ModelFile>(&text).unwrap(), loaded);
    let unknown =
        with_header(&bytes, |text| text.replace(r#""type":"prototypes""#, r#""type":"moons""#));
    assert!(refusal(&unknown).contains("unknown model type \"moons\""), "{}", refusal(&unknown));
}

#[test]
fn a_model_without_hyperplanes_is_refused_where_they_are_required() {
    let model_file = model_file();
    let expected = "m: expected a linear model, found one of type prototypes. Fit a linear method, \
                    such as `method=logistic`.";
    let read = ReadOptions::default();
    let error = Explain::default().run(&model_file, "m", source(), &read).unwrap_err();
    assert_eq!(error.to_string(), expected);
    let error = Scorecard::default().run(&model_file, "m", None).unwrap_err();
    assert_eq!(error.to_string(), expected);
}
