//! Neumaier's compensated summation.
//!
//! The rounding error of every addition is exactly representable and is accumulated separately. The
//! error of the result is about one rounding of it plus n·2⁻¹⁰⁶ Σ|terms|, instead of n·2⁻⁵³
//! Σ|terms|.
//!
//! Source: Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*, ZAMM
//! 54 (1974).

/// A compensated sum.
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

    /// The current sum.
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
    fn small_terms_are_not_lost() {
        let terms = [1e16, 1.0, -1e16, 1e-3];
        assert_eq!(Sum::from_iter(terms).value(), 1.001);
        assert_eq!(Sum::from_iter([f64::MAX, f64::MAX]).value(), f64::INFINITY);
    }
}
