//! Pieces that several solvers are made of.

mod judge;
mod order;
mod rosenblatt;
mod tie;

pub(super) use judge::{Best, count_mistakes};
pub use order::Order;
pub(super) use order::RowOrder;
pub use rosenblatt::Rosenblatt;
pub(super) use rosenblatt::{Follow, Keeper, Pass};
pub use tie::Tie;
