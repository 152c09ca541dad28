//! Which column of a table is the target, the one with the classes? And is a class that reads as a number
//! nothing but that number?

use crate::number::parse_number;
use linsep::Label;

/// Names by which the target is known.
const TARGETS: [&str; 4] = ["target", "label", "class", "y"];

/// The column with the classes, as readers are told it: so that they read its cells as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClassColumn {
    /// There is none, or nobody knows which.
    #[default]
    None,
    /// The column called target, label, class or y, else the last.
    Usual,
    /// The column of this name.
    Named(String),
}

impl ClassColumn {
    /// The column of this name, or the usual one.
    pub fn of(name: Option<&str>) -> Self {
        name.map_or(Self::Usual, |name| Self::Named(name.to_owned()))
    }

    /// Its place among columns of these names.
    pub(crate) fn among<S: AsRef<str>>(&self, names: &[S]) -> Option<usize> {
        let find = |f: &dyn Fn(&str) -> bool| names.iter().position(|name| f(name.as_ref()));
        match self {
            Self::None => None,
            Self::Named(own) => find(&|name| name == own),
            Self::Usual => {
                let known = |t: &&str| find(&|name| name.eq_ignore_ascii_case(t));
                TARGETS.iter().find_map(known).or(names.len().checked_sub(1))
            }
        }
    }
}

/// Is this one of the names by which the target is known?
pub(crate) fn is_known(name: &str) -> bool {
    TARGETS.iter().any(|target| name.eq_ignore_ascii_case(target))
}

/// Is a class of this text the number that it reads as, and nothing more? Texts that are no numbers do
/// not count.
#[inline]
pub(crate) fn is_all_number(text: &[u8]) -> bool {
    /// Decimals of so many characters differ where their doubles do.
    const SHORT: usize = 15;
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let code = matches!(digits, [b'0', b'0'..=b'9', ..]);
    let plain = |b: &u8| b.is_ascii_digit() || *b == b'.';
    text.len() <= SHORT && !code && digits.iter().all(plain) || is_all_of_label(text)
}

#[cold]
fn is_all_of_label(text: &[u8]) -> bool {
    let finite = parse_number(text).is_some_and(f64::is_finite);
    !finite
        || std::str::from_utf8(text)
            .is_ok_and(|text| matches!(Label::parse(text), Label::Number(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_the_one_named_or_known_or_the_last() {
        let names = ["a", "Label", "b"];
        assert_eq!(ClassColumn::Usual.among(&names), Some(1));
        assert_eq!(ClassColumn::Usual.among(&["a", "b"]), Some(1));
        assert_eq!(ClassColumn::of(Some("a")).among(&names), Some(0));
        assert_eq!(ClassColumn::of(Some("c")).among(&names), None);
        assert_eq!(
            (ClassColumn::None.among(&names), ClassColumn::of(None)),
            (None, ClassColumn::Usual)
        );
    }

    #[test]
    fn what_a_double_does_not_hold_of_a_class_is_noticed() {
        for text in [
            "0",
            "-1",
            "+1",
            "1.50",
            "0.5",
            "1e3",
            "9007199254740992",
            "1.000000000000000000e+00",
            "x",
            "nan",
            "inf",
        ] {
            assert!(is_all_number(text.as_bytes()), "{text}");
        }
        for text in ["01", "-007", "9007199254740993", "0.1000000000000000001", "1e-400"] {
            assert!(!is_all_number(text.as_bytes()), "{text}");
        }
    }
}
