//! Every number of a header round-trips, finite or not.

use super::*;
use crate::model_file::inference::{
    Aliased, Coefficient, Inference, JointTest, ReferenceLevel, Test,
};
use crate::recipe::{Category, DroppedColumn, Hashed, MissingPolicy, Number, Pairs};
use crate::validate::{
    Abstention, BinRecord, Calibration, OperatingPointRecord, PostProcessingRecord, Quality, Rates,
    ThresholdRecord, Tuning, TuningPoint,
};
use serde_json::{Map, Value};

const V: f64 = 0.5;

/// Returns a header with every field set. A new field must be added here.
#[expect(clippy::too_many_lines, reason = "every field has its line")]
fn full(calibration: Calibration) -> Header {
    let (word, test) = (|| "w".to_owned(), Test { statistic: V, df: 1, p: V });
    let bin = BinRecord { weight: V, probability: V, happened: V };
    let quality =
        || Quality { log_loss: V, brier: V, calibration_error: V, bins: vec![bin.clone()] };
    let some = Some(V);
    let rates = || Rates { accuracy: some, precision: some, recall: some, f1: some, cost: some };
    Header {
        format: FORMAT,
        linsep: word(),
        model: ModelRecord { name: word(), settings: Map::from_iter([(word(), number(V))]) },
        method: word(),
        settings: BTreeMap::from([(word(), number(V))]),
        multiclass: Some(word()),
        classes: vec![Value::from("a"), Value::from("b")],
        decision: word(),
        link: word(),
        calibration: Some(calibration),
        operating_point: Some(OperatingPointRecord {
            threshold: V,
            abstain_by: Some(word()),
            abstain_below: some,
        }),
        recipe: crate::Recipe {
            target: word(),
            counts: vec![word()],
            weights: Some(word()),
            header: true,
            missing: MissingPolicy::Impute,
            standardized: true,
            steps: vec![
                Box::new(Number { name: word(), mean: V, scale: V, indicator: true }),
                Box::new(Category { name: word(), levels: vec![word()], missing: true }),
                Box::new(Hashed { name: word(), buckets: 2 }),
            ],
            dropped: vec![DroppedColumn { name: word(), why: word() }],
            pairs: Some(Pairs { columns: 1.into(), base: 1 }),
        },
        training: Training {
            rows: 1,
            stop: word(),
            epochs: 1,
            updates: 1,
            mistakes: V,
            accuracy: V,
            certificates: vec![CertificateRecord {
                solver: word(),
                primal: V,
                dual: some,
                gap: some,
                relative_gap: some,
                gradient: some,
                radius: some,
            }],
            certified: Some(CertifiedRecord { rows: 1, of: 1, share: V }),
            separation: Some(SeparationRecord {
                effect: Some(SeparationEffect::Many),
                problems: vec![SeparableProblem {
                    hyperplane: 1,
                    kind: SeparationKind::Complete,
                    infinite: vec![word()],
                    sure: true,
                }],
                of: 1,
            }),
            mistake_bounds: vec![Some(MistakeBound {
                updates: 1,
                bound: V,
                novikoff: Novikoff { radius: V, gamma: V },
                kesler: true,
            })],
            tuning: Some(Tuning {
                by: word(),
                choose: word(),
                folds: 1,
                leave_one_out: true,
                points: vec![TuningPoint {
                    lambda: V,
                    cost: V,
                    standard_error: some,
                    error: V,
                    nonzero: some,
                }],
                best: 0,
                chosen: 0,
            }),
            post_processing: Some(PostProcessingRecord {
                folds: 1,
                weight: V,
                before: Some(quality()),
                after: Some(quality()),
                calibrated: Some(word()),
                threshold: Some(ThresholdRecord {
                    rule: word(),
                    at: V,
                    before: rates(),
                    after: rates(),
                }),
                abstention: Some(Abstention {
                    asked: word(),
                    by: word(),
                    below: V,
                    coverage: V,
                    error: some,
                    error_interval: Some((V, V)),
                    error_of_all: V,
                }),
            }),
        },
        inference: Some(Inference {
            penalty: word(),
            positive: Value::from("a"),
            n: V,
            coefficients: vec![Coefficient {
                name: word(),
                column: Some(0),
                estimate: V,
                error: V,
                z: V,
                p: V,
                interval: [V; 2],
                odds_ratio: V,
                odds_interval: [V; 2],
                ratio: Some(test),
            }],
            together: vec![JointTest { column: word(), wald: Some(test), ratio: Some(test) }],
            references: vec![ReferenceLevel { column: word(), level: word() }],
            aliased: vec![Aliased { name: word(), of: vec![word()] }],
            level: V,
            intervals: word(),
            errors: word(),
            log_likelihood: V,
            null_log_likelihood: V,
            penalized_log_likelihood: some,
            deviance: V,
            null_deviance: V,
            aic: some,
            bic: some,
            mcfadden: some,
            ratio: Some(test),
            within: some,
        }),
    }
}

