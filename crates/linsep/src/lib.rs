//! The workbench for linear classification: from a file to a model with a certificate.
//!
//! ```text
//!   path ─▶ Input ─▶ Recipe ─▶ TrainingData ─▶ (linsep-core) ─▶ ModelFile
//!           table    numbers   features,                         model and
//!                              classes                           recipe
//! ```
//!
//! This crate is the one a program adds. It re-exports what a program needs of [`linsep_core`] (the
//! mathematics), [`linsep_io`] (files and tables) and [`linsep_logic`] (threshold logic).

pub mod card;
pub mod certificate;
pub mod dataset;
pub mod diagnostics;
mod digest;
pub mod error;
pub mod evaluation;
pub mod explain;
pub mod jobs;
pub mod labels;
pub mod machine;
mod memory;
pub mod model_file;
pub mod recipe;
pub mod scoring;
pub mod truth;
pub mod validate;

pub use certificate::SeparationCertificate;
pub use dataset::{SampleWeights, TrainingData, TrainingSettings};
pub use diagnostics::DataCheck;
pub use digest::sha256;
pub use error::Error;
pub use evaluation::{Evaluation, Rankings, Spill};
pub use explain::{Explain, Explanation};
pub use labels::{LabelMap, RowLabels};
pub use machine::read_machine;
pub use model_file::ModelFile;
pub use recipe::{MissingPolicy, Recipe, RecipeSettings};
pub use scoring::{Batch, Scoring, SelectedRow};
pub use truth::read_truth;

pub use linsep_core as core;
pub use linsep_core::{
    BinaryProblem, Budget, Cancel, DecisionRule, Design, Hyperplane, Label, Labels, LinearModel,
    Observer, Problem, StopReason, Trace, binary, calibrate, certify, control, data, features,
    float, infer, learner, loss, math, metric, model, multiclass, objective, options, penalty,
    reduce, solvers,
};
pub use linsep_io as io;
pub use linsep_io::{
    At, ClassColumn, Column, CsvOptions, Force, Format, Input, LibsvmOptions, Limits, Location,
    Memory, ReadOptions, Reals, Record, Source, Sparse, SparseColumns, Spot, Table, Values, blocks,
    csv, input, libsvm, location, looks_like_libsvm, number, read_csv, read_csv_files, read_libsvm,
    read_libsvm_files, read_source, read_sources, source, table,
};
#[cfg(feature = "fs")]
pub use linsep_io::{AtomicFile, Kind, OutputFile, atomic, outputs, read, read_files};
pub use linsep_logic as logic;
