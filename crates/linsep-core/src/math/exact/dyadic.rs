//! Decomposition of a double into an integer times a power of two.

/// m·2ᵉ with m odd, or 0·2⁰.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dyadic {
    /// The integer m, below 2⁵³ in absolute value.
    pub m: i64,
    /// The exponent e.
    pub e: i32,
}

impl Dyadic {
    /// Decomposes a finite double.
    ///
    /// # Panics
    ///
    /// If v is NaN or infinite.
    #[inline]
    pub fn of(v: f64) -> Self {
        assert!(v.is_finite(), "data is checked to be finite");
        let bits = v.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
        // Subnormal doubles have no hidden bit.
        let (m, e) = match field {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, field - 1075),
        };
        if m == 0 {
            return Self { m: 0, e: 0 };
        }
        let zeros = m.trailing_zeros();
        let m = (m >> zeros).cast_signed();
        Self { m: if v < 0.0 { -m } else { m }, e: e + zeros.cast_signed() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_decomposed_exactly() {
        let of = |v| {
            let Dyadic { m, e } = Dyadic::of(v);
            (m, e)
        };
        assert_eq!([of(0.0), of(-0.0), of(1.0), of(-6.0)], [(0, 0), (0, 0), (1, 0), (-3, 1)]);
        assert_eq!([of(0.375), of(f64::MIN_POSITIVE)], [(3, -3), (1, -1022)]);
        assert_eq!(of(5e-324), (1, -1074));
        assert_eq!(of(f64::MAX), ((1 << 53) - 1, 971));
        for v in [0.1, -1e300, 1e-300, 3e-310, std::f64::consts::PI] {
            let (m, e) = of(v);
            // Two factors, because 2⁻¹⁰⁷⁴ times a large m cannot be one power of two.
            assert_eq!(m as f64 * 2_f64.powi(e / 2) * 2_f64.powi(e - e / 2), v);
        }
    }
}
