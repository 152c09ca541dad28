//! Majority class: the accuracy of a constant prediction.

/// Class of largest weight, and its share of the total weight; among equals the first. Rows of
/// classes k and above count only in the total. `None` without weight.
pub fn majority(target: &[u32], k: usize, weights: &[f64]) -> Option<(usize, f64)> {
    let mut by_class = vec![0.0; k];
    for (&class, s) in target.iter().zip(weights) {
        if let Some(own) = by_class.get_mut(class as usize) {
            *own += s;
        }
    }
    largest_share(&by_class, weights.iter().sum())
}

/// Class of largest weight, and its share of a total; among equals the first. `None` without
/// weight.
pub fn largest_share(by_class: &[f64], total: f64) -> Option<(usize, f64)> {
    let largest = by_class.iter().copied().fold(0.0, f64::max);
    let class = by_class.iter().position(|s| *s == largest)?;
    (total > 0.0).then(|| (class, largest / total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_class_equals_a_hand_computation() {
        let weights = [1.0, 2.0, 1.5, 0.5];
        assert_eq!(majority(&[0, 1, 2, u32::MAX], 3, &weights), Some((1, 0.4)));
        assert_eq!(majority(&[1, 0, 0, 1], 2, &[1.0; 4]), Some((0, 0.5)));
        assert_eq!(majority(&[], 2, &[]), None);
    }
}
