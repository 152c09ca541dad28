//! Readers on streams with short, interrupted or failing reads. The result is that of reading the
//! whole file, or an error with the file name and the system error.

#![allow(clippy::unwrap_used)] // a test may

use linsep::core::math::rng::Rng;
use linsep::io::source::Stream;
use linsep::io::{ReadOptions, Source, read_sources};
use linsep::{Error, ModelFile, SeparationCertificate, read_machine};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

const EIO: i32 = 5;

/// Stream with short reads of at most `most` bytes and with interruptions; fails at byte `fails`.
struct Flaky {
    bytes: Arc<[u8]>,
    at: usize,
    most: usize,
    fails: Option<usize>,
    rng: Rng,
}

impl Flaky {
    fn new(bytes: &Arc<[u8]>, most: usize, fails: Option<usize>) -> Self {
        Self { bytes: Arc::clone(bytes), at: 0, most, fails, rng: Rng::new(most as u64, 0) }
    }
}

impl Read for Flaky {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.fails == Some(self.at) {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        if self.rng.below(4) == 0 {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        let end = self.fails.unwrap_or(self.bytes.len());
        let some = (1 + self.rng.below(self.most as u64) as usize).min(buffer.len());
        let some = some.min(end - self.at);
        buffer[..some].copy_from_slice(&self.bytes[self.at..self.at + some]);
        self.at += some;
        Ok(some)
    }
}

/// Returns a stream as a pipe, which can be read once, and as a file, which can be reopened.
fn sources(name: &str, bytes: &Arc<[u8]>, most: usize, fails: Option<usize>) -> [Source; 2] {
    let own = Arc::clone(bytes);
    let open = move || Ok(Box::new(Flaky::new(&own, most, fails)) as Stream);
    [Source::from_reader(name, Flaky::new(bytes, most, fails)), Source::from_opener(name, open)]
}

/// Returns files of every format and compression.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let iris = std::fs::read(crates.join("../../examples/iris.csv")).unwrap();
    let row = |i| {
        format!(
            "{} 1:{i} {}:0.5
",
            i % 2,
            2 + i % 7
        )
    };
    let pairs = (0..200).map(row).collect::<Vec<_>>().concat();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&iris).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&iris).unwrap();
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(&iris).unwrap();
    let mut files = vec![
        ("pairs.svm", pairs.into_bytes()),
        ("iris.csv.gz", gzip.finish().unwrap()),
        ("iris.csv.bz2", bzip2.finish().unwrap()),
        ("iris.csv.xz", xz.finish().unwrap()),
        ("iris.csv.zst", zstd::encode_all(&iris[..], 1).unwrap()),
        ("iris.csv", iris),
    ];
    for name in ["plain.parquet", "gzip.parquet", "plain.arrow", "lz4.arrow", "zstd.arrows"] {
        files.push((
            name,
            std::fs::read(crates.join("../linsep-io/tests/fixtures").join(name)).unwrap(),
        ));
    }
    files
}

fn read(source: Source) -> Result<String, Error> {
    let input = read_sources(vec![source], &ReadOptions::default())?;
    Ok(format!("{input:?}"))
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    for (name, bytes) in files() {
        let whole = read(Source::from_bytes(name, bytes.clone())).unwrap();
        let bytes = Arc::from(bytes);
        for most in [1, 7, 1_000] {
            for source in sources(name, &bytes, most, None) {
                assert_eq!(read(source).unwrap(), whole, "{name}, pieces of {most}");
            }
        }
    }
}

#[test]
fn failed_read_is_an_error_with_the_file_name() {
    for (name, bytes) in files() {
        let whole = read(Source::from_bytes(name, bytes.clone())).unwrap();
        let n = bytes.len();
        let bytes = Arc::from(bytes);
        for fails in [0, 1, 5, 12, n / 4, n / 2, n - 1] {
            for source in sources(name, &bytes, 50, Some(fails)) {
                match read(source) {
                    // Arrow and Parquet files may be complete before their last byte.
                    Ok(read) => assert!(fails > n / 2 && read == whole, "{name} fails at {fails}"),
                    Err(error) => says_eio(name, &error),
                }
            }
        }
    }
}

fn says_eio(name: &str, error: &Error) {
    let text = error.to_string();
    assert!(matches!(error, Error::Io(linsep::io::Error::Read { .. })), "{name}: {text}");
    assert!(text.starts_with(&format!("{name}: reading failed (Input/output error")), "{text}");
}

#[test]
fn failed_reads_of_models_certificates_and_machines_are_errors() {
    let machine: Arc<[u8]> = Arc::from(&b"state,0,1\na,a,b\nb,b,a\n"[..]);
    let model: Arc<[u8]> = Arc::from(&b"\x10\0\0\0\0\0\0\0{\"__metadata__\":{}}"[..]);
    let certificate: Arc<[u8]> = Arc::from(&b"{\"format\":{\"major\":1,\"minor\":0}}"[..]);
    let fails = Some(9);
    says_eio("m", &ModelFile::read("m", Flaky::new(&model, 3, fails)).unwrap_err());
    says_eio(
        "c",
        &SeparationCertificate::read("c", Flaky::new(&certificate, 3, fails)).unwrap_err(),
    );
    for source in sources("f", &machine, 3, fails) {
        says_eio("f", &read_machine(source).unwrap_err());
    }
    // Errors of invalid content are those of the whole file, not failed reads.
    let problem = |result: Result<ModelFile, Error>| result.unwrap_err().to_string();
    let whole = problem(ModelFile::from_bytes("m", &model));
    assert_eq!(problem(ModelFile::read("m", Flaky::new(&model, 1, None))), whole);
    for source in sources("f", &machine, 1, None) {
        assert!(read_machine(source).is_ok());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unreadable_system_file_is_an_error() {
    // Address 0 is not mapped, so the first read fails.
    let source = Source::open("/proc/self/mem").unwrap();
    says_eio("/proc/self/mem", &read(source).unwrap_err());
    says_eio("/proc/self/mem", &ModelFile::load(Path::new("/proc/self/mem")).unwrap_err());
    says_eio("/proc/self/mem", &linsep::sha256(Path::new("/proc/self/mem")).unwrap_err());
}
