use super::*;
use linsep_core::certify::{Novikoff, SeparationKind};
use linsep_core::learner::{MistakeBound, SeparationEffect};
use linsep_core::math::rng::Rng;
use linsep_core::model::{Abstain, IsotonicMap, Link, OperatingPoint, PlattScaling};
use linsep_core::{DecisionRule, Label};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use std::collections::BTreeMap;

mod floats;
pub(super) mod prototypes;

fn model_file(d: usize) -> ModelFile {
    let hyperplane =
        |seed: f64| Hyperplane { w: (0..d).map(|j| seed / (1.0 + j as f64)).collect(), b: -seed };
    let classes = vec![Label::Number(1.0), Label::Number(2.5), Label::Text("Käse \"x\"".into())];
    let model = LinearModel::new(
        classes,
        vec![hyperplane(0.1), hyperplane(-3.0), hyperplane(7e-200)],
        DecisionRule::ArgMax,
    );
    let model = Model::from(model.unwrap());
    let header = Header {
        format: FORMAT,
        linsep: "0.1.0".into(),
        model: ModelRecord::of(model.function()),
        method: "perceptron".into(),
        settings: BTreeMap::from([("eta".into(), number(0.1))]),
        multiclass: Some("one-vs-rest".into()),
        classes: model.classes().iter().map(Header::class).collect(),
        decision: model.decision_rule().name().into(),
        link: "none".to_owned(),
        calibration: None,
        operating_point: None,
        recipe: crate::Recipe::of_pairs(d.into(), 1),
        training: Training {
            rows: 3,
            stop: "separated".into(),
            epochs: 2,
            updates: 4,
            mistakes: 0.0,
            accuracy: 1.0,
            certificates: Vec::new(),
            certified: Some(CertifiedRecord { rows: 2, of: 3, share: 2.0 / 3.0 }),
            separation: Some(SeparationRecord {
                effect: Some(SeparationEffect::None),
                problems: vec![SeparableProblem {
                    hyperplane: 1,
                    kind: SeparationKind::QuasiComplete,
                    infinite: vec!["(bias)".into()],
                    sure: true,
                }],
                of: 3,
            }),
            mistake_bounds: vec![
                None,
                Some(MistakeBound {
                    updates: 4,
                    bound: f64::INFINITY,
                    novikoff: Novikoff { radius: 3.0, gamma: 1e-300 },
                    kesler: false,
                }),
            ],
            tuning: None,
            post_processing: None,
        },
        inference: None,
    };
    ModelFile { model, directions: vec![hyperplane(0.5), hyperplane(-2.0)], header }
}

fn refusal(bytes: &[u8]) -> String {
    ModelFile::from_bytes("m.linsep", bytes).unwrap_err().to_string()
}

/// Returns the file with its list of tensors changed as text, and length and checksum corrected.
fn with_list(bytes: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let text = String::from_utf8(bytes[8..8 + length].to_vec()).unwrap();
    let mut text = change(text.trim_end().to_owned());
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.extend(text.as_bytes());
    out.extend(&bytes[8 + length..]);
    seal(&mut out);
    out
}

/// Returns the file with its header changed as text, and the checksum corrected.
fn with_header(bytes: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let tensors = SafeTensors::deserialize(bytes).unwrap();
    let (_, list) = SafeTensors::read_metadata(bytes).unwrap();
    let text = String::from_utf8(tensors.tensor("header").unwrap().data().to_vec()).unwrap();
    let text = change(text);
    let views = tensors.tensors().into_iter().map(|(name, view)| match &*name {
        "header" => (name, TensorView::new(Dtype::U8, vec![text.len()], text.as_bytes()).unwrap()),
        _ => (name, view),
    });
    let mut out = safetensors::serialize(views, list.metadata().clone()).unwrap();
    seal(&mut out);
    out
}

#[test]
fn model_files_round_trip() {
    for d in [1, 3, 16, 17, 1000] {
        let mut model_file = model_file(d);
        if d == 3 {
            model_file.directions.clear();
        }
        let bytes = model_file.to_bytes().unwrap();
        assert_eq!(bytes, model_file.to_bytes().unwrap(), "the same model gives the same bytes");
        assert_eq!(ModelFile::from_bytes("m.linsep", &bytes).unwrap(), model_file);
    }
}

