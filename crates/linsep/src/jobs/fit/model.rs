//! The model file of a fit: hyperplanes in raw units, and the summary of training.

use super::Setup;
use super::inference::Inferred;
use crate::error::Error;
use crate::model_file::{self, CertificateRecord, CertifiedRecord, Header, ModelFile};
use linsep_core::learner::{FitResult, Learner, Scheme};
use linsep_core::model::Model;
use linsep_core::options::Setting;
use serde_json::Value;
use std::borrow::Cow;

/// The settings in force, those selected from the data included.
pub(super) fn settings(
    learner: &dyn Learner,
    fit: &FitResult,
) -> Vec<(Cow<'static, str>, Setting)> {
    let own = learner.settings().into_iter().map(|(name, value)| (Cow::Borrowed(name), value));
    own.chain(fit.chosen.iter().cloned()).collect()
}

impl Setup<'_> {
    /// The model in raw units, with its header.
    pub(super) fn model_file(
        &self,
        fit: &FitResult,
        learner: &dyn Learner,
        inferred: Option<&Inferred>,
    ) -> Result<ModelFile, Error> {
        let setting = |(name, value): (Cow<'static, str>, Setting)| {
            let value = match value {
                Setting::Number(v) => model_file::number(v),
                Setting::Word(word) => Value::from(word),
            };
            (name.into_owned(), value)
        };
        let certificates = fit.certificates();
        let records = certificates.iter().map(|(own, solver)| CertificateRecord::new(own, solver));
        let recipe = &self.training.recipe;
        let model = Model::from(recipe.to_raw_units(&fit.model)?);
        let header = Header {
            settings: settings(learner, fit).into_iter().map(setting).collect(),
            multiclass: fit.multiclass.map(Scheme::name).map(str::to_owned),
            training: model_file::Training {
                rows: self.training.x.n(),
                stop: fit.stop.name().to_owned(),
                epochs: fit.epochs,
                updates: fit.updates,
                mistakes: fit.mistakes,
                accuracy: fit.accuracy,
                certificates: records.collect(),
                certified: fit.certified_rows(self.problem).map(CertifiedRecord::from),
                ..model_file::Training::default()
            },
            inference: inferred.and_then(|own| own.record(fit, self.training)),
            ..Header::new(learner.name(), &model, recipe.clone())
        };
        let directions = match recipe.standardize() {
            None => fit.directions.clone(),
            Some(by) => fit.directions.iter().map(|direction| by.to_raw_units(direction)).collect(),
        };
        Ok(ModelFile { model, directions, header })
    }
}
