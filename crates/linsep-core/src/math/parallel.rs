//! Work in blocks on the caller's thread pool, with the same bits for any number of threads.
//!
//! A block is a range of rows whose size depends on the problem alone. One thread processes a block
//! from its first row to its last, and results are returned **in the order of the blocks**. The
//! number of threads determines which thread processes a block, never the order of a sum. The
//! threads are those of the rayon pool of the call; an interface installs a pool of the requested
//! size.

use rayon::prelude::*;
use std::ops::Range;

/// The results of `work` on every block of `size` among 0..n, in order.
pub(crate) fn map_blocks<T: Send>(
    n: usize,
    size: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let size = size.max(1);
    if n <= size {
        return vec![work(0..n)];
    }
    let block = |k: usize| work(k * size..n.min((k + 1) * size));
    (0..n.div_ceil(size)).into_par_iter().map(block).collect()
}

/// Calls `work` to fill every block of `size` elements of `out`, with the index of its first
/// element. Returns the results in order.
pub(crate) fn fill_blocks<T: Send>(
    out: &mut [f64],
    size: usize,
    work: impl Fn(usize, &mut [f64]) -> T + Sync,
) -> Vec<T> {
    let size = size.max(1);
    if out.len() <= size {
        return vec![work(0, out)];
    }
    out.par_chunks_mut(size).enumerate().map(|(k, block)| work(k * size, block)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_elements_in_order() {
        for (n, size) in [(0, 3), (1, 3), (3, 3), (10, 3), (7, 0)] {
            let blocks = map_blocks(n, size, Iterator::collect::<Vec<usize>>);
            assert_eq!(blocks.concat(), (0..n).collect::<Vec<_>>());
            let mut out = vec![0.0; n];
            fill_blocks(&mut out, size, |start, block| {
                block.iter_mut().enumerate().for_each(|(j, o)| *o = (start + j) as f64);
            });
            assert_eq!(out, (0..n).map(|i| i as f64).collect::<Vec<_>>());
        }
    }
}
