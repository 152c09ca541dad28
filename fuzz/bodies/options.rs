//! Values of options: a parsed value prints as a value with the same meaning, and no value panics.

use linsep::LabelMap;
use linsep::core::Error;
use linsep::core::Label;
use linsep::core::binary::{Order, Schedule, Tie};
use linsep::core::data::ClassWeights;
use linsep::core::infer::{Intervals, StandardErrors};
use linsep::core::learner::{InterceptRule, Priors, Shrinkage};
use linsep::core::math::exact::Rational;
use linsep::io::number::parse_number;
use linsep::validate::{AbstainRule, ThresholdRule};
use std::fmt::Display;
use std::str::FromStr;

/// Checks that a value prints as it was parsed.
fn round_trip<T: FromStr<Err = Error> + Display>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again: T = written.parse().expect("it was read before");
            assert_eq!(again.to_string(), written);
        }
        Err(error) => one_line(&error),
    }
}

/// Checks a value from a fixed set.
fn word<T: FromStr<Err = Error>>(text: &str) {
    if let Err(error) = text.parse::<T>() {
        one_line(&error);
    }
}

fn one_line(error: &impl Display) {
    let text = error.to_string();
    assert!(!text.is_empty());
    assert!(!text.contains(char::is_control), "{text:?}");
}

/// Parses the value of an option.
pub(crate) fn options(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    round_trip::<ThresholdRule>(text);
    round_trip::<AbstainRule>(text);
    round_trip::<Priors>(text);
    round_trip::<Shrinkage>(text);
    round_trip::<ClassWeights>(text);
    word::<InterceptRule>(text);
    word::<StandardErrors>(text);
    word::<Intervals>(text);
    word::<Order>(text);
    word::<Schedule>(text);
    word::<Tie>(text);

    let label = Label::parse(text);
    assert_eq!(Label::parse(&label.to_string()), label);
    if let Some(exact) = Rational::parse(text) {
        assert_eq!(exact.to_string(), text);
    }
    number(text);
    labels(text);
}

/// Checks that the number parser agrees with the standard library, except for infinity and NaN.
fn number(text: &str) {
    let own = parse_number(text.as_bytes());
    let words = text.contains(['i', 'I', 'n', 'N']);
    let theirs = if words { None } else { text.parse::<f64>().ok() };
    assert_eq!(own.map(f64::to_bits), theirs.map(f64::to_bits), "{text:?}");
}

/// Checks a renaming: both names are at the stated position, and all other classes keep their
/// names.
fn labels(text: &str) {
    let known = [Label::parse("yes"), Label::parse("a=b"), Label::Number(-1.0)];
    let pairs = [text.to_owned()];
    match LabelMap::onto(&pairs, &known) {
        Ok(map) => {
            assert!(!map.is_empty());
            let ends = |label: &Label| text.trim_end().ends_with(&label.to_string());
            let number = |label: &Label| matches!(label, Label::Number(_));
            assert!(known.iter().any(|label| number(label) || ends(label)), "{text:?}");
        }
        Err(error) => one_line(&error),
    }
    match LabelMap::from(&pairs, &known) {
        Ok(map) => {
            let renamed = known.iter().filter(|label| map.apply((*label).clone()) != **label);
            assert!(renamed.count() <= 1);
        }
        Err(error) => one_line(&error),
    }
}
