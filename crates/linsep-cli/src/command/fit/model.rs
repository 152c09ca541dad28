//! The model file of a fit: its path and its content.

use super::infer::InferenceSetup;
use crate::failure::Failure;
use linsep::Problem;
use linsep::TrainingData;
use linsep::learner::{Fit, Learner};
use linsep::model_file::{self, CertificateRecord, CertifiedRecord, Header, ModelFile};
use linsep::options::Setting;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Default path in the current folder: iris.csv → iris.linsep; data.csv.gz → data.linsep; stdin →
/// model.linsep.
pub(super) fn default_path(data: &Path) -> PathBuf {
    let name = data.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = name.as_deref().and_then(|name| name.split('.').find(|part| !part.is_empty()));
    match stem {
        Some(stem) if stem != "-" => PathBuf::from(format!("{stem}.linsep")),
        _ => PathBuf::from("model.linsep"),
    }
}

/// The model in raw units, with its header.
pub(super) fn model_file(
    fit: &Fit,
    learner: &dyn Learner,
    (training, problem): (&TrainingData, &Problem<'_>),
    inference: Option<&InferenceSetup<'_>>,
) -> Result<ModelFile, Failure> {
    let setting = |(name, value): (&str, Setting)| {
        let value = match value {
            Setting::Number(v) => model_file::number(v),
            Setting::Word(word) => Value::from(word),
            Setting::Text(text) => Value::from(text),
        };
        (name.to_owned(), value)
    };
    let settings = learner.settings().into_iter().chain(fit.chosen.iter().cloned());
    let certificates = fit.certificates();
    let records = certificates.iter().map(|(own, solver)| CertificateRecord::new(own, solver));
    let header = Header {
        settings: settings.map(setting).collect(),
        multiclass: fit.multiclass.map(str::to_owned),
        training: model_file::Training {
            rows: training.x.n(),
            stop: fit.stop.name().to_owned(),
            epochs: fit.epochs,
            updates: fit.updates,
            mistakes: fit.mistakes,
            accuracy: fit.accuracy,
            proofs: records.collect(),
            certified: fit.certified_rows(problem).map(CertifiedRecord::from),
            tuning: None,
            trust: None,
        },
        inference: inference.and_then(|own| own.record(fit, &training.recipe)),
        ..Header::new(learner.name(), &fit.model, training.recipe.clone())
    };
    let recipe = &training.recipe;
    let directions = match recipe.standardize() {
        None => fit.directions.clone(),
        Some(by) => fit.directions.iter().map(|direction| by.to_raw_units(direction)).collect(),
    };
    Ok(ModelFile { model: recipe.to_raw_units(&fit.model)?, directions, header })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_model_name_is_that_of_the_data() {
        let path = |data: &str| default_path(Path::new(data)).display().to_string();
        assert_eq!(path("examples/iris.csv"), "iris.linsep");
        assert_eq!(path("covtype.csv.gz"), "covtype.linsep");
        assert_eq!(path(".hidden.csv"), "hidden.linsep");
        assert_eq!(path("-"), "model.linsep");
    }
}
