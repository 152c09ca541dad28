//! Pieces that several solvers are made of.

mod judge;
mod order;
mod rosenblatt;
mod schedule;
mod tell;
mod tie;

pub(super) use judge::{Best, count_mistakes};
pub use order::Order;
pub(super) use order::RowOrder;
pub use rosenblatt::Rosenblatt;
pub(super) use rosenblatt::{Follow, Keeper};
pub use schedule::Schedule;
pub(super) use tell::tell_batch;
pub use tie::Tie;

/// Looks a word up in a list of named values.
fn find<T: Copy>(
    family: &'static str,
    word: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, crate::error::Error> {
    all.iter().copied().find(|&v| name(v) == word).ok_or_else(|| {
        let known = all.iter().map(|&v| name(v)).collect();
        crate::error::Error::UnknownName { family, got: word.to_owned(), known }
    })
}
