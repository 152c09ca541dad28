//! Colours, and how one series is told from the next.
//!
//! The colours of series are those of Okabe and Ito (*Color Universal Design*, 2008), which people with
//! any of the common kinds of colour blindness tell apart. Their yellow is left out, as it is lost on
//! white. Every series also has its own dash and its own marker, so that a print in grey loses nothing.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// The paper.
pub(crate) const PAPER: Colour = Colour(0xff, 0xff, 0xff);
/// Titles.
pub(crate) const INK: Colour = Colour(0x1a, 0x1a, 0x1a);
/// Labels of axes and legends.
pub(crate) const SOFT_INK: Colour = Colour(0x4d, 0x4d, 0x4d);
/// Lines of axes.
pub(crate) const AXIS: Colour = Colour(0x80, 0x80, 0x80);
/// The grid.
pub(crate) const GRID: Colour = Colour(0xe8, 0xe8, 0xe8);
/// The line of the grid at zero.
pub(crate) const ZERO: Colour = Colour(0xbd, 0xbd, 0xbd);

/// Blue, vermilion, green, purple, orange, sky blue.
const SERIES: [Colour; 6] = [
    Colour(0x00, 0x72, 0xb2),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0xcc, 0x79, 0xa7),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x56, 0xb4, 0xe9),
];

/// Light colours look thinner than they are, and a wide line shows on both sides of a narrow one on top.
const WIDTHS: [f64; 6] = [2.0, 2.0, 2.2, 2.0, 2.5, 3.0];

/// Dashes and gaps in pixels, for lines two pixels wide.
const DASHES: [&[f64]; 7] = [
    &[],
    &[9.0, 4.0],
    &[2.0, 3.0],
    &[11.0, 3.5, 2.0, 3.5],
    &[5.0, 3.0],
    &[16.0, 4.0],
    &[9.0, 3.0, 2.0, 3.0, 2.0, 3.0],
];

/// The shape of a point.
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
    Funnel,
    /// ○
    Ring,
}

const MARKERS: [Marker; 6] =
    [Marker::Disc, Marker::Triangle, Marker::Square, Marker::Diamond, Marker::Funnel, Marker::Ring];

/// How a series looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The colour of lines, points and areas.
    pub colour: Colour,
    /// Dashes and gaps of lines by turns; none is a whole line.
    pub dash: &'static [f64],
    /// The width of lines.
    pub width: f64,
    /// The shape of points.
    pub marker: Marker,
    /// The opacity of areas.
    pub opacity: f64,
}

impl Look {
    /// The look of series `i`, from 0. Colours, dashes and markers come round after 6, 7 and 6: two
    /// series of fewer than 42 never share both colour and dash.
    pub fn nth(i: usize) -> Self {
        Self {
            colour: SERIES[i % SERIES.len()],
            dash: DASHES[i % DASHES.len()],
            width: WIDTHS[i % SERIES.len()],
            marker: MARKERS[(i + i / SERIES.len()) % MARKERS.len()],
            opacity: 0.25,
        }
    }

    /// What is not a series among others: a truth to compare with, a boundary.
    pub fn reference() -> Self {
        Self { colour: INK, dash: &[], width: 1.5, marker: Marker::Disc, opacity: 0.12 }
    }

    /// Which part of a line is gaps.
    pub(crate) fn openness(&self) -> f64 {
        let sum = |from: usize| self.dash.iter().skip(from).step_by(2).sum::<f64>();
        if self.dash.is_empty() { 0.0 } else { sum(1) / (sum(0) + sum(1)) }
    }

    /// In another colour.
    pub fn in_colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// With another dash.
    pub fn dashed(self, dash: &'static [f64]) -> Self {
        Self { dash, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_many_series_look_the_same() {
        for i in 0..42 {
            for j in 0..i {
                let (a, b) = (Look::nth(i), Look::nth(j));
                assert!((a.colour, a.dash) != (b.colour, b.dash), "lines {i}, {j}");
            }
        }
        for i in 0..36 {
            for j in 0..i {
                let (a, b) = (Look::nth(i), Look::nth(j));
                assert!((a.colour, a.marker) != (b.colour, b.marker), "points {i}, {j}");
            }
        }
    }

    /// WCAG's contrast; 3 is what it asks of graphics. Orange and sky blue, the lightest, have about 2.2
    /// and come last.
    #[test]
    fn the_first_series_stand_out_from_the_paper() {
        let part = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        let light = |c: Colour| 0.2126 * part(c.0) + 0.7152 * part(c.1) + 0.0722 * part(c.2);
        let contrast = |c: Colour| 1.05 / (light(c) + 0.05);
        for (i, &colour) in SERIES.iter().enumerate() {
            assert!(contrast(colour) > if i < 4 { 2.9 } else { 2.0 }, "{i}: {}", contrast(colour));
        }
        assert!(contrast(SOFT_INK) > 7.0);
    }
}
