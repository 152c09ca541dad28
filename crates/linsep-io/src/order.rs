//! Processes blocks on several threads and collects the results in order.
//!
//! Each thread repeats: take the next block (one at a time, under a lock), process it (no lock),
//! submit the result. Results are appended strictly in block order, so **nothing depends on the
//! number of threads**: neither the collected data nor the error returned. The error is always that
//! of the earliest faulty block. A thread whose result is more than [`AHEAD`] blocks per thread
//! early waits, which bounds the memory of finished blocks. The thread with the next block never
//! waits: no deadlock.

use crate::error::{Error, StreamError};
use crate::table::{Sparse, Table};
use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Number of finished blocks per thread that may wait for an earlier block.
const AHEAD: u64 = 4;

/// Number of threads up to which [`AHEAD`] is multiplied.
const MANY: usize = 32;

/// Returns the number of finished blocks that may wait for an earlier block.
fn ahead(threads: usize) -> u64 {
    AHEAD * threads.min(MANY) as u64
}

struct OrderedResults<P, A, E> {
    next: u64,
    waiting: BTreeMap<u64, Result<P, E>>,
    spare: Vec<P>,
    append: A,
    over: bool,
    error: Option<E>,
}

/// Takes blocks from `next` until it returns `false`, runs `work` on `threads` threads and `append`
/// in block order. If an error is returned, exactly the blocks before it have been appended.
///
/// `next` and `work` overwrite their arguments, which are reused.
pub(crate) fn in_order<B, P, E, N, F, A>(
    threads: usize,
    mut next: N,
    work: F,
    mut append: A,
) -> Result<(), E>
where
    B: Default,
    P: Default + Send,
    E: Send,
    N: FnMut(&mut B) -> Result<bool, E> + Send,
    F: Fn(&mut B, &mut P) -> Result<(), E> + Sync,
    A: FnMut(&mut P) -> Result<(), E> + Send,
{
    if threads <= 1 {
        let (mut block, mut part) = (B::default(), P::default());
        while next(&mut block)? {
            work(&mut block, &mut part)?;
            append(&mut part)?;
        }
        return Ok(());
    }

    let next = Mutex::new((next, 0, false));
    let waiting = BTreeMap::new();
    let line =
        OrderedResults { next: 0, waiting, spare: Vec::new(), append, over: false, error: None };
    let (line, moved) = (Mutex::new(line), Condvar::new());
    let run = |started: Sender<()>| {
        let _guard = Guard { line: &line, moved: &moved };
        let (mut block, mut started) = (B::default(), Some(started));
        loop {
            // 1. Take the next block, or the error in its place.
            let (index, taken) = {
                let mut next = locked(&next);
                let (next, index, ended) = &mut *next;
                if *ended {
                    return;
                }
                let taken = next(&mut block);
                *ended = !matches!(taken, Ok(true));
                *index += 1;
                (*index - 1, taken)
            };
            if matches!(taken, Ok(false)) {
                return;
            }
            if let Some(started) = started.take() {
                let _ = started.send(()); // the main thread waits for it
            }

            // 2. Process the block.
            let mut part = locked(&line).spare.pop().unwrap_or_default();
            let result = taken.and_then(|_| work(&mut block, &mut part)).map(|()| part);

            // 3. Submit the result, and append all results that are in order.
            let mut line = locked(&line);
            while index > line.next + ahead(threads) && !line.over {
                line = moved.wait(line).unwrap_or_else(PoisonError::into_inner);
            }
            line.waiting.insert(index, result);
            if !line.advance() {
                return;
            }
            drop(line);
            moved.notify_all();
        }
    };
    std::thread::scope(|scope| {
        // A thread starts when the one before it got a block, so there are no more threads than
        // blocks, and one.
        for _ in 0..threads {
            let (started, starts) = channel();
            let run = &run;
            scope.spawn(move || run(started));
            if starts.recv().is_err() {
                break;
            }
        }
    });
    let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
    line.error.map_or(Ok(()), Err)
}

/// A block of rows, as a reader returns it.
pub(crate) trait RowBlock {
    /// Returns the number of rows.
    fn rows(&self) -> usize;
}

impl RowBlock for Table {
    fn rows(&self) -> usize {
        self.rows
    }
}

impl RowBlock for Sparse {
    fn rows(&self) -> usize {
        self.rows
    }
}

