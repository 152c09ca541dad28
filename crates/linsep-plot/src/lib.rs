//! Charts as SVG and PNG: from data to bytes.
//!
//! ```text
//!   Chart ──▶ Scene ──▶ svg ──▶ searchable text
//!   axes,     shapes    └─────▶ raster, png ──▶ pixels
//!   layers    in pixels
//! ```
//!
//! The crate knows neither classifiers nor files. The core computes points, the interfaces write
//! the bytes, and both share plain types. So every interface draws the same plot, and plots can be
//! tested without a model or a file.
//!
//! Properties of every plot:
//!
//! * **Accessible.** Colors distinct under color blindness, a dash pattern and a marker for every
//!   series, so that grayscale suffices; title and description for screen readers.
//! * **The legend covers no data**, and labels do not overlap.
//! * **Reproducible.** The same chart gives the same bytes: no fonts, clock or network of the
//!   machine are used.
//! * **Robust.** Values that are not finite are omitted; any range has a positive extent; names
//!   that are too long are truncated.
//!
//! # Dependencies
//!
//! The rasterizer tiny-skia, and flate2 for PNG. SVG and PNG files are written by about a page of
//! code each; fonts are a table (see `font`). The alternatives, in CPU seconds of a clean release
//! build: tiny-skia alone 7; with its PNG writer 18, with the font reader skrifa as well 83; resvg
//! with text 91; plotters with bitmaps 32, on a font reader that is no longer maintained
//! (RUSTSEC-2026-0192).
//!
//! # Example
//!
//! ```
//! use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
//!
//! let hinge = (-30..=30).map(|i| f64::from(i) / 10.0).map(|m| (m, (1.0 - m).max(0.0)));
//! let chart = Chart::new("Hinge loss", Axis::new("margin"), Axis::new("loss"))
//!     .named("hinge", Mark::Line(hinge.collect()), SeriesStyle::nth(0));
//! let (svg, png) = (linsep_plot::svg(&chart.scene()), linsep_plot::png(&chart.scene()));
//! assert!(svg.starts_with("<svg") && png.starts_with(b"\x89PNG"));
//! ```

mod axis;
mod chart;
mod color;
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
pub use color::{Marker, Rgb, SeriesStyle};
pub use font::width as text_width;
pub use raster::write as png;
pub use scene::{Anchor, Scene};
pub use svg::write as svg;

use std::path::Path;

/// File format of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics: shapes and text.
    Svg,
    /// Portable Network Graphics: pixels.
    Png,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// Name in every interface, and extension of the files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Returns the format of a file name's extension.
    pub fn of_file(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_string_lossy().to_lowercase();
        Self::ALL.into_iter().find(|format| format.name() == ending)
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

    /// Renders the scene in this format.
    pub fn write(self, scene: &Scene) -> Vec<u8> {
        match self {
            Self::Svg => svg(scene).into_bytes(),
            Self::Png => png(scene),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_that_of_the_extension() {
        assert_eq!(Format::of_file(Path::new("a.b/losses.svg")), Some(Format::Svg));
        assert_eq!(Format::of_file(Path::new("LOSSES.PNG")), Some(Format::Png));
        for name in ["losses", "losses.jpg", ".svg", "svg", "losses.svg.gz"] {
            assert_eq!(Format::of_file(Path::new(name)), None, "{name}");
        }
    }
}
