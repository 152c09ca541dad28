//! The workbench for linear classification: from a file to a model with a certificate.
//!
//! ```
//! use linsep::prelude::*;
//! # let folder = std::env::temp_dir();
//! # let path = folder.join("front-page.linsep");
//!
//! let data = Input::read("../../examples/iris.csv")?;
//! let fit = Fit::new(Method::logistic()).target("species").tune(20).calibrate(Calibration::Platt);
//! let outcome = fit.run(&data)?;
//! println!("{}", outcome.certificate()); // objective at most … above the optimum
//! outcome.model_file.save(&path)?;
//!
//! let model = ModelFile::load(&path)?;
//! let p = model.predict_proba(&data)?; // one column per class, with its name
//! assert_eq!(p.row(0).map(|(class, _)| class.to_string()).next().as_deref(), Some("setosa"));
//! # Ok::<(), Error>(())
//! ```
//!
//! | a program wants to | it uses |
//! |---|---|
//! | read a table of any format | [`Input::read`](io::Input::read), [`io::ReadOptions`] |
//! | choose a method and its settings | [`Method`](core::learner::Method), [`core::options`] |
//! | train, tune, calibrate, test | [`jobs::Fit`], [`jobs::FitOutcome`] |
//! | save, load, predict, evaluate | [`ModelFile`] |
//! | score more rows than memory holds | [`jobs::Predict::stream`] |
//! | prove that no hyperplane separates | [`jobs::Separable`], [`SeparationCertificate`] |
//! | compare methods, check data, explain, plot | [`jobs`] |
//! | follow or end a run | [`Observer`](core::Observer), [`Cancel`](core::Cancel) |
//! | train on arrays, without a file | [`core`] |
//! | Boolean functions and networks | [`logic`] |
//!
//! A job is a request (plain data with defaults), `run`, and an outcome (plain data). Settings are
//! checked before any data are touched. The programs in `examples` show each of these.
//!
//! ```text
//!   path ─▶ Input ─▶ Recipe ─▶ TrainingData ─▶ (linsep-core) ─▶ ModelFile
//!           table    numbers   features,                         model and
//!                              classes                           recipe
//! ```
//!
//! This crate is the one that a program adds. It contains [`core`] (the mathematics), [`io`] (files
//! and tables) and [`logic`] (threshold logic).

pub mod card;
pub mod certificate;
pub mod dataset;
mod decimal;
pub mod diagnostics;
mod digest;
pub mod error;
pub mod evaluation;
pub mod explain;
pub mod jobs;
pub mod labels;
mod machine;
mod memory;
pub mod model_file;
pub mod number;
pub mod optimality;
pub mod recipe;
pub mod scoring;
mod truth;
pub mod validate;

pub use certificate::SeparationCertificate;
pub use dataset::{SampleWeights, TrainingData, TrainingSettings};
pub use digest::sha256;
pub use error::Error;
pub use evaluation::Spill;
pub use labels::LabelMap;
pub use machine::read_machine;
pub use model_file::ModelFile;
pub use recipe::{FeatureMap, MissingPolicy, Recipe, RecipeSettings};
pub use scoring::{Batch, Scoring};
pub use truth::read_truth;

pub use linsep_core as core;
pub use linsep_io as io;
pub use linsep_logic as logic;

/// The items that most programs need, in one `use`.
pub mod prelude {
    pub use crate::certificate::SeparationCertificate;
    pub use crate::error::Error;
    pub use crate::evaluation::Evaluation;
    pub use crate::jobs::fit::Tune;
    pub use crate::jobs::{Compare, Evaluate, Explain, Fit, FitOutcome, Predict, Separable};
    pub use crate::model_file::ModelFile;
    pub use linsep_core::calibrate::Calibration;
    pub use linsep_core::control::{Cancel, Epoch, EpochMetric, Observer, StopReason};
    pub use linsep_core::data::{ClassWeights, Label};
    pub use linsep_core::learner::{Method, Scheme};
    pub use linsep_core::options::{Loss, Penalty, Solver};
    pub use linsep_core::validate::{AbstainRule, LambdaRule, ThresholdRule};
    pub use linsep_io::{Input, ReadOptions, Source, read_source};
}
