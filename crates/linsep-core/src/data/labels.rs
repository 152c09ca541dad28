//! Class labels: numbers or strings, in one order.
//!
//! Classes are sorted: numbers by value, then strings by their bytes. Two labels are one class if
//! their decimal values are exactly equal. Thus `1`, `+1`, `1.0` and `1e0` are one class, printed
//! `1`, while 9007199254740992 and 9007199254740993 are two, though f64 represents only the first.
//!
//! Digits after a leading zero are a code, not a number: `01` and `1` are two classes.

use super::decimal::Decimal;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// The name of a class.
#[derive(Clone, Debug)]
pub enum Label {
    /// A number that equals the shortest decimal of a double.
    Number(f64),
    /// Any other label: strings, codes with leading zeros, and numbers that are not the shortest
    /// decimal of a double.
    Text(String),
}

/// Whether the text is a number with a zero before its first digits, for example 01 or -007.5.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).as_bytes();
    matches!(digits, [b'0', b'0'..=b'9', ..])
}

impl Label {
    /// Parses a label; surrounding white space is ignored.
    pub fn parse(text: &str) -> Self {
        /// Decimals of at most this many characters differ exactly if their doubles differ.
        const SHORT: usize = 15;
        let text = text.trim();
        let starts = |b: &u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.');
        if is_code(text) || !text.as_bytes().first().is_some_and(starts) {
            return Self::Text(text.to_owned());
        }
        let double = text.parse::<f64>().ok().filter(|v| v.is_finite()).map(|v| v + 0.0); // −0 is 0
        if let Some(v) = double.filter(|_| text.len() <= SHORT && !text.contains(['e', 'E'])) {
            return Self::Number(v);
        }
        match (Decimal::parse(text), double) {
            (Some(own), Some(v)) if Decimal::of(v).as_ref() == Some(&own) => Self::Number(v),
            (Some(own), _) => Self::Text(own.to_string()),
            (None, _) => Self::Text(text.to_owned()),
        }
    }

    /// Whether the label is a number; codes with leading zeros are not.
    pub fn is_number(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Text(text) => !is_code(text) && self.decimal().is_some(),
        }
    }

    /// Whether another label has the same value but is another class, for example 01 and 1.
    pub fn is_other_spelling(&self, other: &Self) -> bool {
        self != other && self.decimal().is_some_and(|own| Some(own) == other.decimal())
    }

    /// The decimal value of a number or a code.
    fn decimal(&self) -> Option<Decimal> {
        match self {
            Self::Number(v) => Decimal::of(*v),
            Self::Text(text) => Decimal::parse(text),
        }
    }
}

/// A number stays a number; any other label is a string.
impl Serialize for Label {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
        match self {
            Self::Number(v) if v.fract() == 0.0 && v.abs() < EXACT => to.serialize_i64(*v as i64),
            Self::Number(v) => to.serialize_f64(*v),
            Self::Text(text) => to.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(LabelReader)
    }
}

struct LabelReader;

