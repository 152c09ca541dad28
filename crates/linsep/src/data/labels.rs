//! Class labels: any numbers or words, put in one order.
//!
//! Classes are sorted: numbers by value, then words by their bytes. A label that reads as a finite
//! number *is* that number, so `1`, `+1` and `1.0` are one class, printed `1`.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// The name of a class.
#[derive(Clone, Debug)]
pub enum Label {
    /// A finite number.
    Number(f64),
    /// Anything else.
    Text(String),
}

impl Label {
    /// Reads a label; blanks around it do not count.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        match text.parse::<f64>() {
            Ok(v) if v.is_finite() => Self::Number(v + 0.0), // −0 becomes 0
            _ => Self::Text(text.to_owned()),
        }
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
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
        }
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
    /// Reads one label per row.
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

    /// The labels of rows whose texts are already numbered: row i has the text `levels[codes[i]]`.
    ///
    /// # Panics
    ///
    /// If a code is not the position of a level.
    pub fn from_levels<S: AsRef<str>>(levels: &[S], codes: &[u32]) -> Self {
        let parsed: Vec<Label> = levels.iter().map(|text| Label::parse(text.as_ref())).collect();
        Self::from_codes(&parsed, codes)
    }

    /// The labels of rows that are already numbered: row i has the label `levels[codes[i]]`. Levels that
    /// are the same class are merged; levels without rows are left out.
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
    fn numbers_come_first_and_by_value() {
        let labels = Labels::parse(["10", "b", "9", "a", "-1"]);
        let names: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
        assert_eq!(names, ["-1", "9", "10", "a", "b"]);
        assert_eq!(labels.codes(), [2, 4, 1, 3, 0]);
    }

    #[test]
    fn one_number_written_three_ways_is_one_class() {
        let labels = Labels::parse(["+1", "1", " 1.0 ", "-1", "-0", "0"]);
        assert_eq!(labels.k(), 3);
        assert_eq!(labels.codes(), [2, 2, 2, 0, 1, 1]);
    }

    #[test]
    fn labels_that_are_numbered_already() {
        let levels = [2.0, -1.0, 0.5].map(Label::Number);
        let labels = Labels::from_codes(&levels, &[0, 1, 0, 2]);
        assert_eq!(labels, Labels::parse(["2", "-1", "2", "0.5"]));
    }

    #[test]
    fn nan_and_infinity_are_words() {
        assert_eq!(Label::parse("nan"), Label::Text("nan".into()));
        assert_eq!(Label::parse("inf"), Label::Text("inf".into()));
    }

    #[test]
    fn unused_levels_are_no_classes() {
        let labels = Labels::from_levels(&["a", "b", "c"], &[2, 0, 2]);
        assert_eq!(labels.k(), 2);
        assert_eq!(labels.codes(), [1, 0, 1]);
    }
}
