//! Work in blocks, on as many threads as the caller's pool has, with the same bits for any number.
//!
//! A block is a range of rows whose size depends on the problem alone. Each block is done by one
//! thread from its first row to its last, and results come back **in the order of the blocks**: the
//! number of threads decides who does a block, never what is added to what. The threads are those of
//! the rayon pool that the call is made in; a face installs a pool of the size that was asked for.

use rayon::prelude::*;
use std::ops::Range;

/// The result of `work` on every block of `size` among 0..n, in order.
pub fn map_blocks<T: Send>(
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

/// Lets `work` fill every block of `size` elements of `out`; it is told where the block starts. Returns what `work` does, in order.
pub fn fill_blocks<T: Send>(
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
    fn blocks_cover_everything_in_order() {
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
