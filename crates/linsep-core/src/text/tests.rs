//! Text features against scikit-learn (`golden/text.json` with its provenance), and properties.

use super::*;
use crate::math::rng::Rng;
use serde_json::Value;
use std::collections::BTreeMap;

fn learn(documents: &[&str], settings: &TextSettings) -> (TextFeatures, TextRows) {
    TextFeatures::learn(documents, &vec![1.0; documents.len()], settings).unwrap()
}

fn terms(features: &TextFeatures) -> Vec<String> {
    (0..features.width()).map(|j| features.term(j)).collect()
}

/// Documents of random words, with repetitions and empty ones.
fn random_documents(seed: u64, n: usize, words: u64) -> Vec<String> {
    let mut rng = Rng::new(seed, 0);
    let word = |rng: &mut Rng| format!("w{}", rng.below(words).min(rng.below(words)));
    (0..n)
        .map(|_| (0..rng.below(30)).map(|_| word(&mut rng)).collect::<Vec<_>>().join(" "))
        .collect()
}

/// Documents that span several blocks.
fn long_documents() -> Vec<String> {
    let filler = "x".repeat(400);
    let documents = random_documents(5, 8_000, 300);
    documents.into_iter().map(|d| format!("{d} {filler}")).collect()
}

fn strs(documents: &[String]) -> Vec<&str> {
    documents.iter().map(String::as_str).collect()
}

fn all_settings() -> Vec<TextSettings> {
    let usual = TextSettings::default();
    vec![
        usual.clone(),
        TextSettings { from: 2, to: 3, min_df: 1.0, max_df: 0.9, ..usual.clone() },
        TextSettings { unit: Unit::Characters, from: 2, to: 4, ..usual.clone() },
        TextSettings { bits: Some(6), ..usual.clone() },
        TextSettings { stop_words: vec!["W1".into()], idf: false, normalize: false, ..usual },
    ]
}

#[test]
fn features_equal_those_of_scikit_learn() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/text.json");
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let documents: Vec<&str> =
        golden["documents"].as_array().unwrap().iter().map(|d| d.as_str().unwrap()).collect();
    for (name, case) in golden["cases"].as_object().unwrap() {
        let settings: TextSettings = serde_json::from_value(case["settings"].clone()).unwrap();
        let (features, rows) = learn(&documents, &settings);
        let terms = terms(&features);
        let mut sorted = terms.clone();
        sorted.sort();
        let want: Vec<&str> =
            case["terms"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        assert_eq!(sorted, want, "{name}");
        for (i, want) in case["rows"].as_array().unwrap().iter().enumerate() {
            let want: BTreeMap<String, f64> = serde_json::from_value(want.clone()).unwrap();
            let got: BTreeMap<String, f64> =
                rows.row(i).map(|(j, v)| (terms[j as usize].clone(), f64::from(v))).collect();
            assert!(got.keys().eq(want.keys()), "{name}, row {i}: {got:?}");
            for ((term, got), want) in got.iter().zip(want.values()) {
                // Rounded to f32, twice if normalized.
                assert!((got - want).abs() <= 2e-7 * want, "{name}, row {i}, {term}: {got} {want}");
            }
        }
    }
}

#[test]
fn documents_of_training_are_encoded_as_any_others() {
    for documents in [random_documents(1, 300, 40), long_documents(), vec![]] {
        for settings in all_settings() {
            let (features, rows) = learn(&strs(&documents), &settings);
            assert_eq!(features.encode(&strs(&documents)), rows);
            assert_eq!(rows.starts.len(), documents.len() + 1);
            for i in 0..documents.len() {
                assert!(rows.row(i).is_sorted_by(|a, b| a.0 < b.0));
                assert!(rows.row(i).all(|(j, v)| (j as usize) < features.width() && v.is_finite()));
            }
        }
    }
}

#[test]
fn the_vocabulary_is_that_of_a_count_of_all_n_grams() {
    let documents = random_documents(2, 200, 30);
    for (from, to, min_df, max_df) in [(1, 1, 3.0, 1.0), (1, 3, 2.0, 0.3), (2, 4, 2.0, 1.0)] {
        let settings = TextSettings { from, to, min_df, max_df, ..TextSettings::default() };
        let (features, _) = learn(&strs(&documents), &settings);
        let mut df: BTreeMap<String, f64> = BTreeMap::new();
        for document in &documents {
            let words: Vec<&str> = document.split(' ').filter(|w| !w.is_empty()).collect();
            let grams = (from..=to).flat_map(|n| words.windows(n)).map(|gram| gram.join(" "));
            for gram in grams.collect::<std::collections::BTreeSet<String>>() {
                *df.entry(gram).or_default() += 1.0;
            }
        }
        df.retain(|_, df| *df >= min_df && *df <= max_df * documents.len() as f64);
        let mut terms = terms(&features);
        terms.sort();
        assert!(df.keys().eq(&terms), "{from} to {to}");
    }
}

