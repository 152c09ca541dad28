//! Data, golden files and shorthands of the tests.

use linsep::ModelFile;
use linsep::core::{Hyperplane, Label};
use linsep::io::input::read_source;
use linsep::io::{Input, ReadOptions, Source};
use linsep::jobs::{Evaluate, Fit, FitOutcome};
use linsep::prelude::{Evaluation, Method};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Three classes in a triangle, with two features.
pub(crate) const TRIANGLE: &str =
    "x,y,class\n0,0,a\n1,0,a\n0,1,a\n8,0,b\n9,1,b\n8,1,b\n4,8,c\n5,9,c\n4,9,c\n";

/// Data as read from a file of this content.
pub(crate) fn input(text: impl Into<Vec<u8>>) -> Input {
    read_source(Source::from_bytes("data", text), &ReadOptions::default()).unwrap()
}

/// Path of an example.
pub(crate) fn example_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Data of an example.
pub(crate) fn example(name: &str) -> Input {
    Input::read(example_path(name)).unwrap()
}

/// A file of `golden`.
pub(crate) fn golden(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

/// The fit of a method with default settings.
pub(crate) fn fit(method: Method, data: &Input) -> FitOutcome {
    Fit::new(method).run(data).unwrap()
}

/// A fit without standardization.
pub(crate) fn raw(method: Method) -> Fit {
    let mut fit = Fit::new(method);
    fit.data.recipe.standardize = false;
    fit
}

/// The model after it was saved and loaded.
pub(crate) fn reloaded(fit: &FitOutcome) -> ModelFile {
    ModelFile::from_bytes("model", &fit.model_file.to_bytes().unwrap()).unwrap()
}

/// The hyperplanes in raw units.
pub(crate) fn hyperplanes(fit: &FitOutcome) -> &[Hyperplane] {
    fit.model_file.model.hyperplanes()
}

/// The predicted classes, all of which exist.
pub(crate) fn predicted(model: &ModelFile, rows: &Input) -> Vec<Label> {
    model.predict(rows).unwrap().into_iter().map(Option::unwrap).collect()
}

/// The evaluation of a model on a file of this content.
pub(crate) fn evaluated(job: &Evaluate, model: &ModelFile, text: &str) -> Evaluation {
    let source = Source::from_bytes("data", text);
    job.run(model, vec![source], &ReadOptions::default(), &mut ()).unwrap().evaluation
}

/// Labels as they are written in a file.
pub(crate) fn labels<const N: usize>(names: [&str; N]) -> [Label; N] {
    names.map(Label::parse)
}

#[track_caller]
pub(crate) fn assert_close(got: &[f64], want: &[f64], within: f64) {
    assert_eq!(got.len(), want.len(), "{got:?} {want:?}");
    assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() <= within), "{got:?} {want:?}");
}
