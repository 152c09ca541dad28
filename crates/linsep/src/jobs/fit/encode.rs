//! From the data to the training rows: holdout, folds, data check, encoding.

use super::Fit;
use super::separation::{is_small, is_undetermined};
use crate::dataset::{SampleWeights, TrainingData, TrainingSettings};
use crate::diagnostics::{DataCheck, check_data};
use crate::error::Error;
use crate::validate::{FoldSettings, FoldedData, hold_out};
use linsep_core::learner::Learner;
use linsep_core::{Design, Observer};
use linsep_io::Input;

/// Rows in memory that a model is evaluated on.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The rows.
    pub input: Input,
    /// Their indices in the data, if the rows are a subset.
    pub numbers: Option<Vec<usize>>,
    /// Sample weights of the subset, if a file gives the weights of all rows.
    pub weights: Option<Vec<f64>>,
}

/// The training rows, and what was set aside.
pub(super) struct Encoded {
    pub(super) training: TrainingData,
    pub(super) raw: RawFeatures,
    pub(super) folded: Option<FoldedData>,
    /// Held-out rows; else the training rows, if a report evaluates them.
    pub(super) aside: Option<Rows>,
    pub(super) checked: Option<DataCheck>,
}

/// The features in raw units, for the exact tests of separation.
pub(super) enum RawFeatures {
    /// Not needed.
    Unused,
    /// Those of training.
    Same,
    /// Those of training before standardization.
    Own(Design),
}

impl RawFeatures {
    /// The features, if they are needed; `x` are those of training.
    pub(super) fn features<'a>(&'a self, x: &'a Design) -> Option<&'a Design> {
        match self {
            Self::Unused => None,
            Self::Same => Some(x),
            Self::Own(raw) => Some(raw),
        }
    }
}

impl Fit {
    /// Encodes the training rows, which a report evaluates itself if there is no test data.
    pub(super) fn encode(
        &self,
        data: Input,
        untested: bool,
        learner: &dyn Learner,
        watch: &mut dyn Observer,
    ) -> Result<Encoded, Error> {
        // 1. The rows that are set aside.
        let (mut input, settings, mut aside) = self.held_out(data)?;
        if aside.is_none() && self.report && untested {
            let weights = match &self.data.weights {
                Some(SampleWeights::Rows(weights)) => Some(weights.clone()),
                _ => None,
            };
            aside = Some(Rows { input: input.clone(), numbers: None, weights });
        }

        // 2. The folds, whose columns are no features.
        let folded = self.folded(&input, &settings)?;
        let dropped = folded.as_ref().map_or_else(Vec::new, |folded| folded.taken.clone());
        dropped.iter().for_each(|column| input.drop_column(&column.name));

        // 3. The features and the classes.
        let check = || check_data(input.clone(), &settings, None, &mut ());
        let checked = self.report.then(check).transpose()?;
        let small = is_small(&input);
        let needed = match &self.inference {
            Some(own) => !own.firth || small,
            None => small && is_undetermined(learner),
        };
        let (mut training, raw) = TrainingData::with_raw_features(input, &settings, needed)?;
        let raw = match raw {
            _ if !needed => RawFeatures::Unused,
            None => RawFeatures::Same,
            Some(raw) => RawFeatures::Own(raw),
        };
        training.recipe.dropped.extend(dropped);
        training.notes.iter().for_each(|note| watch.note(note));
        Ok(Encoded { training, raw, folded, aside, checked })
    }

    /// The training rows and their settings, and the rows held out.
    fn held_out(&self, data: Input) -> Result<(Input, TrainingSettings, Option<Rows>), Error> {
        let Some(share) = self.holdout else { return Ok((data, self.data.clone(), None)) };
        let (rest, aside) = hold_out(&data, share, self.seed(), &self.data)?;
        let weights = match self.data.of_rows(&data, &aside)?.weights {
            Some(SampleWeights::Rows(weights)) => Some(weights),
            _ => None,
        };
        let held_out = Rows { input: data.select_rows(&aside), numbers: Some(aside), weights };
        Ok((data.select_rows(&rest), self.data.of_rows(&data, &rest)?, Some(held_out)))
    }

    /// The folds, if a step needs them.
    fn folded(
        &self,
        input: &Input,
        settings: &TrainingSettings,
    ) -> Result<Option<FoldedData>, Error> {
        let (tunes, processes) = (self.tune.is_some(), self.post_processing().is_some());
        if !(tunes || processes) {
            return Ok(None);
        }
        let folds = self.folds.clone().unwrap_or_default();
        let folds = FoldSettings { seed: self.seed(), ..folds };
        let folded = FoldedData::new(input.clone(), settings, &folds)?;
        match folded.classes.len() {
            k if self.threshold.is_some() && k > 2 => Err(Error::Request(format!(
                "`threshold` requires two classes, found {k}. Merge classes with `label-map` \
                 OLD=NEW, or use `abstain`, which works with any number of classes."
            ))),
            // The folds of tuning are those of post-processing: each recipe is learned once.
            _ if tunes && processes => Ok(Some(folded.keeping())),
            _ => Ok(Some(folded)),
        }
    }
}
