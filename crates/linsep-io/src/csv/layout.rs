//! Analysis of the head of a file: dialect, column names, and initial column types.
//!
//! The head is the first [`HEAD`] bytes, or more if two records need more. The head does not depend
//! on the block size, so neither do the results of the analysis.
//!
//! A column is initially numeric if the head shows a number in it (or no cell at all), else
//! categorical. The initial type only decides the first pass; the whole file decides the type of
//! the column.

use super::dialect::{CellType, Sample, cell_type, delimiter, header, newline};
use super::missing::Missing;
use super::scan::Field;
use super::{CsvOptions, Kind, forced};
use crate::blocks::Shape;
use crate::dictionary::to_text;
use crate::error::Error;
use crate::location::Location;
use crate::sniff::{BOM, refuse_binary};
use memchr::memchr_iter;
use std::collections::HashMap;
use std::io::Read;

/// Bytes of a head.
const HEAD: usize = 256 << 10;

/// Result of the analysis.
pub(crate) struct Layout {
    pub shape: Shape,
    pub header: bool,
    pub names: Vec<String>,
    pub kinds: Vec<Kind>,
    /// Whether the type of each column is inferred.
    pub free: Vec<bool>,
    /// The target column, if its type is inferred.
    pub label: Option<usize>,
    /// Whether the last column is unnamed and empty, as with a delimiter at the end of every
    /// record.
    pub trailing: bool,
    /// Start of the first record of data, in bytes and lines.
    pub start: usize,
    pub line: u64,
}

impl Layout {
    /// Reads and analyzes the head of a stream; returns the head as well, because it is read only
    /// once.
    pub(crate) fn analyze(
        file: &str,
        stream: &mut impl Read,
        options: &CsvOptions,
        missing: &Missing,
    ) -> Result<(Self, Vec<u8>), Error> {
        // A record longer than the limit is refused, so the head need not be longer.
        let most = HEAD.max(options.limits.longest() + BOM.len() + 1);
        let mut head = Vec::new();
        let mut want = HEAD;
        loop {
            let more = stream.by_ref().take((want - head.len()) as u64).read_to_end(&mut head);
            more.map_err(|e| Error::from_io(file, e))?;
            let ended = head.len() < want;
            refuse_binary(file, &head)?;
            let bom = if head.starts_with(BOM) { BOM.len() } else { 0 };
            let end = newline(&head);
            if ended && head.last().is_some_and(|last| *last != end) {
                head.push(end); // as `Cutter` does
            }
            let all = ended || want == most;
            if let Some(layout) = Self::of(file, &head, bom, all, options, missing)? {
                return Ok((layout, head));
            }
            want = (want * 2).min(most); // fewer than two whole records so far
        }
    }

