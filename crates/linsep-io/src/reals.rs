//! Values of sparse rows: f32 while exact, which halves the memory, else f64.

/// Values in the narrowest exact storage.
#[derive(Clone, Debug, PartialEq)]
pub enum Reals {
    /// All values are exact as f32.
    F32(Vec<f32>),
    /// At least one value is not exact as f32.
    F64(Vec<f64>),
}

impl Default for Reals {
    fn default() -> Self {
        Self::F32(Vec::new())
    }
}

/// Whether all values are exact as f32.
pub(crate) fn fit_f32(values: &[f64]) -> bool {
    // By chunks: no branch within a chunk, and no work after the first inexact chunk.
    let fits = |piece: &[f64]| piece.iter().fold(true, |all, &x| all & (f64::from(x as f32) == x));
    values.chunks(256).all(fits)
}

impl Reals {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns value i.
    ///
    /// # Panics
    /// If i is out of range.
    pub fn get(&self, i: usize) -> f64 {
        match self {
            Self::F32(values) => values[i].into(),
            Self::F64(values) => values[i],
        }
    }

    /// Returns all values as f64.
    pub fn to_vec(&self) -> Vec<f64> {
        match self {
            Self::F32(values) => values.iter().copied().map(f64::from).collect(),
            Self::F64(values) => values.clone(),
        }
    }

    /// Appends values; `narrow` holds the same values as f32, or none if f32 is not exact.
    pub(crate) fn append(&mut self, values: &[f64], narrow: &[f32]) {
        if let Self::F32(all) = self
            && narrow.len() < values.len()
        {
            *self = Self::F64(all.iter().copied().map(f64::from).collect());
        }
        match self {
            Self::F32(all) => all.extend_from_slice(narrow),
            Self::F64(all) => all.extend_from_slice(values),
        }
    }

    /// Returns the values in these ranges, concatenated.
    pub(crate) fn select(&self, ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Self {
        match self {
            Self::F32(values) => Self::F32(ranges.flat_map(|r| &values[r]).copied().collect()),
            Self::F64(values) => Self::F64(ranges.flat_map(|r| &values[r]).copied().collect()),
        }
    }

    /// Copies value `from` to position `to`.
    pub fn copy(&mut self, from: usize, to: usize) {
        match self {
            Self::F32(values) => values[to] = values[from],
            Self::F64(values) => values[to] = values[from],
        }
    }

    /// Keeps the first `n` numbers.
    pub fn truncate(&mut self, n: usize) {
        match self {
            Self::F32(values) => values.truncate(n),
            Self::F64(values) => values.truncate(n),
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        match self {
            Self::F32(values) => values.shrink_to_fit(),
            Self::F64(values) => values.shrink_to_fit(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f32_is_kept_until_a_value_is_inexact() {
        let mut all = Reals::default();
        all.append(&[0.5, -2.0], &[0.5, -2.0]);
        assert_eq!(all, Reals::F32(vec![0.5, -2.0]));
        all.append(&[], &[]);
        assert!(matches!(all, Reals::F32(_)));
        all.append(&[1.0, 0.1], &[]);
        all.append(&[4.0], &[4.0]);
        assert_eq!(all, Reals::F64(vec![0.5, -2.0, 1.0, 0.1, 4.0]));
        assert_eq!(all.select([1..3, 4..5].into_iter()).to_vec(), [-2.0, 1.0, 4.0]);
    }

    #[test]
    fn exactness_is_checked_for_every_value() {
        let mut values = vec![0.25; 1_000];
        assert!(fit_f32(&values) && fit_f32(&[]));
        values[999] = 0.1;
        assert!(!fit_f32(&values));
        assert!(!fit_f32(&[1e300]) && !fit_f32(&[1e-60]));
    }
}
