//! Projection of rows onto the discriminant directions of a model.

use crate::error::Error;
use crate::labels::LabelMap;
use crate::model_file::ModelFile;
use crate::scoring::Scoring;
use linsep_core::control::{Note, literal};
use linsep_core::{Observer, float};
use linsep_io::{ReadOptions, Source};
use serde::{Deserialize, Serialize};

/// Request for a projection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Transform {
    /// Number of directions, those of the largest between-class variance first; all by default.
    pub dims: Option<usize>,
}

/// Outcome of a projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransformOutcome {
    /// Names of the coordinates.
    pub names: Vec<String>,
    /// The coordinates of every row; `None` for a row with a missing value that the model does not
    /// accept.
    #[serde(with = "float")]
    pub rows: Vec<Option<Vec<f64>>>,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

impl TransformOutcome {
    /// The name of a coordinate, counted from 1.
    pub fn direction(j: usize) -> String {
        format!("direction_{j}")
    }
}

impl Transform {
    /// Returns the number of directions; refuses a model without them, and more than it has. `file`
    /// is the name of the model.
    pub fn check(&self, model_file: &ModelFile, file: &str) -> Result<usize, Error> {
        let (has, file) = (model_file.directions.len(), literal(file));
        if has == 0 {
            return Err(Error::Refused(format!(
                "{file}: expected a model with discriminant directions, found {}. Fit a model \
                 with `method=fisher`.",
                model_file.header.method
            )));
        }
        let dims = self.dims.unwrap_or(has);
        if !(1..=has).contains(&dims) {
            return Err(Error::Request(format!(
                "`dims`: expected 1 to {has}, the number of directions of {file}, found {dims}"
            )));
        }
        Ok(dims)
    }

    /// Projects the rows of sources, one source after another. `file` is the name of the model.
    pub fn run(
        &self,
        model_file: &ModelFile,
        file: &str,
        sources: Vec<Source>,
        read: &ReadOptions,
        watch: &mut dyn Observer,
    ) -> Result<TransformOutcome, Error> {
        let dims = self.check(model_file, file)?;
        let scoring = Scoring {
            model_file,
            projection: Some(&model_file.directions[..dims]),
            read,
            labels: false,
            target: None,
            counts: &[],
            weights: None,
            map: &LabelMap::default(),
        };
        watch.stage("projecting", None);
        let cancel = watch.cancel();
        let (mut rows, mut notes) = (Vec::new(), Vec::new());
        for source in sources {
            notes.extend(scoring.run(source, |batch| {
                cancel.check("the projections")?;
                let mut scores = batch.scores.chunks_exact(dims);
                let row =
                    |kept: &bool| if *kept { scores.next().map(<[f64]>::to_vec) } else { None };
                rows.extend(batch.kept.iter().map(row));
                watch.done(rows.len());
                Ok(())
            })?);
        }
        let names = (1..=dims).map(TransformOutcome::direction).collect();
        Ok(TransformOutcome { names, rows, notes })
    }
}
