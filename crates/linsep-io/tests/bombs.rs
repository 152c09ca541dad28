//! Decompression bombs: small files that decompress to more than the memory limit. The error names
//! the limit, for every format and compression.

#![allow(clippy::unwrap_used)] // a test may

use linsep_io::{Memory, ReadOptions, Source, read_source};
use std::io::Write;
use std::sync::Arc;

const LIMIT: Memory = Memory(16_000_000);

fn says(bytes: Vec<u8>) -> String {
    let mut options = ReadOptions::default();
    options.csv.limits.memory = LIMIT;
    options.libsvm.limits.memory = LIMIT;
    let size = bytes.len();
    let error = read_source(Source::from_bytes("bomb", bytes), &options).unwrap_err().to_string();
    assert!(size < 1 << 20, "{size} bytes are no bomb");
    assert!(error.contains("the limit is 16.0 MB. Raise it with `memory`"), "{error}");
    error
}

/// Returns a table of 4 million rows as text, in pieces.
fn text() -> impl Iterator<Item = Vec<u8>> {
    let many = b"1,2\n".repeat(100_000);
    std::iter::once(b"a,y\n".to_vec()).chain(std::iter::repeat_n(many, 40))
}

#[test]
fn compressed_csv_bomb_is_refused() {
    let mut zstd = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    text().for_each(|piece| zstd.write_all(&piece).unwrap());
    assert!(says(zstd.finish().unwrap()).contains("the table"));

    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    text().for_each(|piece| bzip2.write_all(&piece).unwrap());
    assert!(says(bzip2.finish().unwrap()).contains("the table"));

    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    text().for_each(|piece| xz.write_all(&piece).unwrap());
    assert!(says(xz.finish().unwrap()).contains("the table"));
}

#[test]
fn parquet_bomb_is_refused() {
    use parquet::data_type::DoubleType;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    let schema = "message m { required double a; required double y; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let many = vec![1.0; 1_000_000];
    let mut group = file.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        for _ in 0..5 {
            column.typed::<DoubleType>().write_batch(&many, None, None).unwrap();
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    file.close().unwrap();
    assert!(says(bytes).contains("a table of 5000000 rows and 2 columns"));
}

#[test]
fn compressed_parquet_file_bomb_is_refused() {
    // The footer of the Parquet file is never reached.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"PAR1\x15\x04").unwrap();
    let zeros = vec![0; 1 << 20];
    (0..100).for_each(|_| gzip.write_all(&zeros).unwrap());
    assert!(says(gzip.finish().unwrap()).contains("the decompressed file"));
}

#[test]
fn arrow_bomb_is_refused() {
    use arrow_array::{Float64Array, RecordBatch};
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
    use arrow_schema::{DataType, Field, Schema};
    let schema = Arc::new(Schema::new(vec![
        Field::new("a", DataType::Float64, false),
        Field::new("y", DataType::Float64, false),
    ]));
    let batch = |rows: usize| {
        let column = Arc::new(Float64Array::from(vec![1.0; rows]));
        RecordBatch::try_new(schema.clone(), vec![column.clone(), column]).unwrap()
    };
    let packed = |batches: &[RecordBatch]| {
        let options = IpcWriteOptions::default();
        let options = options.try_with_compression(Some(CompressionType::ZSTD)).unwrap();
        let mut bytes = Vec::new();
        let mut out = StreamWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
        batches.iter().for_each(|batch| out.write(batch).unwrap());
        out.finish().unwrap();
        drop(out);
        bytes
    };
    assert!(says(packed(&[batch(5_000_000)])).contains("record batch"));
    let many = vec![batch(500_000); 10];
    assert!(says(packed(&many)).contains("a table of"));
}
