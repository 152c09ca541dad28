//! Colors, and the styles that distinguish series.
//!
//! The colors of series are those of Okabe and Ito (*Color Universal Design*, 2008), which remain
//! distinct under the common kinds of color blindness. Their yellow is omitted: its contrast to
//! white is too low. Every series also has its own dash pattern and its own marker, so that a
//! grayscale print loses no information.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Background.
pub(crate) const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
/// Titles.
pub(crate) const INK: Rgb = Rgb(0x1a, 0x1a, 0x1a);
/// Labels of axes and legends.
pub(crate) const SOFT_INK: Rgb = Rgb(0x4d, 0x4d, 0x4d);
/// Lines of axes.
pub(crate) const AXIS: Rgb = Rgb(0x80, 0x80, 0x80);
/// Grid lines.
pub(crate) const GRID: Rgb = Rgb(0xe8, 0xe8, 0xe8);
/// Grid line at zero.
pub(crate) const ZERO: Rgb = Rgb(0xbd, 0xbd, 0xbd);

/// Blue, vermilion, green, purple, orange, sky blue.
const SERIES: [Rgb; 6] = [
    Rgb(0x00, 0x72, 0xb2),
    Rgb(0xd5, 0x5e, 0x00),
    Rgb(0x00, 0x9e, 0x73),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0xe6, 0x9f, 0x00),
    Rgb(0x56, 0xb4, 0xe9),
];

/// Line widths of the series: wider for light colors, which look thinner, and so that a wide line
/// is visible on both sides of a narrow line above it.
const WIDTHS: [f64; 6] = [2.0, 2.0, 2.2, 2.0, 2.5, 3.0];

/// Alternating lengths of dashes and gaps in pixels, for lines two pixels wide.
const DASHES: [&[f64]; 7] = [
    &[],
    &[9.0, 4.0],
    &[2.0, 3.0],
    &[11.0, 3.5, 2.0, 3.5],
    &[5.0, 3.0],
    &[16.0, 4.0],
    &[9.0, 3.0, 2.0, 3.0, 2.0, 3.0],
];

/// Shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// ●
    Disc,
    /// ▲
    Triangle,
    /// ■
    Square,
    /// ◆
    Diamond,
    /// ▼
    TriangleDown,
    /// ○
    Ring,
}

const MARKERS: [Marker; 6] = [
    Marker::Disc,
    Marker::Triangle,
    Marker::Square,
    Marker::Diamond,
    Marker::TriangleDown,
    Marker::Ring,
];

/// Style of a series: color, dash pattern, line width, marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesStyle {
    /// Color of lines, points and areas.
    pub color: Rgb,
    /// Alternating lengths of dashes and gaps; a solid line if empty.
    pub dash: &'static [f64],
    /// Width of lines.
    pub width: f64,
    /// Shape of points.
    pub marker: Marker,
    /// Opacity of areas.
    pub opacity: f64,
}

impl SeriesStyle {
    /// Returns the style of series `i`, from 0. Colors, dashes and markers repeat after 6, 7 and 6
    /// series: two series of fewer than 42 never have both the same color and the same dash.
    pub fn nth(i: usize) -> Self {
        Self {
            color: SERIES[i % SERIES.len()],
            dash: DASHES[i % DASHES.len()],
            width: WIDTHS[i % SERIES.len()],
            marker: MARKERS[(i + i / SERIES.len()) % MARKERS.len()],
            opacity: 0.25,
        }
    }

    /// Returns the style of a reference beside the series, such as a true value or a boundary.
    pub fn reference() -> Self {
        Self { color: INK, dash: &[], width: 1.5, marker: Marker::Disc, opacity: 0.12 }
    }

    /// Share of gaps in a line.
    pub(crate) fn gap_share(&self) -> f64 {
        let sum = |from: usize| self.dash.iter().skip(from).step_by(2).sum::<f64>();
        if self.dash.is_empty() { 0.0 } else { sum(1) / (sum(0) + sum(1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_series_are_distinct() {
        for i in 0..42 {
            for j in 0..i {
                let (a, b) = (SeriesStyle::nth(i), SeriesStyle::nth(j));
                assert!((a.color, a.dash) != (b.color, b.dash), "lines {i}, {j}");
            }
        }
        for i in 0..36 {
            for j in 0..i {
                let (a, b) = (SeriesStyle::nth(i), SeriesStyle::nth(j));
                assert!((a.color, a.marker) != (b.color, b.marker), "points {i}, {j}");
            }
        }
    }

    /// Contrast ratio after WCAG, which requires 3 for graphics. Orange and sky blue, the lightest,
    /// have about 2.2 and come last.
    #[test]
    fn the_first_series_contrast_with_the_background() {
        let part = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        let light = |c: Rgb| 0.2126 * part(c.0) + 0.7152 * part(c.1) + 0.0722 * part(c.2);
        let contrast = |c: Rgb| 1.05 / (light(c) + 0.05);
        for (i, &color) in SERIES.iter().enumerate() {
            assert!(contrast(color) > if i < 4 { 2.9 } else { 2.0 }, "{i}: {}", contrast(color));
        }
        assert!(contrast(SOFT_INK) > 7.0);
    }
}
