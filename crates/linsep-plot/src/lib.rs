//! Pictures: charts as SVG and PNG. Data in, bytes out.
//!
//! ```text
//!   Chart ──▶ Scene ──▶ svg ──▶ text that stays text
//!   axes,     shapes    └─────▶ raster, png ──▶ pixels
//!   layers    on paper
//! ```
//!
//! This is a crate of its own, because it knows nothing of classifiers and nothing of files: whoever
//! computes (the core) and whoever writes (the faces) meet here in plain points. So every face draws the
//! same picture, and a picture can be tested without a model or a disk.
//!
//! What holds for every picture:
//!
//! * **Everybody can read it.** Colours that colour-blind people tell apart, a dash and a marker of its
//!   own for every series, so that grey is enough; title and description for screen readers.
//! * **The legend covers no data**, and labels do not overlap.
//! * **The same chart gives the same bytes.** Nothing is asked of the machine: no fonts, no clock, no
//!   network.
//! * **No data can break it.** What is no number is left out; any range gets an extent; names are cut
//!   when they are too long.
//!
//! # What it is built on
//!
//! The rasteriser tiny-skia, and flate2 for PNG. Text to SVG is a page of code, and so is a PNG file; fonts
//! are a table (see `font`). The alternatives, in CPU seconds of a clean release build: tiny-skia alone 7;
//! with its PNG writer 18, with the font reader skrifa as well 83; resvg with text 91; plotters with
//! bitmaps 32, on a font reader that is no longer maintained (RUSTSEC-2026-0192).
//!
//! # Example
//!
//! ```
//! use linsep_plot::{Axis, Chart, Look, Mark};
//!
//! let hinge = (-30..=30).map(|i| f64::from(i) / 10.0).map(|m| (m, (1.0 - m).max(0.0)));
//! let chart = Chart::new("Hinge loss", Axis::new("margin"), Axis::new("loss"))
//!     .named("hinge", Mark::Line(hinge.collect()), Look::nth(0));
//! let (svg, png) = (linsep_plot::svg(&chart.scene()), linsep_plot::png(&chart.scene()));
//! assert!(svg.starts_with("<svg") && png.starts_with(b"\x89PNG"));
//! ```

mod axis;
mod chart;
mod colour;
mod font;
mod layout;
mod legend;
mod marks;
mod png;
mod polyline;
mod raster;
pub mod scene;
mod svg;
mod ticks;

pub use axis::Axis;
pub use chart::{Chart, Mark};
pub use colour::{Colour, Look, Marker};
pub use font::width as text_width;
pub use raster::write as png;
pub use scene::{Anchor, Scene};
pub use svg::write as svg;

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Shapes and text.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// Every format there is.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// The name used in every face, which is also what file names end in.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Whether a file that starts with these bytes has this format.
    pub fn is(self, start: &[u8]) -> bool {
        match self {
            Self::Svg => {
                let text = String::from_utf8_lossy(&start[..start.len().min(1_000)]);
                let text = text.trim_start_matches('\u{FEFF}').trim_start();
                text.starts_with('<') && text.contains("<svg")
            }
            Self::Png => start.starts_with(b"\x89PNG\r\n\x1a\n"),
        }
    }

    /// The picture in this format.
    pub fn write(self, scene: &Scene) -> Vec<u8> {
        match self {
            Self::Svg => svg(scene).into_bytes(),
            Self::Png => png(scene),
        }
    }
}