#[test]
fn threads_do_not_change_the_features() {
    let documents = long_documents();
    // Weights whose sums depend on the order of the additions.
    let weights: Vec<f64> = (0..documents.len()).map(|i| 1.0 / (1.0 + i as f64)).collect();
    for settings in all_settings() {
        let settings = TextSettings { min_df: 0.01, ..settings };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let learn = || TextFeatures::learn(&strs(&documents), &weights, &settings).unwrap();
            let (features, rows) = pool.install(learn);
            (serde_json::to_string(&features).unwrap(), rows)
        };
        assert!(with(1) == with(3), "{settings:?}");
    }
}

#[test]
fn a_weight_of_2_equals_the_document_twice_and_0_no_document() {
    let documents = random_documents(3, 60, 20);
    let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 3)).collect();
    let repeated: Vec<&str> = documents
        .iter()
        .zip(&weights)
        .flat_map(|(d, s)| std::iter::repeat_n(d.as_str(), *s as usize))
        .collect();
    for settings in all_settings() {
        let (weighted, _) = TextFeatures::learn(&strs(&documents), &weights, &settings).unwrap();
        let (repeated, _) = learn(&repeated, &settings);
        assert_eq!(terms(&weighted), terms(&repeated));
        assert_eq!(weighted.encode(&strs(&documents)), repeated.encode(&strs(&documents)));
    }
}

#[test]
fn stored_features_encode_equally() {
    let documents = random_documents(4, 100, 25);
    for settings in all_settings() {
        let (features, rows) = learn(&strs(&documents), &settings);
        let text = serde_json::to_string(&features).unwrap();
        let loaded: TextFeatures = serde_json::from_str(&text).unwrap();
        assert_eq!(loaded.encode(&strs(&documents)), rows);
        assert_eq!(loaded, features);
    }
}

#[test]
fn damaged_vocabularies_are_refused() {
    let documents = random_documents(4, 100, 25);
    let (features, _) = learn(&strs(&documents), &TextSettings::default());
    let stored = serde_json::to_value(&features).unwrap();
    let refuse = |change: fn(&mut Value), message: &str| {
        let mut damaged = stored.clone();
        change(&mut damaged);
        let error = serde_json::from_value::<TextFeatures>(damaged).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    refuse(|v| v["symbols"][1] = "".into(), "is empty");
    refuse(|v| v["symbols"][1] = v["symbols"][0].clone(), "occurs twice");
    refuse(|v| v["df"][0][0] = 0.into(), "not a positive number");
    refuse(|v| v["levels"][0][0][0] = 1_000.into(), "do not fit");
    refuse(|v| v["levels"][0][1][0] = 1_000.into(), "do not fit");
    refuse(|v| v["settings"]["bits"] = 3.into(), "vocabulary or buckets");
    refuse(|v| v["settings"]["to"] = 3.into(), "all lengths");
    refuse(|v| v["documents"] = (-1).into(), "weight of the documents");
}

#[test]
fn n_grams_that_share_a_bucket_are_counted() {
    let documents: Vec<String> = (0..1_000).map(|i| format!("a{i} b{i}")).collect();
    let of = |bits| {
        let settings = TextSettings { bits: Some(bits), to: 1, ..TextSettings::default() };
        learn(&strs(&documents), &settings).0.collisions().unwrap()
    };
    assert_eq!(of(1), Collisions { terms: 2_000, shared: 2_000 });
    // An n-gram is alone with probability (1 − 2⁻ᵇ)¹⁹⁹⁹: 2 000 · 0.386 share; five deviations.
    let Collisions { terms, shared } = of(12);
    assert_eq!(terms, 2_000);
    assert!((660..=890).contains(&shared), "{shared}");
    assert_eq!(of(28).terms, 2_000);
    assert!(of(28).shared <= 2);
}

#[test]
fn settings_out_of_range_are_refused() {
    for settings in [
        TextSettings { to: 0, ..TextSettings::default() },
        TextSettings { from: 3, ..TextSettings::default() },
        TextSettings { min_df: f64::NAN, ..TextSettings::default() },
        TextSettings { max_df: 0.0, ..TextSettings::default() },
        TextSettings { bits: Some(29), ..TextSettings::default() },
    ] {
        assert!(TextFeatures::learn(&["a"], &[1.0], &settings).is_err(), "{settings:?}");
    }
}
