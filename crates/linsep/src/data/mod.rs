//! Rows and labels, checked once: a value of these types that exists is valid.

mod columns;
mod csr;
mod dense;
mod design;
mod labels;
mod passes;
mod plane;
mod problem;

pub use columns::Columns;
pub use csr::Csr;
pub use dense::Dense;
pub(crate) use design::on_rows;
pub use design::{Design, Rows};
pub use labels::{Label, Labels};
pub use passes::Combination;
pub use plane::Plane;
pub use problem::{Binary, Part, Problem};
