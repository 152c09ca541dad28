//! Cells of numeric columns that are not finite numbers, counted by block and added up in order.
//!
//! Whether such a cell is an error depends on the type of its column, known only at the end.

use crate::dictionary::to_text;
use crate::error::Error;
use crate::location::Location;
use std::collections::BTreeMap;

/// Position of a cell in its column: the number of its file, and the line or row.
pub(crate) type Position = (usize, u64);

/// Non-numeric and infinite cells, by column.
#[derive(Debug, Default)]
pub(crate) struct InvalidCells(BTreeMap<usize, InvalidColumn>);

#[derive(Debug, Default)]
struct InvalidColumn {
    /// Number of non-numeric cells.
    words: u64,
    /// The first non-numeric cell.
    word: Option<(Position, String)>,
    /// The first infinity.
    infinity: Option<(Position, String)>,
}

impl InvalidCells {
    /// Adds a cell of column j.
    #[cold]
    pub(crate) fn push(&mut self, j: usize, at: u64, text: &[u8], is_infinity: bool) {
        let column = self.0.entry(j).or_default();
        column.words += u64::from(!is_infinity);
        let first = if is_infinity { &mut column.infinity } else { &mut column.word };
        // Truncated for the message: the cell may be huge.
        let shown = || to_text(&text[..text.len().min(400)]).0;
        first.get_or_insert_with(|| ((0, at), shown()));
    }

    /// Moves the cells of a later block here; `start` is added to their positions.
    pub(crate) fn append(&mut self, later: &mut Self, start: Position) {
        let shift = |first: Option<(Position, String)>| {
            first.map(|((file, at), text)| ((file + start.0, at + start.1), text))
        };
        while let Some((j, later)) = later.0.pop_first() {
            let column = self.0.entry(j).or_default();
            column.words += later.words;
            column.word = column.word.take().or_else(|| shift(later.word));
            column.infinity = column.infinity.take().or_else(|| shift(later.infinity));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the number of non-numeric cells of column j.
    pub(crate) fn words(&self, j: usize) -> u64 {
        self.0.get(&j).map_or(0, |column| column.words)
    }

    /// Whether column j has invalid cells.
    pub(crate) fn contains(&self, j: usize) -> bool {
        self.0.contains_key(&j)
    }

    /// Returns the error for the first cell of all; `place` gives its location.
    pub(crate) fn first_error(&self, place: impl Fn(Position, usize) -> Location) -> Option<Error> {
        let firsts = self.0.iter().flat_map(|(&j, column)| {
            let word = column.word.iter().map(move |(at, text)| (*at, j, Some(column.words), text));
            let infinity = column.infinity.iter().map(move |(at, text)| (*at, j, None, text));
            word.chain(infinity)
        });
        let (at, j, words, text) =
            firsts.min_by_key(|&(at, j, words, _)| (at, j, words.is_some()))?;
        Some(match words {
            Some(words) => Error::not_a_number(place(at, j), text, words - 1),
            None => Error::not_finite(place(at, j), text),
        })
    }
}
