//! The kinds of steps, one per file.

pub(super) mod category;
pub(super) mod hashed;
pub(super) mod number;
pub(super) mod text;
