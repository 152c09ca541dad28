//! An axis: what it is called, how far it goes, and where a value lies on it.

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
    /// A linear axis that goes as far as the data do.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), range: None, kind: Kind::Linear, reversed: false }
    }

    /// A logarithmic axis; values that are not above 0 are not on it.
    pub fn log(label: &str) -> Self {
        Self { kind: Kind::Log, ..Self::new(label) }
    }

    /// An axis with a name for each of 0, 1, 2, …
    pub fn named(label: &str, names: Vec<String>) -> Self {
        let range = Some((-0.5, names.len().max(1) as f64 - 0.5));
        Self { range, kind: Kind::Named(names), ..Self::new(label) }
    }

    /// From here to there, whatever the data.
    pub fn range(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// With the low end where the high end was: names from the top downwards.
    pub fn reversed(self) -> Self {
        Self { reversed: !self.reversed, ..self }
    }

    /// Whether lengths on it can be compared with those on another.
    pub(crate) fn is_linear(&self) -> bool {
        self.kind == Kind::Linear
    }

    /// Whether it bears names instead of numbers.
    pub(crate) fn is_named(&self) -> bool {
        matches!(self.kind, Kind::Named(_))
    }

    /// The scale over the axis' own range, or over these values with some air around them.
    pub(crate) fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let log = self.kind == Kind::Log;
        let on = |v: f64| if log { v.log10() } else { v };
        if let Some((low, high)) = self.range {
            return Scale::sound(on(low), on(high), log, self.reversed);
        }
        let (low, high) = values
            .map(on)
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let air = (high - low) * 0.05;
        Scale::sound(low - air, high + air, log, self.reversed)
    }

    /// The ticks on a scale, `most` of them at the most; names are all there.
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

/// Which part of an axis a value is at; in decades where the axis is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    log: bool,
    reversed: bool,
}

impl Scale {
    /// A scale that always has an extent: nothing becomes 0 to 1, a single value gets room around it.
    fn sound(low: f64, high: f64, log: bool, reversed: bool) -> Self {
        let scale = |low: f64, high: f64| Self { low, high, log, reversed };
        if !(low.is_finite() && high.is_finite()) {
            return scale(0.0, 1.0);
        }
        // Far enough from the largest number that no difference and no power of ten is infinite.
        let far = if log { 300.0 } else { 1e300 };
        let (low, high) = (low.min(high).clamp(-far, far), high.max(low).clamp(-far, far));
        if high - low > 1e-9 * low.abs().max(high.abs()) {
            return scale(low, high);
        }
        let room = if log || low == 0.0 { 0.5 } else { low.abs() * 0.1 };
        scale(low - room, high + room)
    }

    /// 0 at the low end, 1 at the high end; NaN for what is not on the scale at all.
    pub(crate) fn part(&self, v: f64) -> f64 {
        let v = if self.log { v.log10() } else { v };
        let part = (v - self.low) / (self.high - self.low);
        match part.is_finite() {
            true if self.reversed => 1.0 - part,
            true => part,
            false => f64::NAN,
        }
    }

    /// The scale with the same middle and this extent.
    pub(crate) fn widened(self, extent: f64) -> Self {
        let (middle, half) = (self.low / 2.0 + self.high / 2.0, extent / 2.0);
        Self { low: middle - half, high: middle + half, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_get_air_and_ranges_do_not() {
        let scale = Axis::new("x").scale([3.0, 1.0, f64::NAN, 2.0].into_iter());
        assert!((scale.low - 0.9).abs() < 1e-12 && (scale.high - 3.1).abs() < 1e-12);
        let scale = Axis::new("x").range(-3.0, 3.0).scale([99.0].into_iter());
        assert_eq!((scale.part(-3.0), scale.part(0.0), scale.part(3.0)), (0.0, 0.5, 1.0));
    }

    #[test]
    fn there_is_always_an_extent() {
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
    fn a_logarithmic_axis_halves_at_the_geometric_mean() {
        let scale = Axis::log("λ").range(0.01, 100.0).scale([].into_iter());
        assert_eq!(scale.part(1.0), 0.5);
        assert!(scale.part(0.0).is_nan() && scale.part(-1.0).is_nan());
    }
}
