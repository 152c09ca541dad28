//! Fuzz targets of compressed and columnar files, on their seeds and on a fixed set of mutations,
//! few enough for every test run.

#![allow(clippy::unwrap_used)] // a test may

use linsep::core::math::rng::Rng;
use std::io::Write;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

#[path = "../../../fuzz/bodies/mod.rs"]
#[allow(dead_code, unused_imports)] // the other targets are run by fuzz_smoke.rs
mod bodies;

const MUTATIONS: u64 = 3_000;

/// Extreme lengths, which can cause huge allocations.
const SPICE: [&[u8]; 10] = [
    b"\xFF\xFF\xFF\xFF",
    b"\xFF\xFF\xFF\x7F",
    b"\0\0\0\0",
    b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F",
    b"\xFF\xFF\xFF\xFF\x0F",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x7F",
    b"\x15\x80\x80\x80\x80\x0F",
    b"\x01",
    b"\x80",
    b"\xFE",
];

/// Overwrites, flips, truncates, inserts or removes bytes at a few random positions.
fn mutate(seed: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(data.len() as u64 + 1) as usize;
        let spice = SPICE[rng.below(SPICE.len() as u64) as usize];
        let end = (at + spice.len()).min(data.len());
        match rng.below(10) {
            0..=3 if at < data.len() => data[at] ^= 1 << rng.below(8),
            4..=6 => data[at..end].copy_from_slice(&spice[..end - at]),
            7 => drop(data.splice(at..at, spice.iter().copied())),
            8 => data.truncate(at),
            _ if at < data.len() => drop(data.remove(at)),
            _ => {}
        }
    }
    data
}

/// Number of panics that reach the hook of the program. Panics of decoders are caught and reported
/// as errors, and the wrapper of linsep-io keeps them from the hook.
static HEARD: AtomicUsize = AtomicUsize::new(0);

fn smoke(body: fn(&[u8]), seeds: &[Vec<u8>]) {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            HEARD.fetch_add(1, Ordering::Relaxed);
            before(info);
        }));
        linsep::io::quiet::install();
    });
    for (number, seed) in seeds.iter().enumerate() {
        body(seed);
        let mut rng = Rng::new(0, number as u64);
        for turn in 0..MUTATIONS / seeds.len() as u64 {
            let data = mutate(seed, &mut rng);
            assert!(catch_unwind(|| body(&data)).is_ok(), "seed {number}, turn {turn}");
        }
        // One bit flip in each of the last bytes, where the footer is.
        for at in seed.len().saturating_sub(300)..seed.len() {
            let mut data = seed.clone();
            data[at] ^= 1 << (at % 8);
            body(&data);
        }
    }
    assert_eq!(HEARD.load(Ordering::Relaxed), 0, "a decoder's panic was heard");
}

fn fixtures(names: &[&str]) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../linsep-io/tests/fixtures");
    names.iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect()
}

#[test]
fn parquet() {
    let names = ["plain.parquet", "v2.parquet", "lz4.parquet", "gzip.parquet", "nested.parquet"];
    smoke(bodies::parquet, &fixtures(&names));
}

#[test]
fn arrow() {
    smoke(bodies::arrow, &fixtures(&["plain.arrow", "lz4.arrow", "zstd.arrows", "nested.arrow"]));
}

#[test]
fn compress() {
    let text = b"a,b,c\n1,2,x\n3,4,y\n5,,z\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text).unwrap();
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(text).unwrap();
    let seeds = [
        gzip.finish().unwrap(),
        zstd::stream::encode_all(&text[..], 1).unwrap(),
        bzip2.finish().unwrap(),
        xz.finish().unwrap(),
    ];
    smoke(bodies::compress, &seeds);
}