#[test]
fn every_decision_rule_round_trips() {
    for decide in [DecisionRule::ArgMax, DecisionRule::OneOrLast, DecisionRule::Vote] {
        let mut model_file = model_file(3);
        let hyperplanes = model_file.model.hyperplanes()[..decide.hyperplanes(3)].to_vec();
        model_file.model =
            LinearModel::new(model_file.model.classes().to_vec(), hyperplanes, decide)
                .unwrap()
                .into();
        model_file.header.decision = decide.name().to_owned();
        let bytes = model_file.to_bytes().unwrap();
        assert_eq!(ModelFile::from_bytes("m.linsep", &bytes).unwrap(), model_file);
        // A decision rule that needs another number of scores is refused.
        let other = if decide == DecisionRule::OneOrLast { "vote" } else { "one-or-last" };
        let wrong = with_header(&bytes, |text| text.replace(decide.name(), other));
        assert!(refusal(&wrong).contains("number of scores"), "{}", refusal(&wrong));
    }
}

#[test]
fn every_truncation_is_refused() {
    let bytes = model_file(3).to_bytes().unwrap();
    for length in 0..bytes.len() {
        assert!(refusal(&bytes[..length]).starts_with("m.linsep: "), "{length}");
    }
}

#[test]
fn every_flipped_bit_of_a_small_file_is_refused() {
    let bytes = model_file(2).to_bytes().unwrap();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(refusal(&flipped).starts_with("m.linsep: expected "), "bit {bit}");
    }
}

