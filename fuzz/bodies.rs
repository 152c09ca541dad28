//! What each fuzz target does with its bytes: no panic, no contradiction, the same answer however the
//! bytes are cut and however many threads read them.
//!
//! Used by the targets in `fuzz_targets/` (`cargo fuzz run csv`, which takes a nightly compiler) and by the
//! smoke test in `crates/linsep-io/tests/fuzz_smoke.rs`, which takes none.

use linsep_io::{
    Bundle, CsvOptions, Input, LibsvmOptions, Limits, ReadOptions, Source, Training,
    TrainingSettings, Values, read_csv, read_libsvm, read_source,
};

/// A CSV file.
pub(crate) fn csv(data: &[u8]) {
    let read = |threads, block| {
        let limits = Limits { block, ..Limits::default() };
        let options = CsvOptions { threads, limits, ..CsvOptions::default() };
        read_csv(Source::from_bytes("x.csv", data), &options)
    };
    let whole = read(1, 1 << 20);
    let pieces = read(2, 7);
    match (&whole, &pieces) {
        (Ok(a), Ok(b)) => {
            assert_eq!(a.columns, b.columns);
            let bits = |t: &[f64]| t.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&a.numbers), bits(&b.numbers));
            assert_eq!(a.numbers.len(), a.rows * a.width);
            assert!(a.numbers.iter().all(|v| !v.is_infinite()));
            for column in &a.columns {
                if let Values::Words { codes, levels } = &column.values {
                    assert_eq!(codes.len(), a.rows);
                    assert!(codes.iter().all(|&c| c == u32::MAX || (c as usize) < levels.len()));
                }
            }
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        (a, b) => panic!("{:?} against {:?}", a.is_ok(), b.is_ok()),
    }
    if let Ok(table) = whole {
        // Must not panic; most inputs are no training data.
        let _ = Training::new(Input::Table(table), &TrainingSettings::default());
    }
}

/// A LIBSVM file.
pub(crate) fn libsvm(data: &[u8]) {
    for strict in [false, true] {
        let read = |threads, block| {
            let limits = Limits { block, ..Limits::default() };
            let options = LibsvmOptions { threads, limits, strict, ..LibsvmOptions::default() };
            read_libsvm(Source::from_bytes("x", data), &options)
        };
        match (read(1, 1 << 20), read(2, 7)) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a, b);
                assert_eq!(a.starts.len(), a.rows + 1);
                assert!(a.indices.iter().all(|&i| (i as usize) < a.cols));
                assert!(a.values.iter().all(|v| v.is_finite()));
                let _ = Training::new(Input::Sparse(a), &TrainingSettings::default());
            }
            (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
            (a, b) => panic!("{:?} against {:?}", a.is_ok(), b.is_ok()),
        }
    }
    let _ = read_source(Source::from_bytes("x", data), &ReadOptions::default());
}

/// A model file: what loads is written back as it was understood.
pub(crate) fn model(data: &[u8]) {
    if let Ok(bundle) = Bundle::from_bytes("m.linsep", data) {
        let again = bundle.to_bytes().expect("what was read can be written");
        assert_eq!(Bundle::from_bytes("m.linsep", &again).expect("and read"), bundle);
    }
}
