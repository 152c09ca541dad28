//! Columnar files: Parquet and Arrow.

use super::{THREADS, same};
use linsep::io::arrow::read_arrow;
use linsep::io::parquet::read_parquet;
use linsep::io::{CsvOptions, Source};

/// Reads a Parquet file.
pub(crate) fn parquet(data: &[u8]) {
    let read = |threads| {
        let options = CsvOptions { threads, ..CsvOptions::default() };
        read_parquet(Source::from_bytes("x.parquet", data), &options)
    };
    same(&read(1), &read(THREADS));
}

/// Reads an Arrow file or stream.
pub(crate) fn arrow(data: &[u8]) {
    let options = CsvOptions::default();
    let once = Source::from_reader("x.arrow", std::io::Cursor::new(data.to_vec()));
    let memory = Source::from_bytes("x.arrow", data);
    same(&read_arrow(memory, &options), &read_arrow(once, &options));
}
