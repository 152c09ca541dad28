//! Parts shared by several learners.

mod cycle;
mod judge;
mod order;
mod tie;

pub(crate) use cycle::CycleDetector;
pub(crate) use judge::Best;
pub(super) use judge::count_mistakes;
pub use order::Order;
pub(crate) use order::RowOrder;
pub use tie::Tie;
