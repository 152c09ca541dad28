//! Reading of tables and sparse rows, and writing of whole files.
//!
//! ```text
//!   path ─▶ Source ─▶ Table or Sparse
//!           bytes     typed columns
//! ```
//!
//! All input is untrusted: errors give file, line and column, memory is bounded by a limit
//! ([`Memory`]), and no file is ever left partially written.

pub mod arrow;
pub mod atomic;
pub mod blocks;
pub mod columns;
mod compress;
pub mod csv;
mod dictionary;
pub mod error;
pub mod input;
pub mod libsvm;
pub mod location;
mod marks;
pub mod memory;
pub mod number;
mod order;
pub mod outputs;
pub mod parquet;
pub mod quiet;
pub mod reals;
mod sniff;
pub mod source;
pub mod table;
pub mod target;
mod vowpal;

pub use arrow::{read_arrow, read_arrow_files};
pub use atomic::AtomicFile;
pub use blocks::Limits;
pub use columns::ColumnarOptions;
pub use csv::{CsvOptions, Force, read_csv, read_csv_files};
pub use error::Error;
pub use input::{Format, Input, ReadOptions, read, read_files, read_source, read_sources};
pub use libsvm::{LibsvmOptions, looks_like_libsvm, read_libsvm, read_libsvm_files};
pub use location::{At, Location, Record, Spot};
pub use memory::Memory;
pub use outputs::{Kind, OutputFile};
pub use parquet::{read_parquet, read_parquet_files};
pub use reals::Reals;
pub use source::Source;
pub use table::{Column, Sparse, SparseColumns, Table, Values};
pub use target::ClassColumn;
