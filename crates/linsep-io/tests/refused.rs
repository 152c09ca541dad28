//! A build without features reads CSV and LIBSVM from bytes. Other formats are recognized, and the
//! error says how to get them.

#![cfg(not(any(feature = "arrow", feature = "compress", feature = "parquet")))]

use linsep_io::{Format, Input, ReadOptions, Source, read_source};

fn read(bytes: &[u8]) -> Result<Input, String> {
    read_source(Source::from_bytes("x", bytes), &ReadOptions::default()).map_err(|e| e.to_string())
}

#[test]
fn csv_and_libsvm_are_read_from_bytes() {
    assert!(matches!(read(b"a,b\n1,x\n2,y\n"), Ok(Input::Table(table)) if table.rows == 2));
    assert!(matches!(read(b"1 1:2\n-1 2:3\n"), Ok(Input::Sparse(sparse)) if sparse.rows == 2));
}

#[test]
fn other_formats_are_refused_with_the_feature_that_reads_them() {
    for (bytes, what, feature) in [
        (&b"PAR1\x15\x04\0\0"[..], "a Parquet file", "parquet"),
        (b"ARROW1\0\0\xFF\xFF\xFF\xFF", "an Arrow file", "arrow"),
        (b"\xFF\xFF\xFF\xFF\x10\0\0\0\0", "an Arrow file", "arrow"),
        (b"\x1F\x8B\x08\0\0\0\0\0\0\0", "a gzip file", "compress"),
        (b"\x28\xB5\x2F\xFD\0\0\0\0\0\0", "a zstd file", "compress"),
    ] {
        let says = read(bytes).unwrap_err();
        let begins = format!("x: found {what}, which is not a supported format. Build linsep with");
        assert!(says.starts_with(&format!("{begins} the feature {feature}, or ")), "{says}");
    }
    let options = ReadOptions { format: Some(Format::Parquet), ..ReadOptions::default() };
    let error = read_source(Source::from_bytes("x", "a,b\n"), &options).unwrap_err();
    assert!(error.to_string().contains("the feature parquet"), "{error}");
}
