//! Pages of HTML.

mod html;

pub use html::{Grid, Page};
