//! Pieces that several ways of minimising are made of.

mod best_bias;
mod line_search;
mod state;

pub(crate) use best_bias::best_bias;
pub(super) use line_search::{Line, hidden};
pub(super) use state::State;
