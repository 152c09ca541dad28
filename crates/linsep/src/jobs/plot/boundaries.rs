//! Rows of two features, with the decision boundaries of several methods.

use super::scatter::in_raw_units;
use super::{Prepared, Scatter, Segment};
use crate::error::Error;
use linsep_core::learner::{Entry, Method};
use linsep_core::options::Options;
use linsep_core::{Observer, float};
use serde::{Deserialize, Serialize};

/// Request for the decision boundaries of several methods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotBoundaries {
    /// The methods, with default settings.
    pub methods: Vec<&'static Entry>,
}

impl Default for PlotBoundaries {
    fn default() -> Self {
        Self { methods: vec![Method::logistic().entry(), Method::least_squares().entry()] }
    }
}

/// Rows of two features, with the boundary of each method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boundaries {
    /// The rows.
    pub rows: Scatter,
    /// Name and boundary of each method.
    #[serde(with = "float::named")]
    pub methods: Vec<(String, Vec<Segment>)>,
}

impl PlotBoundaries {
    /// Trains each method.
    pub(super) fn run(
        &self,
        own: &Prepared,
        watch: &mut dyn Observer,
    ) -> Result<Boundaries, Error> {
        let training = &own.training;
        let Ok(axes) = <[String; 2]>::try_from(training.recipe.features()) else {
            let found = format!("{}. Choose two with `columns`.", training.x.d());
            return Err(own.refused("boundaries", "2 features", &found));
        };
        let problem = own.problem()?;
        let rows = Scatter::new(axes, &in_raw_units(training), &training.labels);
        let mut methods = Vec::new();
        for entry in &self.methods {
            let learner = entry.learner(&Options::default())?;
            let fit = learner.learn(&problem, None, None, watch)?;
            let model = training.recipe.to_raw_units(&fit.model)?;
            methods.push((entry.name.to_owned(), rows.boundaries(&model)));
        }
        Ok(Boundaries { rows, methods })
    }
}
