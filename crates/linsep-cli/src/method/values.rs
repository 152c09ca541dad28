//! Possible values of the options of a method, from the registries of the libraries.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linsep::core::learner::{self, Scheme};
use linsep::core::loss::{self, Loss};
use linsep::core::options::Penalty;
use linsep::core::solvers;
use linsep_report::flags::spell;
use std::str::FromStr;

/// Translates an alias of a method into its name in the registry.
pub fn canonical_method(name: String) -> String {
    if name.eq_ignore_ascii_case("lda") { "gaussian".to_owned() } else { name }
}

pub(super) fn method_values() -> Vec<PossibleValue> {
    let value = |entry: &learner::Entry| {
        let value = PossibleValue::new(entry.name).help(entry.about);
        if entry.name == "gaussian" { value.alias("lda") } else { value }
    };
    learner::ALL.iter().map(value).collect()
}

pub fn methods() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::from(method_values()).map(canonical_method)
}

pub(super) fn losses() -> PossibleValuesParser {
    let value = |loss: &&dyn Loss| PossibleValue::new(loss.name()).help(loss.about());
    loss::ALL.iter().map(value).collect::<Vec<_>>().into()
}

pub(super) fn penalty_values() -> Vec<PossibleValue> {
    let value = |penalty: Penalty| {
        let value = PossibleValue::new(penalty.name()).help(penalty.about());
        if penalty == Penalty::ElasticNet { value.alias("elasticnet") } else { value }
    };
    Penalty::ALL.map(value).to_vec()
}

pub(super) fn penalties() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::from(penalty_values()).map(|name| match name.to_lowercase() {
        peer if peer == "elasticnet" => "elastic-net".to_owned(),
        name => name,
    })
}

/// The text of `--help`: a help text with its possible values, which `-h` omits.
pub fn long(help: &str, values: &[PossibleValue]) -> String {
    let line = |value: &PossibleValue| {
        let about = value.get_help().map_or(String::new(), |help| format!(": {help}"));
        format!("- {}{about}\n", value.get_name())
    };
    let list: String = values.iter().map(line).collect();
    format!("{help}\n\nPossible values:\n{}", list.trim_end())
}

pub(super) fn solver_values() -> PossibleValuesParser {
    let auto = PossibleValue::new("auto").help("lowest estimated cost");
    let all = solvers::all(&solvers::Options::default()).into_iter();
    let values = all.map(|solver| PossibleValue::new(solver.name()).help(solver.about()));
    std::iter::once(auto).chain(values).collect::<Vec<_>>().into()
}

pub(super) fn schemes() -> PossibleValuesParser {
    let value = |scheme: Scheme| PossibleValue::new(scheme.name()).help(scheme.about());
    Scheme::ALL.map(value).to_vec().into()
}

/// Parses a value of the libraries, whose messages name settings in their notation.
pub fn spelled<T: FromStr<Err = linsep::core::Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: linsep::core::Error| spell(&error.to_string()))
}

pub(super) fn coefficient(text: &str) -> Result<f64, String> {
    let text = text.trim();
    text.parse().map_err(|_| format!("expected a number, found {text:?}"))
}
