//! To other numbers of columns and back: a matrix whose columns are not stored by the numbers given.

use super::numbering::Room;
use super::{Csr, Numbering, Row};
use crate::math::kernels::{Indices, Value};
use rayon::prelude::*;
use std::sync::Arc;

/// Columns below which their weights stay in the cache whatever their order, and stored values below which it does not matter.
const MANY: usize = 1 << 15;
const LARGE: usize = 1 << 19;

impl<V: Value> Csr<V> {
    /// The same matrix with its columns stored by how often they occur, where that is worth while: where weights of all columns
    /// have no room in the cache. A view is left as it is.
    pub fn by_frequency(self) -> Self {
        let ends = std::iter::once(0).chain(self.rows.iter().map(|row| row.end));
        let is_view = self.rows.iter().zip(ends).any(|(row, end)| row.start != end);
        let fits = self.d < MANY || self.stored < LARGE;
        if fits || is_view || self.numbering.is_some() {
            return self;
        }
        self.numbered()
    }

    pub(super) fn numbered(self) -> Self {
        const SOME: usize = 8;
        let Self { d, rows, cut, indices, values, stored, .. } = self;
        let columns = |row: &Row| &indices.list()[row.start..row.end];
        let (numbering, way) = Numbering::by_frequency(d, rows.iter().step_by(SOME).map(columns));
        let cut = cut.map(|_| numbering.middle() as u32);
        let mut rows = Arc::unwrap_or_clone(rows);
        let mut indices = Arc::unwrap_or_clone(indices).into_list();
        let mut values = Arc::unwrap_or_clone(values);
        // Each block of rows with its own part of what is stored.
        let size = rows.len().div_ceil(64);
        let (mut more_indices, mut more_values) = (&mut indices[..], &mut values[..]);
        let mut blocks = Vec::new();
        for rows in rows.chunks_mut(size) {
            let here = rows[rows.len() - 1].end - rows[0].start;
            let (indices, later) = more_indices.split_at_mut(here);
            let (values, late) = more_values.split_at_mut(here);
            (more_indices, more_values) = (later, late);
            blocks.push((rows, indices, values));
        }
        blocks.into_par_iter().for_each(|(rows, indices, values)| {
            let (first, mut room) = (rows[0].start, Room::default());
            for row in rows {
                let own = row.start - first..row.end - first;
                let indices = &mut indices[own.clone()];
                way.go(indices, &mut values[own], &mut room);
                if let Some(cut) = cut {
                    row.middle = row.start + indices.partition_point(|&j| j < cut);
                }
            }
        });
        let indices = Indices::new(indices, d).expect("as many columns as before");
        let (indices, values) = (Arc::new(indices), Arc::new(values));
        let numbering = Some(Arc::new(numbering));
        Self { d, rows: Arc::new(rows), cut, indices, values, stored, numbering }
    }

    /// The same rows by the numbers that columns are stored by, and what these are; `None` where they are those given.
    pub(in crate::data) fn as_stored(&self) -> Option<(Self, Arc<Numbering>)> {
        let numbering = Arc::clone(self.numbering.as_ref()?);
        Some((Self { numbering: None, ..self.clone() }, numbering))
    }

    /// Row i by the numbers given, where it is stored by others.
    #[inline]
    pub(super) fn given(&self, i: usize) -> Option<Self> {
        self.numbering.as_ref().map(|numbering| self.translated(i, numbering))
    }

    #[cold]
    fn translated(&self, i: usize, numbering: &Numbering) -> Self {
        let (indices, values) = self.row(i);
        let columns = indices.list().iter().map(|&j| numbering.given(j));
        let mut row: Vec<(u32, V)> = columns.zip(values.iter().copied()).collect();
        row.sort_unstable_by_key(|(j, _)| *j);
        let (indices, values): (Vec<u32>, Vec<V>) = row.into_iter().unzip();
        let (end, norm_sq) = (values.len(), self.rows[i].norm_sq);
        let rows = Arc::new(vec![Row { start: 0, middle: end, end, norm_sq }]);
        let indices = Indices::new(indices, self.d).expect("the numbers given are below d as well");
        let (indices, values) = (Arc::new(indices), Arc::new(values));
        Self { d: self.d, rows, cut: None, indices, values, stored: end, numbering: None }
    }
}
