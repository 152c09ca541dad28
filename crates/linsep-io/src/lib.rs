//! Reading of tables and sparse rows, and writing of whole files.
//!
//! ```text
//!   path ─▶ Source ─▶ Table or Sparse
//!           bytes     typed columns
//! ```
//!
//! Parquet, Arrow, compressed streams and the file system are features, all on by default. Without
//! them, CSV and LIBSVM are read from bytes, and other formats are refused.
//!
//! All input is untrusted: errors give file, line and column, memory is bounded by a limit
//! ([`Memory`]), and no file is ever left partially written.

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "fs")]
pub mod atomic;
pub mod blocks;
#[cfg(any(feature = "arrow", feature = "parquet"))]
// Each of the two formats uses a part of it.
#[cfg_attr(not(all(feature = "arrow", feature = "parquet")), allow(dead_code))]
mod columns;
mod compress;
pub mod csv;
mod dictionary;
pub mod error;
pub mod input;
mod invalid;
pub mod libsvm;
pub mod location;
mod marks;
pub mod memory;
pub mod number;
mod order;
#[cfg(feature = "fs")]
pub mod outputs;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod quiet;
pub mod reals;
pub mod schema;
mod sniff;
pub mod source;
pub mod table;
pub mod target;
mod vowpal;

#[cfg(feature = "fs")]
pub use atomic::AtomicFile;
pub use blocks::Limits;
pub use csv::{CsvOptions, Force, read_csv, read_csv_files};
pub use error::Error;
pub use input::{Format, Input, ReadOptions, read_source, read_sources};
#[cfg(feature = "fs")]
pub use input::{read, read_files};
pub use libsvm::{LibsvmOptions, looks_like_libsvm, read_libsvm, read_libsvm_files};
pub use location::{At, Location, Record, Spot};
pub use memory::Memory;
#[cfg(feature = "fs")]
pub use outputs::{Kind, OutputFile};
pub use reals::Reals;
pub use source::Source;
pub use table::{Column, Sparse, SparseColumns, Table, Values};
pub use target::ClassColumn;
