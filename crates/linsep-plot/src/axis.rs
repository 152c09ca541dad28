//! An axis: label, range, and the mapping from values to positions.

use crate::ticks::{self, Tick};

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) range: Option<(f64, f64)>,
    kind: Kind,
    reversed: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Linear,
    Log,
    Named(Vec<String>),
}

impl Axis {
    /// Returns a linear axis with the range of the data.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), range: None, kind: Kind::Linear, reversed: false }
    }

    /// Returns a logarithmic axis; values that are not positive are omitted.
    pub fn log(label: &str) -> Self {
        Self { kind: Kind::Log, ..Self::new(label) }
    }

    /// Returns a categorical axis with names at the values 0, 1, 2, …
    pub fn named(label: &str, names: Vec<String>) -> Self {
        let range = Some((-0.5, names.len().max(1) as f64 - 0.5));
        Self { range, kind: Kind::Named(names), ..Self::new(label) }
    }

    /// Sets a fixed range, independent of the data.
    pub fn range(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// Swaps the low end and the high end: names then run from the top downwards.
    pub fn reversed(self) -> Self {
        Self { reversed: !self.reversed, ..self }
    }

    /// Whether lengths on the axis can be compared with those on another axis.
    pub(crate) fn is_linear(&self) -> bool {
        self.kind == Kind::Linear
    }

    /// Whether the tick labels are names instead of numbers.
    pub(crate) fn is_named(&self) -> bool {
        matches!(self.kind, Kind::Named(_))
    }

    /// Returns the scale over the fixed range of the axis, or over `values` with 5 % margin at each
    /// end.
    pub(crate) fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let log = self.kind == Kind::Log;
        let on = |v: f64| if log { v.log10() } else { v };
        if let Some((low, high)) = self.range {
            return Scale::with_positive_extent(on(low), on(high), log, self.reversed);
        }
        let (low, high) = values
            .map(on)
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let air = (high - low) * 0.05;
        Scale::with_positive_extent(low - air, high + air, log, self.reversed)
    }

    /// Returns at most `most` ticks of a scale, but all names of a categorical axis.
    pub(crate) fn ticks(&self, scale: &Scale, most: usize) -> Vec<Tick> {
        match &self.kind {
            Kind::Linear => ticks::linear(scale.low, scale.high, most),
            Kind::Log => ticks::logarithmic(10f64.powf(scale.low), 10f64.powf(scale.high), most),
            Kind::Named(names) => {
                let tick = |(i, name): (usize, &String)| Tick { at: i as f64, label: name.clone() };
                names.iter().enumerate().map(tick).collect()
            }
        }
    }
}

/// Affine map from values to relative positions; in decades if the axis is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    log: bool,
    reversed: bool,
}

impl Scale {
    /// Returns a scale of positive extent: without finite values 0 to 1, for a single value an
    /// interval around it.
    fn with_positive_extent(low: f64, high: f64, log: bool, reversed: bool) -> Self {
        let scale = |low: f64, high: f64| Self { low, high, log, reversed };
        if !(low.is_finite() && high.is_finite()) {
            return scale(0.0, 1.0);
        }
        // Clamped so far below the largest double that no difference and no power of ten is
        // infinite.
        let far = if log { 300.0 } else { 1e300 };
        let (low, high) = (low.min(high).clamp(-far, far), high.max(low).clamp(-far, far));
        if high - low > 1e-9 * low.abs().max(high.abs()) {
            return scale(low, high);
        }
        let room = if log || low == 0.0 { 0.5 } else { low.abs() * 0.1 };
        scale(low - room, high + room)
    }

    /// Returns the relative position: 0 at the low end, 1 at the high end, NaN for values without a
    /// position.
    pub(crate) fn position(&self, v: f64) -> f64 {
        let v = if self.log { v.log10() } else { v };
        let part = (v - self.low) / (self.high - self.low);
        match part.is_finite() {
            true if self.reversed => 1.0 - part,
            true => part,
            false => f64::NAN,
        }
    }

    /// Returns the scale with the same center and the given extent.
    pub(crate) fn widened(self, extent: f64) -> Self {
        let (middle, half) = (self.low / 2.0 + self.high / 2.0, extent / 2.0);
        Self { low: middle - half, high: middle + half, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_have_margins_and_fixed_ranges_none() {
        let scale = Axis::new("x").scale([3.0, 1.0, f64::NAN, 2.0].into_iter());
        assert!((scale.low - 0.9).abs() < 1e-12 && (scale.high - 3.1).abs() < 1e-12);
        let scale = Axis::new("x").range(-3.0, 3.0).scale([99.0].into_iter());
        assert_eq!(
            (scale.position(-3.0), scale.position(0.0), scale.position(3.0)),
            (0.0, 0.5, 1.0)
        );
    }

    #[test]
    fn the_extent_is_always_positive() {
        let odd: [&[f64]; 6] =
            [&[], &[0.0], &[5.0, 5.0], &[f64::MAX, -f64::MAX], &[1e15, 1e15 + 0.1], &[f64::NAN]];
        for values in odd {
            for axis in [Axis::new("x"), Axis::log("x")] {
                let scale = axis.scale(values.iter().copied());
                assert!(
                    (scale.high - scale.low).is_finite() && scale.high > scale.low,
                    "{values:?}"
                );
                assert!(axis.ticks(&scale, 8).len() <= 8, "{values:?}");
            }
        }
    }

    #[test]
    fn the_middle_of_a_logarithmic_axis_is_the_geometric_mean() {
        let scale = Axis::log("λ").range(0.01, 100.0).scale([].into_iter());
        assert_eq!(scale.position(1.0), 0.5);
        assert!(scale.position(0.0).is_nan() && scale.position(-1.0).is_nan());
    }
}
