//! Index:value pairs: rows without a table, used unchanged.

use super::{Counts, Encoded};
use crate::error::Error;
use linsep_core::Design;
use linsep_core::data::Csr;
use linsep_io::reals::Reals;
use linsep_io::table::{Sparse, SparseColumns};
use serde::{Deserialize, Serialize};

/// The features of index:value pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// The columns in use.
    pub columns: SparseColumns,
    /// Index of the first column: 0 or 1.
    pub base: u8,
}

impl Pairs {
    /// Returns the index of feature j in the file.
    pub fn index(&self, j: usize) -> usize {
        self.columns.number(j) + usize::from(self.base)
    }

    /// Encodes rows; values in other columns are dropped and counted.
    pub(super) fn encode(&self, mut sparse: Sparse) -> Result<Encoded, Error> {
        let unknown_values = sparse.renumber_for(&self.columns);
        let kept = vec![true; sparse.rows];
        let x = Some(sparse_design(sparse)?);
        Ok(Encoded { x, kept, counts: Counts::default(), unknown_values })
    }
}

/// Converts sparse rows to a design matrix.
pub(crate) fn sparse_design(sparse: Sparse) -> Result<Design, Error> {
    let Sparse { name, cols, starts, indices, values, .. } = sparse;
    let x = match values {
        Reals::F32(values) => Csr::new(cols, starts, indices, values).map(Design::SparseF32),
        Reals::F64(values) => Csr::new(cols, starts, indices, values).map(Design::SparseF64),
    };
    x.map_err(Error::core(&name))
}
