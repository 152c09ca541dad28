//! Class labels of rows, and their renaming.
//!
//! A renaming is written `OLD=NEW`. Class names may contain `=` (`<=50K.=<=50K`), so a split at
//! every `=` is tried. The only valid one is used: OLD is a class of the data, or NEW is a known
//! class.

use crate::error::Error;
use linsep_core::{Label, Labels};
use linsep_io::location::{excerpt, shell_argument};
use linsep_io::table::{Column, MISSING, Sparse, Table, Values};
use std::collections::{BTreeMap, HashMap};

/// Class of every row, as a code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLabels {
    /// The classes, in order of first appearance.
    pub levels: Vec<Label>,
    /// For each row the index of its class, or `MISSING`.
    pub codes: Vec<u32>,
}

impl RowLabels {
    /// Returns the classes in a column.
    pub(crate) fn of_column(table: &Table, column: &Column) -> Self {
        match &column.values {
            Values::Categorical { codes, levels } => Self {
                levels: levels.iter().map(|l| Label::parse(l)).collect(),
                codes: codes.to_vec(),
            },
            Values::Numeric { slot } => {
                let mut place: HashMap<u64, u32> = HashMap::new();
                let (mut levels, mut first) = (Vec::new(), Vec::new());
                let mut code = |x: f64| {
                    if x.is_nan() {
                        return MISSING;
                    }
                    let x = x + 0.0; // normalizes −0 to 0
                    // Most data has few classes: a scan of the first eight is faster than a hash.
                    if let Some(known) = first.iter().position(|known| *known == x) {
                        return known as u32;
                    }
                    *place.entry(x.to_bits()).or_insert_with(|| {
                        if first.len() < 8 {
                            first.push(x);
                        }
                        levels.push(Label::Number(x));
                        levels.len() as u32 - 1
                    })
                };
                let codes = (0..table.rows).map(|i| code(table.row(i)[*slot])).collect();
                Self { levels, codes }
            }
        }
    }

    /// Returns the classes of sparse rows.
    pub(crate) fn of_sparse(sparse: &Sparse) -> Self {
        let levels = sparse.levels.iter().map(|level| Label::parse(level)).collect();
        Self { levels, codes: sparse.codes.clone() }
    }

    /// Returns the class of row i, if it has one.
    pub fn get(&self, i: usize) -> Option<&Label> {
        self.levels.get(self.codes[i] as usize)
    }

    /// Returns the same rows with renamed classes.
    pub(crate) fn renamed(mut self, map: &LabelMap) -> Self {
        self.levels = self.levels.into_iter().map(|label| map.apply(label)).collect();
        self
    }

    /// Returns the classes of the given rows, all of which have one.
    pub(crate) fn select(&self, rows: &[usize]) -> Labels {
        let codes: Vec<u32> = rows.iter().map(|&i| self.codes[i]).collect();
        Labels::from_codes(&self.levels, &codes)
    }
}

/// Old class names and their new names.
#[derive(Clone, Debug, Default)]
pub struct LabelMap {
    renamed: BTreeMap<Label, Label>,
}

impl LabelMap {
    /// Parses `OLD=NEW` pairs whose new names are classes of a model.
    pub fn onto(pairs: &[String], known: &[Label]) -> Result<Self, Error> {
        Self::new(pairs, |_, new| known.contains(new))
    }

    /// Parses `OLD=NEW` pairs for data with these classes. Pairs with an old name outside the data
    /// are accepted if the new name is in it: they concern other data (a test file).
    pub fn from(pairs: &[String], present: &[Label]) -> Result<Self, Error> {
        Self::new(pairs, |old, new| present.contains(old) || present.contains(new))
    }

    fn new(pairs: &[String], fits: impl Fn(&Label, &Label) -> bool) -> Result<Self, Error> {
        let mut renamed = BTreeMap::new();
        for pair in pairs {
            let cuts = pair.match_indices('=').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
            let parsed = cuts.map(|(old, new)| (Label::parse(old), Label::parse(new)));
            let mut fitting = parsed.filter(|(old, new)| fits(old, new));
            match (fitting.next(), fitting.next()) {
                (Some((old, new)), None) => renamed.insert(old, new),
                _ => {
                    return Err(Error::Request(format!(
                        "`label-map`: expected OLD=NEW with an existing class OLD, found {}.",
                        shell_argument(&excerpt(pair))
                    )));
                }
            };
        }
        Ok(Self { renamed })
    }

    /// Returns the new name of a class, or its own name if it is not renamed.
    pub fn apply(&self, label: Label) -> Label {
        self.renamed.get(&label).cloned().unwrap_or(label)
    }

    /// Whether no class is renamed.
    pub fn is_empty(&self) -> bool {
        self.renamed.is_empty()
    }
}

/// Returns a name as an element of a list separated by commas: quoted, if necessary.
pub fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_separators_quotes_or_outer_blanks_are_quoted() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" blank"), "\" blank\"");
    }

    fn labels(names: &[&str]) -> Vec<Label> {
        names.iter().map(|name| Label::parse(name)).collect()
    }

    #[test]
    fn the_only_valid_split_is_used() {
        let known = labels(&["<=50K", ">50K"]);
        let pairs = ["<=50K.=<=50K".to_owned(), ">50K.=>50K".to_owned()];
        let map = LabelMap::onto(&pairs, &known).unwrap();
        assert_eq!(map.apply(Label::parse("<=50K.")), known[0]);
        assert_eq!(map.apply(Label::parse(">50K.")), known[1]);
        assert_eq!(map.apply(Label::parse("other")), Label::parse("other"));
        let map = LabelMap::from(&["a=b=c".to_owned()], &labels(&["a=b"])).unwrap();
        assert_eq!(map.apply(Label::parse("a=b")), Label::parse("c"));
    }

    #[test]
    fn pairs_without_a_valid_split_are_errors() {
        let known = labels(&["x"]);
        for pair in ["ab", "a=b", "a=x=x"] {
            let result = LabelMap::onto(&[pair.to_owned()], &known);
            assert_eq!(result.is_err(), pair != "a=x=x", "{pair}");
        }
    }
}
