//! What each fuzz target does with its bytes: no panic, no contradiction, the same answer however the
//! bytes are cut and however many threads read them.
//!
//! Used by the targets in `fuzz_targets/` (`cargo fuzz run csv`, which takes a nightly compiler) and by the
//! smoke test in `crates/linsep-io/tests/fuzz_smoke.rs`, which takes none.

use linsep::logic::automaton::Circuit;
use linsep::logic::{Expression, Limits as LogicLimits, Truth, Verdict, decide};
use linsep_io::{
    Bundle, Certificate, ColumnarOptions, CsvOptions, Error, Input, LibsvmOptions, Limits,
    ReadOptions, Source, Table, Training, TrainingSettings, Values, read_arrow, read_csv,
    read_libsvm, read_machine, read_parquet, read_source,
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
    same(&whole, &pieces);
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
                assert!(a.values.to_vec().iter().all(|v| v.is_finite()));
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

/// A certificate: what is read is written back as it was, and no data is needed to see that it makes no sense.
pub(crate) fn certificate(data: &[u8]) {
    if let Ok(certificate) = Certificate::from_bytes("c.json", data) {
        let again =
            Certificate::from_bytes("c.json", &certificate.to_bytes()).expect("it was read before");
        assert_eq!(again, certificate);
        let _ = certificate.evidence("c.json");
    }
    // The checksum stops nearly all changes; without it, the parts must be safe as well.
    if let Ok(certificate) = serde_json::from_slice::<Certificate>(data) {
        let _ = certificate.evidence("c.json");
    }
}

/// A table keeps its word, whatever it was read from.
fn check_table(table: &Table) {
    assert_eq!(table.numbers.len(), table.rows * table.width);
    assert!(table.numbers.iter().all(|v| !v.is_infinite()));
    for column in &table.columns {
        assert!(column.nans <= column.missing && column.missing <= table.rows);
        match &column.values {
            Values::Words { codes, levels } => {
                assert_eq!(codes.len(), table.rows);
                assert!(codes.iter().all(|&c| c == u32::MAX || (c as usize) < levels.len()));
                assert_eq!(codes.iter().filter(|&&c| c == u32::MAX).count(), column.missing);
            }
            Values::Number { slot } => {
                let missing = (0..table.rows).filter(|&i| table.row(i)[*slot].is_nan()).count();
                assert_eq!(missing, column.missing);
            }
        }
    }
}

/// The same table, or the same error, however it is read.
fn same(a: &Result<Table, Error>, b: &Result<Table, Error>) {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            check_table(a);
            assert_eq!(a.columns, b.columns);
            let bits = |t: &[f64]| t.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&a.numbers), bits(&b.numbers));
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        (a, b) => panic!("{:?} against {:?}", a.is_ok(), b.is_ok()),
    }
}

/// A Parquet file.
pub(crate) fn parquet(data: &[u8]) {
    let read = |threads| {
        let options = ColumnarOptions { threads, ..ColumnarOptions::default() };
        read_parquet(Source::from_bytes("x.parquet", data), &options)
    };
    same(&read(1), &read(2));
}

/// An Arrow file or stream.
pub(crate) fn arrow(data: &[u8]) {
    let options = ColumnarOptions::default();
    let once = Source::from_reader("x.arrow", std::io::Cursor::new(data.to_vec()));
    let memory = Source::from_bytes("x.arrow", data);
    same(&read_arrow(memory, &options), &read_arrow(once, &options));
}

/// A packed file: the same text or an error by every way in. Where exactly damage shows may depend on
/// how much is asked for at once, so the errors need not have the same words.
pub(crate) fn compress(data: &[u8]) {
    let owned = data.to_vec();
    let open =
        move || Ok(Box::new(std::io::Cursor::new(owned.clone())) as Box<dyn std::io::Read + Send>);
    let options = CsvOptions::default();
    let ahead = read_csv(Source::from_opener("x.csv", open), &options);
    let once = Source::from_reader("x.csv", std::io::Cursor::new(data.to_vec()));
    for other in [read_csv(once, &options), read_csv(Source::from_bytes("x.csv", data), &options)] {
        if ahead.is_err() {
            assert!(other.is_err());
        } else {
            same(&ahead, &other);
        }
    }
    let _ = read_source(Source::from_bytes("x", data), &ReadOptions::default());
}

/// A Boolean expression: what is understood has a table that comes back from its texts; what is not is pointed at, on one line.
pub(crate) fn expression(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Expression::parse(&text) {
        Ok(Expression { inputs, truth }) => {
            assert_eq!(inputs.len(), truth.inputs());
            assert_eq!(Truth::parse(&truth.bits()), Some(Ok(truth.clone())));
            if truth.inputs() >= 2 {
                assert_eq!(Truth::parse(&truth.hex()), Some(Ok(truth.clone())));
            }
            if truth.inputs() <= 4 {
                match decide(&truth, &LogicLimits::default()) {
                    Verdict::Threshold(least) => assert!(least.neuron.computes(&truth)),
                    Verdict::Summable(summable) => assert!(summable.holds(&truth)),
                    Verdict::Undecided => panic!("small functions are settled"),
                }
            }
        }
        Err(linsep::Error::Expression { excerpt, caret, column, .. }) => {
            assert!((1..=text.chars().count() + 1).contains(&column));
            assert!((1..=excerpt.chars().count() + 1).contains(&caret));
            assert!(!excerpt.contains(char::is_control));
        }
        Err(other) => assert!(!other.to_string().is_empty()),
    }
    let _ = Truth::parse(&text);
}

/// A finite-state machine: what is read becomes a network that does the same.
pub(crate) fn machine(data: &[u8]) {
    if let Ok(machine) = read_machine(Source::from_bytes("m", data))
        && machine.states().len() * machine.symbols().len() <= 256
    {
        assert!(Circuit::of(&machine).verify(&machine));
    }
}