/// Reads a file in blocks, of which at most a few are in memory: `next` takes a block from the
/// file; `read`, on any thread, makes its rows of it, and `work` a result of these; `take` receives
/// the results in the order of the file. Returns the number of rows.
///
/// Row numbers in an error of `work` count from the block, so the rows before it are added here.
pub(crate) fn stream_blocks<B: Default, R: RowBlock, T: Send, E: StreamError>(
    threads: usize,
    mut next: impl FnMut(&mut B) -> Result<bool, Error> + Send,
    read: impl Fn(&mut B) -> Result<Option<R>, Error> + Sync,
    work: impl Fn(R) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<usize, E> {
    let mut rows = 0;
    let all = in_order(
        threads,
        |block: &mut B| next(block).map_err(E::from),
        |block, part: &mut Option<(usize, T)>| {
            *part = match read(block)? {
                Some(table) => Some((table.rows(), work(table)?)),
                None => None,
            };
            Ok(())
        },
        |part| {
            let Some((n, result)) = part.take() else { return Ok(()) };
            rows += n;
            take(result)
        },
    );
    all.map_err(|error: E| error.after(rows))?;
    Ok(rows)
}

impl<P, E, A: FnMut(&mut P) -> Result<(), E>> OrderedResults<P, A, E> {
    /// Appends the results that are in order; returns `false` when no work is left.
    fn advance(&mut self) -> bool {
        while !self.over
            && let Some(result) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            match result.and_then(|mut part| (self.append)(&mut part).map(|()| part)) {
                Ok(part) => self.spare.push(part),
                Err(error) => (self.error, self.over) = (Some(error), true),
            }
        }
        !self.over
    }
}

/// Wakes the waiting threads when a thread ends, and stops them if it panicked.
struct Guard<'a, P, A, E> {
    line: &'a Mutex<OrderedResults<P, A, E>>,
    moved: &'a Condvar,
}

impl<P, A, E> Drop for Guard<'_, P, A, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            locked(self.line).over = true;
        }
        self.moved.notify_all();
    }
}

/// Ignores poisoning: a panic is propagated when the threads are joined, and the data stays
/// consistent until then.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{Block, BlockSplitter, Limits, Shape};
    use crate::location::Location;
    use crate::memory::Memory;

    const TINY: Limits = Limits { block: 1, max_record: 1_000, memory: Memory::ALL };

    fn run(threads: usize, bad: &[&str], text: &str) -> Result<String, String> {
        let mut cutter = BlockSplitter::new("x", text.as_bytes(), Shape::LINES, 1, TINY);
        let mut out = String::new();
        let work = |block: &mut Block, part: &mut String| {
            *part = String::from_utf8(block.bytes().to_vec()).unwrap();
            if block.index.is_multiple_of(3) {
                std::thread::yield_now();
            }
            if bad.contains(&part.trim_end()) {
                return Err(Error::fault(Location::line("x", block.first_line), "bad", ""));
            }
            Ok(())
        };
        let append = |part: &mut String| {
            out.push_str(part);
            Ok(())
        };
        in_order(threads, |block| cutter.next(block), work, append).map_err(|e| e.to_string())?;
        Ok(out)
    }

    #[test]
    fn order_and_first_error_do_not_depend_on_threads() {
        let text = (0..500).map(|i| format!("{i}\n")).collect::<Vec<_>>().concat();
        for threads in [1, 2, 3, 8] {
            assert_eq!(run(threads, &[], &text).as_ref(), Ok(&text));
            let error = run(threads, &["400", "77", "78"], &text).unwrap_err();
            assert!(error.starts_with("x, line 78:"), "{error}");
        }
    }

    #[test]
    fn an_empty_stream_has_no_blocks() {
        assert_eq!(run(2, &[], ""), Ok(String::new()));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_propagated_without_deadlock() {
        let text = (0..500).map(|i| format!("{i}\n")).collect::<Vec<_>>().concat();
        let mut cutter = BlockSplitter::new("x", text.as_bytes(), Shape::LINES, 1, TINY);
        let work = |block: &mut Block, (): &mut ()| {
            assert!(block.index != 50, "on purpose");
            Ok(())
        };
        let _ = in_order(3, |block| cutter.next(block), work, |()| Ok::<(), Error>(()));
    }
}
