//! Bodies of the fuzz targets. Properties: no panic, no contradiction, and the same result for any
//! block size and any number of threads.
//!
//! Used by the targets in `fuzz_targets/` (`cargo xtask fuzz MINUTES`) and by the smoke tests in
//! `crates/linsep/tests/`. The tests run each body on seeds and on a fixed number of mutations.

mod checker;
mod columnar;
mod logic;
mod options;
mod saved;
mod scoring;
mod text;

pub(crate) use checker::checker;
pub(crate) use columnar::{arrow, parquet};
pub(crate) use logic::{expression, machine, truth};
pub(crate) use options::options;
pub(crate) use saved::{certificate, model};
pub(crate) use scoring::{scoring_columnar, scoring_text};
pub(crate) use text::{compress, csv, dialect, libsvm, weights};

use linsep::io::Error;
use linsep::io::{Table, Values};

/// A body, by name.
pub(crate) type Body = fn(&[u8]);

/// All targets.
pub(crate) const ALL: [(&str, Body); 16] = [
    ("arrow", arrow),
    ("certificate", certificate),
    ("checker", checker),
    ("compress", compress),
    ("csv", csv),
    ("dialect", dialect),
    ("expression", expression),
    ("libsvm", libsvm),
    ("machine", machine),
    ("model", model),
    ("options", options),
    ("parquet", parquet),
    ("scoring_columnar", scoring_columnar),
    ("scoring_text", scoring_text),
    ("truth", truth),
    ("weights", weights),
];

/// Thread count of the second reading. A fuzz target must be deterministic, and starting threads is
/// slow.
const THREADS: usize = if cfg!(fuzzing) { 1 } else { 2 };

/// Checks the invariants of a table, from any format.
fn check_table(table: &Table) {
    assert_eq!(table.numbers.len(), table.rows * table.width);
    assert!(table.numbers.iter().all(|v| !v.is_infinite()));
    for column in &table.columns {
        assert!(column.nans <= column.missing && column.missing <= table.rows);
        match &column.values {
            Values::Categorical { codes, levels } => {
                assert_eq!(codes.len(), table.rows);
                assert!(codes.iter().all(|&c| c == u32::MAX || (c as usize) < levels.len()));
                assert_eq!(codes.iter().filter(|&&c| c == u32::MAX).count(), column.missing);
            }
            Values::Numeric { slot } => {
                let missing = (0..table.rows).filter(|&i| table.row(i)[*slot].is_nan()).count();
                assert_eq!(missing, column.missing);
            }
        }
    }
}

/// Whether two readings return the same table or the same error.
fn same(a: &Result<Table, Error>, b: &Result<Table, Error>) {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            check_table(a);
            assert_eq!(a.columns, b.columns);
            let bits = |t: &[f64]| t.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&a.numbers), bits(&b.numbers));
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        (a, b) => panic!("{:?} against {:?}", a.is_ok(), b.is_ok()),
    }
}
