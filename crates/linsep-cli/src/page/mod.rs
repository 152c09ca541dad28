//! HTML pages.

mod html;

pub use html::{Grid, Page};