impl Visitor<'_> for LabelReader {
    type Value = Label;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a string")
    }

    fn visit_f64<E>(self, v: f64) -> Result<Label, E> {
        Ok(Label::Number(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Label, E> {
        Ok(Label::Number(v as f64))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Label, E> {
        Ok(Label::Number(v as f64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Label, E> {
        Ok(Label::Text(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(v) => write!(f, "{v}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => return a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) if a == b => return Ordering::Equal,
            _ => {}
        }
        let by_value = match (self.decimal(), other.decimal()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        by_value.then_with(|| match (self, other) {
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(_), _) => Ordering::Less,
            (Self::Text(_), _) => Ordering::Greater,
        })
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Label {}

/// The class of every row, as positions in the sorted list of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    classes: Vec<Label>,
    codes: Vec<u32>,
}

impl Labels {
    /// Parses one label per row.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut position = HashMap::new();
        let mut levels = Vec::new();
        let codes = texts
            .into_iter()
            .map(|text| {
                *position.entry(text).or_insert_with(|| {
                    levels.push(text);
                    levels.len() as u32 - 1
                })
            })
            .collect::<Vec<u32>>();
        Self::from_levels(&levels, &codes)
    }

    /// The labels of encoded rows: row i has the text `levels[codes[i]]`.
    ///
    /// # Panics
    ///
    /// If a code is not the position of a level.
    pub(crate) fn from_levels<S: AsRef<str>>(levels: &[S], codes: &[u32]) -> Self {
        let parsed: Vec<Label> = levels.iter().map(|text| Label::parse(text.as_ref())).collect();
        Self::from_codes(&parsed, codes)
    }

    /// The labels of encoded rows: row i has the label `levels[codes[i]]`. Levels of the same class
    /// are merged; levels without rows are dropped.
    ///
    /// # Panics
    ///
    /// If a code is not the position of a level.
    pub fn from_codes(levels: &[Label], codes: &[u32]) -> Self {
        let mut used = vec![false; levels.len()];
        for &c in codes {
            used[c as usize] = true;
        }
        let mut classes: Vec<Label> =
            levels.iter().zip(&used).filter(|(_, used)| **used).map(|(l, _)| l.clone()).collect();
        classes.sort();
        classes.dedup();

        let class_of: Vec<u32> = levels
            .iter()
            .map(|label| classes.binary_search(label).map_or(u32::MAX, |at| at as u32))
            .collect();
        let codes = codes.iter().map(|&c| class_of[c as usize]).collect();
        Self { classes, codes }
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.codes.len()
    }

    /// Number of classes, k.
    pub fn k(&self) -> usize {
        self.classes.len()
    }

    /// The classes, sorted.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// The class of every row, as a position in [`classes`](Self::classes).
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_by_value_before_strings() {
        let labels = Labels::parse(["10", "b", "9", "a", "-1"]);
        let names: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
        assert_eq!(names, ["-1", "9", "10", "a", "b"]);
        assert_eq!(labels.codes(), [2, 4, 1, 3, 0]);
    }

    #[test]
    fn spellings_of_one_number_are_one_class() {
        let labels = Labels::parse(["+1", "1", " 1.0 ", "-1", "-0", "0"]);
        assert_eq!(labels.k(), 3);
        assert_eq!(labels.codes(), [2, 2, 2, 0, 1, 1]);
    }

    #[test]
    fn numbers_beyond_f64_precision_are_distinct_sorted_classes() {
        let labels = Labels::parse([
            "9007199254740993",
            "9007199254740992",
            "+9007199254740993.0",
            "9007199254740991",
            "1e-400",
            "0",
            "0.1",
            "0.1000000000000000001",
            "a",
            "-9007199254740993",
        ]);
        let names: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
        let sorted = [
            "-9007199254740993",
            "0",
            "1e-400",
            "0.1",
            "0.1000000000000000001",
            "9007199254740991",
            "9007199254740992",
            "9007199254740993",
            "a",
        ];
        assert_eq!(names, sorted);
        assert_eq!(labels.codes(), [7, 6, 7, 5, 2, 1, 3, 4, 8, 0]);
        for (class, name) in labels.classes().iter().zip(sorted) {
            assert_eq!(*class, Label::parse(name), "a printed name is read as the same class");
        }
    }

    #[test]
    fn codes_with_leading_zeros_sort_next_to_their_number() {
        let labels = Labels::parse(["10", "01", "1", "1.0", "007", "0", "0.5", "00"]);
        let names: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
        assert_eq!(names, ["0", "00", "0.5", "1", "01", "007", "10"]);
        assert_eq!(labels.codes(), [6, 4, 3, 3, 5, 0, 2, 1]);
        let (code, number) = (Label::parse("01"), Label::parse("1"));
        assert!(code.is_other_spelling(&number) && !code.is_number() && number.is_number());
        assert!(!number.is_other_spelling(&Label::parse("1e0")));
    }

    #[test]
    fn from_codes_matches_parsed_labels() {
        let levels = [2.0, -1.0, 0.5].map(Label::Number);
        let labels = Labels::from_codes(&levels, &[0, 1, 0, 2]);
        assert_eq!(labels, Labels::parse(["2", "-1", "2", "0.5"]));
    }

    #[test]
    fn nan_and_infinity_are_strings() {
        assert_eq!(Label::parse("nan"), Label::Text("nan".into()));
        assert_eq!(Label::parse("inf"), Label::Text("inf".into()));
    }

    #[test]
    fn unused_levels_are_dropped() {
        let labels = Labels::from_levels(&["a", "b", "c"], &[2, 0, 2]);
        assert_eq!(labels.k(), 2);
        assert_eq!(labels.codes(), [1, 0, 1]);
    }
}