/// Collects the paths of all numbers with a fraction; fails on empty values, so that no number is
/// missed.
fn floats(at: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            assert!(!map.is_empty(), "{at}");
            map.iter().for_each(|(key, value)| floats(&format!("{at}/{key}"), value, found));
        }
        Value::Array(all) => {
            assert!(!all.is_empty(), "{at}");
            all.iter().enumerate().for_each(|(i, v)| floats(&format!("{at}/{i}"), v, found));
        }
        Value::Null => panic!("{at} is not said"),
        Value::Number(v) if v.is_f64() => found.push(at.to_owned()),
        Value::Number(_) | Value::String(_) | Value::Bool(_) => {}
    }
}

#[test]
fn every_number_may_be_infinite_or_nan() {
    for calibration in [
        Calibration::Platt { a: vec![V], c: vec![V] },
        Calibration::Temperature { t: V },
        Calibration::Isotonic { at: vec![vec![V]], p: vec![vec![V]] },
    ] {
        let header = serde_json::to_value(full(calibration)).unwrap();
        let mut places = Vec::new();
        floats("", &header, &mut places);
        assert!(places.len() > 75, "{}", places.len());
        for place in places {
            for word in ["inf", "-inf", "nan"] {
                let mut other = header.clone();
                *other.pointer_mut(&place).unwrap() = Value::from(word);
                let read: Header = serde_json::from_value(other.clone())
                    .unwrap_or_else(|e| panic!("{place} is {word}: {e}"));
                let written = serde_json::to_value(read).unwrap();
                let kept = written.pointer(&place).unwrap();
                assert!(written == other, "{place} is {word}, and becomes {kept}");
            }
        }
    }
}

#[test]
fn model_with_infinities_and_nan_round_trips() {
    let mut model_file = model_file(3);
    let training = &mut model_file.header.training;
    (training.mistakes, training.accuracy) = (f64::INFINITY, f64::NEG_INFINITY);
    model_file.header.settings.insert("lambda".into(), number(f64::INFINITY));
    let bytes = model_file.to_bytes().unwrap();
    assert_eq!(ModelFile::from_bytes("m", &bytes).unwrap(), model_file);
    // Null is no number.
    let unknown = with_header(&bytes, |text| text.replace(r#""inf","#, "null,"));
    assert!(refusal(&unknown).contains("null"), "{}", refusal(&unknown));
    // Numbers used for decisions must be finite: a NaN threshold is refused.
    let cut = OperatingPoint { threshold: 0.25, abstain: None };
    let bytes = trusted(Link::None, cut).to_bytes().unwrap();
    let wrong = with_header(&bytes, |text| text.replace("0.25", r#""nan""#));
    assert!(refusal(&wrong).contains("threshold is not finite"), "{}", refusal(&wrong));
}

#[test]
fn unreadable_model_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.linsep");
    let mut model_file = model_file(3);
    model_file.directions[0].w[1] = f64::INFINITY;
    let error = model_file.save(&path).unwrap_err().to_string();
    assert!(error.contains("was not saved") && error.contains("not finite"), "{error}");
    assert!(!path.exists());
}

#[test]
fn model_file_is_recognized_by_its_first_bytes() {
    assert!((ModelFile::KIND.is)(&model_file(3).to_bytes().unwrap()[..100]));
    for other in [&b""[..], b"a,b\n1,2\n", b"\x20\0\0\0\0\0\0\0{\"coefficients\":{}}"] {
        assert!(!(ModelFile::KIND.is)(other));
    }
}