    /// Returns the layout of a file with this head, or `None` if more of the file is needed.
    fn of(
        file: &str,
        head: &[u8],
        bom: usize,
        all: bool,
        options: &CsvOptions,
        missing: &Missing,
    ) -> Result<Option<Self>, Error> {
        // 1. The dialect, and the records of the head.
        let text = &head[bom..];
        let (quote, comment) = (options.quote, options.comment);
        let open = Shape { newline: newline(text), delimiter: b',', quote, comment };
        let delimiter = options.delimiter.unwrap_or_else(|| delimiter(open, text, missing));
        let shape = Shape { delimiter, ..open };
        let sample = Sample::new(shape, text);
        if sample.records.len() < 2 && !sample.broken && !all {
            return Ok(None);
        }

        // 2. Header and names.
        let Some(first) = sample.records.first() else {
            return Self::nothing(text, shape, bom)
                .map_or_else(|| Err(Error::no_rows(file, false)), |layout| Ok(Some(layout)));
        };
        let header = options.header.unwrap_or_else(|| header(shape, &sample, missing));
        let behind = if header { &text[..sample.second] } else { &[] };
        let lines = memchr_iter(shape.newline, behind).count() as u64;
        let names = if header {
            names(file, shape, first, lines.max(1))?
        } else {
            (1..=first.len()).map(|j| format!("V{j}")).collect()
        };

        // 3. Types.
        let below = &sample.records[usize::from(header)..];
        let (mut kinds, shows) = guess(shape, below, names.len(), missing);
        let unnamed = !header || first.last().is_some_and(|f| f.raw.is_empty());
        let trailing = unnamed && names.len() > 1 && !shows.last().is_some_and(|s| *s);
        if trailing && let Some(last) = kinds.last_mut() {
            *last = Kind::Categorical; // so that it takes no slot among the numbers
        }
        let mut free = vec![true; names.len()];
        let places: HashMap<&str, usize> =
            names.iter().enumerate().map(|(j, name)| (name.as_str(), j)).collect();
        for (name, force) in &options.force {
            let Some(&j) = places.get(name.as_str()) else {
                return Err(Error::no_column_among(file, name, &names));
            };
            (kinds[j], free[j]) = (forced(*force), false);
        }
        let trailing = trailing && free.last() == Some(&true);
        let here = |j: &usize| kinds[*j] != Kind::Drop && !(trailing && j + 1 == names.len());
        let places: Vec<usize> = (0..names.len()).filter(here).collect();
        let read: Vec<&str> = places.iter().map(|&j| names[j].as_str()).collect();
        let label = options.classes.among(&read).map(|at| places[at]).filter(|&j| free[j]);
        let (start, line) = (bom + behind.len(), 1 + lines);
        Ok(Some(Self { shape, header, names, kinds, free, label, trailing, start, line }))
    }

    /// Handles a head without a whole record. Returns a layout if a record starts, so that reading
    /// gives the exact error (an open quote, a record too long), else `None`.
    fn nothing(text: &[u8], shape: Shape, bom: usize) -> Option<Self> {
        let mut at = 0;
        while let Some(next) = super::scan::skipped(shape, text, at) {
            at = next;
        }
        (at < text.len()).then(|| Self {
            shape,
            header: false,
            names: vec!["V1".to_owned()],
            kinds: vec![Kind::Categorical],
            free: vec![true],
            label: None,
            trailing: false,
            start: bom,
            line: 1,
        })
    }
}

/// Returns the names in a header; an empty name is replaced by V and the position.
fn names(file: &str, shape: Shape, first: &[Field<'_>], line: u64) -> Result<Vec<String>, Error> {
    let mut names = Vec::with_capacity(first.len());
    for (j, field) in first.iter().enumerate() {
        let name = to_text(&field.text(shape)).0;
        let name = name.trim();
        names.push(if name.is_empty() { format!("V{}", j + 1) } else { name.to_owned() });
    }
    let mut places = HashMap::with_capacity(names.len());
    for (j, name) in names.iter().enumerate() {
        if let Some(first) = places.insert(name.as_str(), j) {
            return Err(Error::same_name(Location::line(file, line), name, first, j));
        }
    }
    Ok(names)
}

/// Returns the initial types of the columns, and whether each column has a non-missing cell.
fn guess(
    shape: Shape,
    rows: &[Vec<Field<'_>>],
    columns: usize,
    missing: &Missing,
) -> (Vec<Kind>, Vec<bool>) {
    let (mut numbers, mut shows) = (vec![false; columns], vec![false; columns]);
    for row in rows.iter().filter(|row| row.len() == columns) {
        for (j, field) in row.iter().enumerate() {
            if !numbers[j] {
                let looks = cell_type(&field.text(shape), missing);
                numbers[j] = looks == CellType::Number;
                shows[j] |= looks != CellType::Missing;
            }
        }
    }
    let kind = |(n, s): (&bool, &bool)| if *n || !*s { Kind::Numeric } else { Kind::Categorical };
    (numbers.iter().zip(&shows).map(kind).collect(), shows)
}
