//! Choice of the target column of a table, and the check that a numeric class label is fully
//! represented by its double.

use crate::number::parse_number;
use linsep_core::Label;

/// Usual names of the target.
const TARGETS: [&str; 4] = ["target", "label", "class", "y"];

/// Choice of the target column. Readers need it because they keep labels as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClassColumn {
    /// No target, or an unknown one.
    #[default]
    None,
    /// The column called target, label, class or y, else the last column.
    Usual,
    /// The column with this name.
    Named(String),
}

impl ClassColumn {
    /// Returns the column with the given name, or the usual one.
    pub fn of(name: Option<&str>) -> Self {
        name.map_or(Self::Usual, |name| Self::Named(name.to_owned()))
    }

    /// Returns the index of the target among columns with these names.
    pub fn among<S: AsRef<str>>(&self, names: &[S]) -> Option<usize> {
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

/// Whether `name` is a usual name of the target.
pub fn is_known(name: &str) -> bool {
    TARGETS.iter().any(|target| name.eq_ignore_ascii_case(target))
}

/// Whether the number represents a class label without loss. Also true of text that is not a
/// number.
#[inline]
pub(crate) fn is_exact_number(text: &[u8]) -> bool {
    /// Decimals of at most 15 characters differ if and only if their doubles differ.
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
    fn the_target_is_the_named_the_usual_or_the_last_column() {
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
    fn labels_that_doubles_do_not_represent_exactly_are_detected() {
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
            assert!(is_exact_number(text.as_bytes()), "{text}");
        }
        for text in ["01", "-007", "9007199254740993", "0.1000000000000000001", "1e-400"] {
            assert!(!is_exact_number(text.as_bytes()), "{text}");
        }
    }
}