#[test]
fn flipped_bits_of_a_large_file_are_refused() {
    let mut bytes = model_file(3000).to_bytes().unwrap();
    let mut rng = Rng::new(0, 0);
    for _ in 0..3000 {
        let bit = rng.below(8 * bytes.len() as u64) as usize;
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(refusal(&bytes).starts_with("m.linsep: expected "), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(ModelFile::from_bytes("m.linsep", &bytes).is_ok());
}

#[test]
fn a_changed_coefficient_with_a_valid_checksum_fails_the_self_test() {
    let bytes = model_file(3).to_bytes().unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    // The coefficients are the first tensor.
    let at = 8 + length;
    let mut forged = bytes.clone();
    forged[at] ^= 1;
    assert!(refusal(&forged).contains("SHA-256"), "{}", refusal(&forged));
    seal(&mut forged);
    assert!(refusal(&forged).contains("test rows differ"), "{}", refusal(&forged));
}

#[test]
fn another_major_version_is_refused_and_a_minor_one_accepted() {
    let bytes = model_file(2).to_bytes().unwrap();
    let version = |major: u32, minor: u32| {
        let own = r#"\"major\":3,\"minor\":0"#;
        with_list(&bytes, |text| {
            assert!(text.contains(own), "{text}");
            text.replace(own, &format!(r#"\"major\":{major},\"minor\":{minor}"#))
        })
    };
    for (major, remedy) in [(2, "Train the model again."), (4, "Use a newer linsep.")] {
        let expected =
            format!("m.linsep: expected model format version 3, found {major}. {remedy}");
        assert_eq!(refusal(&version(major, 0)), expected);
    }
    let newer = with_header(&version(3, 9), |text| text.replacen('{', r#"{"new":[1],"#, 1));
    ModelFile::from_bytes("m", &newer).unwrap();
}

#[test]
fn hostile_headers_are_refused_without_a_huge_allocation() {
    let bytes = model_file(2).to_bytes().unwrap();
    let listed = [
        (r#""shape":[3,2]"#, r#""shape":[4611686018427387904,2]"#),
        (r#""shape":[3,2]"#, r#""shape":[2,3]"#),
        (r#""shape":[3]"#, r#""shape":[3,1]"#),
        (r#""dtype":"U32""#, r#""dtype":"F32""#),
        (r#""coefficients""#, r#""coefficienst""#),
        (r#""linsep""#, r#""linsap""#),
        (r#""header""#, r#""haeder""#),
    ];
    let described = [
        (r#""argmax""#, r#""sign""#),
        (r#""columns":2"#, r#""columns":3"#),
        (r#""classes":[1,"#, r#""classes":[2.5,"#),
        (r#""classes":[1,"#, r#""classes":["#),
        (r#""classes""#, "\"\\xFF\""),
    ];
    let changed = |(from, to): (&str, &str), text: String| {
        assert!(text.contains(from), "{from} is in {text}");
        text.replace(from, to)
    };
    let hostile = (listed.map(|pair| (pair.0, with_list(&bytes, |text| changed(pair, text)))))
        .into_iter()
        .chain(described.map(|pair| (pair.0, with_header(&bytes, |text| changed(pair, text)))));
    for (from, hostile) in hostile {
        assert!(refusal(&hostile).starts_with("m.linsep: expected a linsep model"), "{from}");
    }
    let mut huge = bytes.clone();
    huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(refusal(&huge).contains("expected a linsep model"));
}

#[test]
fn other_formats_are_refused_by_their_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("foreign");
    for foreign in [&b"a,b\n1,2\n"[..], b"", b"PK\x03\x04 and so on and on", &[0x80; 64]] {
        std::fs::write(&path, foreign).unwrap();
        let error = ModelFile::load(&path).unwrap_err().to_string();
        assert!(error.contains("not a safetensors file"), "{error}");
    }
}

#[test]
fn saved_model_loads_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.linsep");
    let model_file = model_file(4);
    model_file.save(&path).unwrap();
    assert_eq!(ModelFile::load(&path).unwrap(), model_file);
}

/// Returns a binary model with this link, threshold and reject option.
fn trusted(link: Link, cut: OperatingPoint) -> ModelFile {
    let mut model_file = model_file(3);
    let classes = model_file.model.classes()[..2].to_vec();
    let hyperplane = model_file.model.hyperplanes()[0].clone();
    let model = LinearModel::new(classes, vec![hyperplane], DecisionRule::Sign).unwrap();
    model_file.model = model.with_trust(link, cut).unwrap().into();
    model_file.header.describe(&model_file.model);
    model_file
}

#[test]
fn post_processing_round_trips_under_names_of_its_own() {
    let slope = PlattScaling { a: 1.5, c: -0.1 };
    let rise = IsotonicMap { at: vec![-1.0, 0.1 + 0.2, 2.0], p: vec![0.0, 1.0 / 3.0, 1.0] };
    let abstain = Some(Abstain::Probability(0.9));
    for (link, cut) in [
        (Link::Platt(vec![slope]), OperatingPoint::default()),
        (Link::Temperature(1.0 / 3.0), OperatingPoint { threshold: -0.7, abstain: None }),
        (Link::Isotonic(vec![rise]), OperatingPoint { threshold: 0.1, abstain }),
        (Link::None, OperatingPoint { threshold: 0.0, abstain: Some(Abstain::Margin(0.25)) }),
    ] {
        let model_file = trusted(link.clone(), cut);
        let bytes = model_file.to_bytes().unwrap();
        assert_eq!(ModelFile::from_bytes("m.linsep", &bytes).unwrap(), model_file);
        // A reader that ignores post-processing refuses the names.
        let known = |name: &str| ["none", "logistic", "softmax"].contains(&name);
        assert_eq!(known(&model_file.header.link), link == Link::None);
    }
}

#[test]
fn invalid_calibrations_are_refused() {
    let rise = IsotonicMap { at: vec![-1.0, 2.0], p: vec![0.25, 0.75] };
    let cut = OperatingPoint { threshold: 0.5, abstain: Some(Abstain::Probability(0.9)) };
    let bytes = trusted(Link::Isotonic(vec![rise]), cut).to_bytes().unwrap();
    for (from, to) in [
        (r"[0.25,0.75]", "[0.75,0.25]"),
        (r"[0.25,0.75]", "[0.25]"),
        (r"[-1.0,2.0]", "[2.0,2.0]"),
        (r#""link":"isotonic""#, r#""link":"platt""#),
        (r#""link":"isotonic""#, r#""link":"logistic""#),
        (r#""sign""#, r#""vote""#),
        (r#""abstain_by":"probability""#, r#""abstain_by":"mood""#),
        (r#""abstain_below":0.9"#, r#""abstain_below":9"#),
    ] {
        let hostile = with_header(&bytes, |text| {
            assert!(text.contains(from), "{from} is in {text}");
            text.replace(from, to)
        });
        assert!(refusal(&hostile).starts_with("m.linsep: expected a linsep model"), "{from}");
    }
}
