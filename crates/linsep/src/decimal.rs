//! Exact decimal digits of a double, to round printed bounds to their side.

/// Which side of the exact value the printed one is on.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Toward {
    Lower,
    Upper,
}

/// A finite double as it is, in decimal: ±0.d₁d₂d₃… · 10^point.
pub(crate) struct Decimal {
    negative: bool,
    /// Digits from 0 to 9, the first not 0; none for 0.
    digits: Vec<u8>,
    pub(crate) point: i32,
}

impl Decimal {
    pub(crate) fn of(v: f64) -> Self {
        // No double has more than 767 significant digits, so none is lost.
        let text = format!("{:.770e}", v.abs());
        let (digits, exponent) = text.split_once('e').expect("the format has an exponent");
        let digits = if v == 0.0 { "" } else { digits };
        let digits = digits.bytes().filter(u8::is_ascii_digit).map(|c| c - b'0').collect();
        let exponent: i32 = exponent.parse().expect("the exponent is a number");
        Self { negative: v < 0.0, digits, point: exponent + 1 }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether it is written without a power of ten: from 10⁻⁴ to below 10¹⁵.
    pub(crate) fn is_plain(&self) -> bool {
        (-3..=15).contains(&self.point)
    }

    /// Rounds to so many digits after the decimal point.
    pub(crate) fn cut(&mut self, decimals: i32, toward: Toward) {
        let keep = usize::try_from(self.point + decimals).unwrap_or(0);
        let lost = self.digits.iter().skip(keep).any(|digit| *digit != 0);
        self.digits.truncate(keep);
        if lost && (toward == Toward::Upper) != self.negative {
            // One unit of the last place more, where nothing was kept that unit itself.
            match self.digits.iter().rposition(|digit| *digit != 9) {
                Some(last) => {
                    self.digits[last] += 1;
                    self.digits[last + 1..].fill(0);
                }
                None if keep > 0 => {
                    self.digits.fill(0);
                    self.digits.insert(0, 1);
                    self.point += 1;
                }
                None => {
                    self.digits = vec![1];
                    self.point = 1 - decimals;
                }
            }
        }
    }

    /// Written out, with so many digits after the decimal point.
    pub(crate) fn fixed(&self, decimals: i32) -> String {
        let digit = |place: i32| {
            let place = usize::try_from(self.point - 1 - place).ok();
            let digit = place.and_then(|place| self.digits.get(place)).copied().unwrap_or(0);
            char::from(b'0' + digit)
        };
        let mut out =
            if self.digits.iter().any(|digit| *digit != 0) { self.sign() } else { "" }.to_owned();
        let whole = if self.is_zero() { 1 } else { self.point.max(1) };
        out.extend((0..whole).rev().map(digit));
        if decimals > 0 {
            out.push('.');
            out.extend((1..=decimals).map(|place| digit(-place)));
        }
        out
    }

    /// As a power of ten times a number with so many digits after the decimal point.
    pub(crate) fn scientific(mut self, decimals: i32, toward: Toward) -> String {
        self.cut(decimals + 1 - self.point, toward);
        let exponent = self.point - 1;
        self.point = 1;
        format!("{}e{exponent}", self.fixed(decimals))
    }

    pub(crate) fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }
}
