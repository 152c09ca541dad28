//! Rows and labels. Constructors validate, so every value of these types is valid.

mod across;
mod class_weights;
mod columns;
mod csr;
mod decimal;
mod dense;
mod design;
mod hyperplane;
mod labels;
mod moments;
pub(crate) mod multiclass_sweep;
mod passes;
mod problem;
mod products;
pub(crate) mod row_sweep;

pub use class_weights::ClassWeights;
pub use columns::Columns;
pub(crate) use columns::Weighted;
pub use csr::{ColumnPermutation, Csr};
pub use dense::Dense;
pub use design::{Design, Rows, Sweep};
pub(crate) use design::{ROWS_AHEAD, on_rows};
pub use hyperplane::Hyperplane;
pub use labels::{Label, Labels};
pub use moments::Moments;
pub use passes::Combination;
pub use problem::{BinaryProblem, BinarySubset, Problem, WEIGHTS, is_weight};
pub use products::Gather;
