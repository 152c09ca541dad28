//! Tables of text, for the terminal and for HTML pages.

use crate::escape::one_line;
use crate::layout::{LEAST, columns, wrapped};

/// A table with text aligned left and numbers aligned right.
pub struct Table {
    /// The header, then the rows.
    pub(crate) rows: Vec<Vec<String>>,
    /// Number of text columns, from the left.
    pub(crate) left: usize,
    dropped_first: Vec<usize>,
    prose: Option<usize>,
}

impl Table {
    /// An empty table whose first `left` columns contain text.
    pub fn new(header: &[&str], left: usize) -> Self {
        let header = header.iter().map(ToString::to_string).collect();
        Self { rows: vec![header], left, dropped_first: Vec::new(), prose: None }
    }

    /// Sets the columns that are hidden first if the table is too wide [default: from the right].
    pub fn drop_first(mut self, order: &[usize]) -> Self {
        self.dropped_first = order.to_vec();
        self
    }

    /// Sets the column whose text is wrapped if the table is too wide.
    pub fn prose(mut self, column: usize) -> Self {
        self.prose = Some(column);
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Appends the table as lines; returns the names of hidden columns.
    pub(crate) fn show(&self, room: usize, indent: usize, out: &mut String) -> Vec<String> {
        let line = |row: &Vec<String>| row.iter().map(|c| one_line(c).into_owned()).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(line).collect();
        let (shown, widths) = self.fit(&rows, room.saturating_sub(indent));
        rows.iter().for_each(|row| self.show_row(row, &shown, &widths, indent, out));
        let heads = rows[0].iter().enumerate();
        heads.filter(|(c, _)| !shown.contains(c)).map(|(_, name)| name.clone()).collect()
    }

    /// The columns that are shown, and the width of every column.
    fn fit(&self, rows: &[Vec<String>], room: usize) -> (Vec<usize>, Vec<usize>) {
        let all = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, c: usize| row.get(c).map_or(0, |cell| columns(cell));
        let widest = |c: usize| rows.iter().map(|row| cell(row, c)).max().unwrap_or(0);
        let full: Vec<usize> = (0..all).map(widest).collect();
        let least = |c: usize| if self.prose == Some(c) { full[c].min(2 * LEAST) } else { full[c] };
        let mut shown: Vec<usize> = (0..all).collect();
        let taken = |shown: &[usize]| {
            shown.iter().map(|&c| least(c)).sum::<usize>() + 2 * shown.len().saturating_sub(1)
        };
        // Columns of text are hidden last: they identify the row.
        let right = (self.left.max(1)..all).rev().filter(|c| !self.dropped_first.contains(c));
        for c in self.dropped_first.iter().copied().chain(right) {
            if taken(&shown) <= room || shown.len() <= 2 {
                break;
            }
            shown.retain(|own| *own != c);
        }
        let mut widths: Vec<usize> = full.iter().enumerate().map(|(c, _)| least(c)).collect();
        if taken(&shown) <= room {
            if let Some(c) = self.prose.filter(|c| shown.contains(c)) {
                widths[c] = full[c].min(room - taken(&shown) + least(c));
            }
        } else {
            // Long names: the widest columns are shortened until the row fits.
            let mut over = taken(&shown) - room;
            while over > 0 {
                let Some(&c) = shown.iter().max_by_key(|&&c| widths[c]) else { break };
                if widths[c] <= LEAST {
                    break;
                }
                widths[c] -= 1;
                over -= 1;
            }
        }
        (shown, widths)
    }

    fn show_row(
        &self,
        row: &[String],
        shown: &[usize],
        widths: &[usize],
        indent: usize,
        out: &mut String,
    ) {
        let lines: Vec<Vec<String>> = shown
            .iter()
            .map(|&c| {
                let cell = row.get(c).map_or("", String::as_str);
                if self.prose == Some(c) {
                    wrapped(cell, widths[c])
                } else {
                    vec![shortened(cell, widths[c])]
                }
            })
            .collect();
        for i in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = " ".repeat(indent);
            for (at, (&c, cell)) in shown.iter().zip(&lines).enumerate() {
                let cell = cell.get(i).map_or("", String::as_str);
                let pad = " ".repeat(widths[c].saturating_sub(columns(cell)));
                let gap = if at == 0 { "" } else { "  " };
                if c < self.left || self.prose == Some(c) {
                    line.extend([gap, cell, &pad]);
                } else {
                    line.extend([gap, &pad, cell]);
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// A text of at most `room` columns, shortened by an ellipsis in the middle.
fn shortened(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let prefix = |letters: &mut dyn Iterator<Item = char>, room: usize| {
        let mut part: Vec<char> = Vec::new();
        let mut taken = 0;
        for c in letters {
            taken += columns(c.encode_utf8(&mut [0; 4]));
            if taken > room {
                break;
            }
            part.push(c);
        }
        part
    };
    let start = prefix(&mut text.chars(), room / 2);
    let end = prefix(&mut text.chars().rev(), room - 1 - room / 2);
    start.into_iter().chain(['…']).chain(end.into_iter().rev()).collect()
}
