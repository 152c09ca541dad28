//! Reading of tables and sparse rows, preprocessing, and model files.
//!
//! ```text
//!   path ─▶ Source ─▶ Table or Sparse ─▶ Recipe ─▶ Training ─▶ (the core) ─▶ Bundle ─▶ model file
//!           bytes     typed columns      numbers   features,                 model and
//!                                                  classes                   recipe
//! ```
//!
//! All input is untrusted: errors give file, line and column, memory is bounded by a limit
//! ([`Memory`]), and no file is ever left partially written.

pub mod arrow;
pub mod atomic;
pub mod blocks;
pub mod card;
pub mod certificate;
pub mod columns;
mod compress;
pub mod csv;
pub mod dataset;
pub mod diagnostics;
mod dictionary;
mod digest;
pub mod error;
pub mod evaluation;
pub mod explain;
pub mod input;
pub mod labels;
pub mod libsvm;
pub mod location;
pub mod machine;
mod marks;
pub mod memory;
pub mod model_file;
pub mod number;
mod order;
pub mod outputs;
pub mod parquet;
mod quiet;
mod reals;
pub mod recipe;
pub mod scoring;
mod sniff;
pub mod source;
pub mod table;
mod target;
pub mod truth;
pub mod validate;
mod vowpal;

pub use arrow::{read_arrow, read_arrow_files};
pub use atomic::AtomicFile;
pub use blocks::Limits;
pub use certificate::SeparationCertificate;
pub use columns::ColumnarOptions;
pub use csv::{CsvOptions, Force, read_csv, read_csv_files};
pub use dataset::{SampleWeights, TrainingData, TrainingSettings};
pub use diagnostics::{DataCheck, check_data};
pub use digest::sha256;
pub use error::Error;
pub use evaluation::{Evaluation, Evaluator, Spill};
pub use explain::{Explain, Explanation};
pub use input::{Format, Input, ReadOptions, read, read_files, read_source, read_sources};
pub use labels::{LabelMap, RowLabels};
pub use libsvm::{LibsvmOptions, looks_like_libsvm, read_libsvm, read_libsvm_files};
pub use location::{At, Location, Record, Spot};
pub use machine::read_machine;
pub use memory::Memory;
pub use model_file::ModelFile;
pub use outputs::{Kind, OutputFile};
pub use parquet::{read_parquet, read_parquet_files};
pub use reals::Reals;
pub use recipe::{MissingPolicy, Recipe, RecipeSettings};
pub use scoring::{Batch, Scoring, SelectedRow};
pub use source::Source;
pub use table::{Column, Sparse, SparseColumns, Table, Values};
pub use target::ClassColumn;
pub use truth::read_truth;
