//! Matrices whose columns are stored in another order than the given one.

use super::column_permutation::RowBuffer;
use super::{ColumnPermutation, Csr, Row};
use crate::math::kernels::{Indices, Value};
use rayon::prelude::*;
use std::sync::Arc;

/// Below this number of columns, or of stored values, the coefficients fit the cache in any order.
const MANY: usize = 1 << 15;
const LARGE: usize = 1 << 19;

impl<V: Value> Csr<V> {
    /// The same matrix with its columns stored by frequency, if the matrix is so large that the
    /// coefficients do not fit the cache. A view is returned unchanged.
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
        let (numbering, way) =
            ColumnPermutation::by_frequency(d, rows.iter().step_by(SOME).map(columns));
        let cut = cut.map(|_| numbering.middle() as u32);
        let mut rows = Arc::unwrap_or_clone(rows);
        let mut indices = Arc::unwrap_or_clone(indices).into_list();
        let mut values = Arc::unwrap_or_clone(values);
        // Blocks of rows, each with its own slice of the storage.
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
            let (first, mut room) = (rows[0].start, RowBuffer::default());
            for row in rows {
                let own = row.start - first..row.end - first;
                let indices = &mut indices[own.clone()];
                way.reorder(indices, &mut values[own], &mut room);
                if let Some(cut) = cut {
                    row.middle = row.start + indices.partition_point(|&j| j < cut);
                }
            }
        });
        let indices = Indices::new(indices, d).expect("the number of columns is unchanged");
        let (indices, values) = (Arc::new(indices), Arc::new(values));
        let numbering = Some(Arc::new(numbering));
        Self { d, rows: Arc::new(rows), cut, indices, values, stored, numbering }
    }

    /// A view with columns in storage order, and the permutation; `None` if the storage order is
    /// the given one.
    pub(in crate::data) fn as_stored(&self) -> Option<(Self, Arc<ColumnPermutation>)> {
        let numbering = Arc::clone(self.numbering.as_ref()?);
        Some((Self { numbering: None, ..self.clone() }, numbering))
    }

    /// Row i in the given order of columns; `None` if that is the storage order.
    #[inline]
    pub(super) fn given(&self, i: usize) -> Option<Self> {
        self.numbering.as_ref().map(|numbering| self.translated(i, numbering))
    }

    #[cold]
    fn translated(&self, i: usize, numbering: &ColumnPermutation) -> Self {
        let (indices, values) = self.row(i);
        let columns = indices.list().iter().map(|&j| numbering.given(j));
        let mut row: Vec<(u32, V)> = columns.zip(values.iter().copied()).collect();
        row.sort_unstable_by_key(|(j, _)| *j);
        let (indices, values): (Vec<u32>, Vec<V>) = row.into_iter().unzip();
        let (end, norm_sq) = (values.len(), self.rows[i].norm_sq);
        let rows = Arc::new(vec![Row { start: 0, middle: end, end, norm_sq }]);
        let indices = Indices::new(indices, self.d).expect(
            "original column indices are below d \
            too",
        );
        let (indices, values) = (Arc::new(indices), Arc::new(values));
        Self { d: self.d, rows, cut: None, indices, values, stored: end, numbering: None }
    }
}
