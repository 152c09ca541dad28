//! Sums that do not lose what is small: Neumaier's compensated summation.
//!
//! The rounding error of every addition is itself exact in floating point and is carried along. The
//! result is off by about one rounding of the answer plus n·2⁻¹⁰⁶ of Σ|terms|, not by n·2⁻⁵³ of it.
//!
//! Source: Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*, ZAMM 54 (1974).

/// A running sum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let next = self.sum + term;
        let big_first = self.sum.abs() >= term.abs();
        self.lost += if big_first { (self.sum - next) + term } else { (term - next) + self.sum };
        self.sum = next;
    }

    /// The sum so far.
    #[inline]
    pub fn value(&self) -> f64 {
        if self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<T: IntoIterator<Item = f64>>(terms: T) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_is_not_lost() {
        let terms = [1e16, 1.0, -1e16, 1e-3];
        assert_eq!(Sum::from_iter(terms).value(), 1.001);
        assert_eq!(Sum::from_iter([f64::MAX, f64::MAX]).value(), f64::INFINITY);
    }
}
