//! A run that is ended while its data are read returns an error at once, and drops the source.

#![allow(clippy::unwrap_used)] // tests may panic

use linsep_core::Cancel;
use linsep_io::libsvm::stream_libsvm;
use linsep_io::{Error, LibsvmOptions, ReadOptions, Source, read_source};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A pipe that delivers a head, then a line every few milliseconds, and has no end.
struct Endless {
    head: &'static [u8],
    line: &'static [u8],
    _alive: Sender<()>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            return self.head.read(buffer);
        }
        thread::sleep(Duration::from_millis(2));
        let mut line = self.line;
        line.read(buffer)
    }
}

/// Calls `read` with an endless source, and ends the run after a tenth of a second.
fn ended(
    head: &'static [u8],
    line: &'static [u8],
    read: impl FnOnce(Source, &Cancel) -> Result<(), Error>,
) -> String {
    let (alive, dropped) = channel();
    let source = Source::from_reader("x", Endless { head, line, _alive: alive });
    let token = Cancel::default();
    let timer = token.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        timer.interrupt();
    });
    let start = Instant::now();
    let error = read(source, &token).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    let wait = Duration::from_secs(1); // a thread that decompresses ahead ends a little later
    assert_eq!(dropped.recv_timeout(wait), Err(RecvTimeoutError::Disconnected), "it is dropped");
    error.to_string()
}

#[test]
fn reading_ends_with_an_error_once_the_token_is_set() {
    const GZIP: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF";
    const STORED: &[u8] = b"\0\x04\0\xFB\xFF1,2\n"; // a block without compression
    for (head, line) in [(&b"a,b\n"[..], &b"1,2\n"[..]), (b"1 1:2\n", b"1 1:2\n"), (GZIP, STORED)] {
        for threads in [1, 2] {
            let says = ended(head, line, |source, token| {
                let mut options = ReadOptions { cancel: token.clone(), ..ReadOptions::default() };
                (options.csv.threads, options.libsvm.threads) = (threads, threads);
                read_source(source, &options).map(drop)
            });
            assert_eq!(says, "x: reading was interrupted.");
        }
    }
}

#[test]
fn a_stream_of_blocks_ends_with_an_error_once_the_token_is_set() {
    let says = ended(b"", b"1 1:2\n", |mut source, token| {
        source.cancel(token);
        stream_libsvm(source, &LibsvmOptions::default(), Ok, |_| Ok(()))
    });
    assert_eq!(says, "x: reading was interrupted.");
}

#[test]
fn a_file_in_memory_is_not_read_once_the_token_is_set() {
    let token = Cancel::default();
    token.time_out();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for name in ["plain.parquet", "gzip.parquet"] {
        let source = Source::from_bytes("x", std::fs::read(folder.join(name)).unwrap());
        let options = ReadOptions { cancel: token.clone(), ..ReadOptions::default() };
        let error = read_source(source, &options).unwrap_err();
        assert_eq!(error.to_string(), "x: reading was interrupted at the time limit.");
    }
}
