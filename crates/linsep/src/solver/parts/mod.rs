//! Parts shared by several learners.

mod judge;
mod order;
mod rosenblatt;
mod tie;

pub(super) use judge::{Best, count_mistakes};
pub use order::Order;
pub(crate) use order::RowOrder;
pub(crate) use rosenblatt::Circle;
pub(super) use rosenblatt::{Follow, Keeper, Pass};
pub use rosenblatt::{Keep, Rosenblatt};
pub use tie::Tie;
