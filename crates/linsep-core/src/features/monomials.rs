//! Monomials: φ(x) = (xᵃ : 1 ≤ |a| ≤ degree), all products of powers of the d numbers.
//!
//! There are C(d + degree, degree) − 1 monomials: d of degree 1, d(d + 1)/2 of degree 2. Their
//! order is that of scikit-learn's `PolynomialFeatures`: by degree, then by index of the factors.

/// Returns the factors of each monomial of degree 2 to `degree` in d numbers, as ascending indices
/// with repetition: x₀²x₁ is `[0, 0, 1]`.
pub fn monomials(d: usize, degree: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut last: Vec<Vec<usize>> = (0..d).map(|j| vec![j]).collect();
    for _ in 1..degree {
        let longer = |own: &Vec<usize>| {
            let first = own.last().copied().unwrap_or(0);
            let extend = |j| own.iter().copied().chain([j]).collect();
            (first..d).map(extend).collect::<Vec<Vec<usize>>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Returns the number of monomials of degree 2 to `degree` in d numbers.
pub fn count_monomials(d: usize, degree: usize) -> u128 {
    let (mut count, mut total) = (1_u128, 0_u128);
    for k in 1..=degree as u128 {
        // C(d + k − 1, k) monomials have degree k; each quotient is an integer.
        count = count.saturating_mul(d as u128 + k - 1) / k;
        total = total.saturating_add(if k == 1 { 0 } else { count });
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monomials_are_ordered_by_degree_and_factors() {
        let two = [vec![0, 0], vec![0, 1], vec![1, 1]];
        assert_eq!(monomials(2, 2), two);
        let three = [vec![0, 0, 0], vec![0, 0, 1], vec![0, 1, 1], vec![1, 1, 1]];
        assert_eq!(monomials(2, 3), [&two[..], &three[..]].concat());
        assert_eq!(monomials(3, 1), [] as [Vec<usize>; 0]);
    }

    #[test]
    fn count_is_the_number_of_monomials() {
        for d in 0..8 {
            for degree in 1..5 {
                assert_eq!(count_monomials(d, degree), monomials(d, degree).len() as u128);
            }
        }
        assert_eq!(count_monomials(57, 2), 57 * 58 / 2);
        assert!(count_monomials(usize::MAX, 9) > 1 << 100, "saturates instead of overflow");
    }
}
