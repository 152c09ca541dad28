//! Outcomes of jobs as text, as JSON, and as HTML pages.
//!
//! A module per job turns its typed outcome into text ([`Text`]) and JSON. Nothing is computed
//! here, and nothing is printed: an interface prints what it gets.

mod decimal;
pub mod escape;
pub mod flags;
pub mod html;
pub mod layout;
pub mod number;

pub use layout::{Style, Table, Text};
