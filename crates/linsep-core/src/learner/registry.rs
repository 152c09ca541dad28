//! Registry of methods: from names and options to a learner.

use super::{Learner, MulticlassLearner, fisher, gaussian, least_squares};
use crate::binary::{BinaryLearner, batch_perceptron, convex, gradient_descent, perceptron};
use crate::error::{Error, named};
use crate::options::Options;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Registry entry of a method.
pub struct Entry {
    /// Name, the same in every interface.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// Names of its settings.
    pub takes: &'static [&'static str],
    /// Builds the method; settings not given take its own defaults.
    pub build: Build,
}

/// Constructor of a method.
#[derive(Clone, Copy)]
pub enum Build {
    /// Of a binary learner; more than two classes follow a scheme.
    Solver(fn(&Options) -> Result<Box<dyn BinaryLearner>, Error>),
    /// Of a learner of all classes at once.
    Learner(fn(&Options) -> Result<Box<dyn Learner>, Error>),
}

/// All methods; the first is the default.
pub const ALL: &[Entry] = &[
    convex::LOGISTIC,
    convex::SVM,
    convex::CONVEX,
    least_squares::ENTRY,
    fisher::ENTRY,
    gaussian::ENTRY,
    perceptron::AVERAGED,
    perceptron::LAST,
    batch_perceptron::ENTRY,
    perceptron::POCKET,
    gradient_descent::ENTRY,
];

/// Builds the method of that name.
pub fn by_name(name: &str, options: &Options) -> Result<Box<dyn Learner>, Error> {
    name.parse::<&Entry>()?.learner(options)
}

impl Entry {
    /// Builds the method. Rejects settings that it does not have and values out of range.
    pub fn learner(&self, options: &Options) -> Result<Box<dyn Learner>, Error> {
        if let Some(name) = options.given().find(|name| !self.takes.contains(name)) {
            let takers = ALL.iter().filter(|e| e.takes.contains(&name)).map(|e| e.name).collect();
            return Err(Error::NoSuchSetting { method: self.name, name, takers });
        }
        let learner: Box<dyn Learner> = match self.build {
            Build::Solver(build) => {
                Box::new(MulticlassLearner::with(build(options)?, options.multiclass))
            }
            Build::Learner(_) if options.multiclass.is_some() => {
                return Err(Error::NoSchemeChoice { method: self.name });
            }
            Build::Learner(build) => build(options)?,
        };
        learner.check()?;
        Ok(learner)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Entry {}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FromStr for &'static Entry {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        let all: Vec<Self> = ALL.iter().collect();
        named("`method`", word, &all, |entry| entry.name)
    }
}

/// By its name.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner::Scheme;
    use crate::options::Penalty;
    use crate::solvers::Schedule;

    fn refusal(name: &str, options: &Options) -> String {
        by_name(name, options).err().unwrap().to_string()
    }

    #[test]
    fn registered_names_and_settings_are_those_of_the_learners() {
        for entry in ALL {
            let learner = by_name(entry.name, &Options::default()).unwrap();
            assert_eq!(learner.name(), entry.name);
            let shown: Vec<_> = learner.settings().into_iter().map(|(name, _)| name).collect();
            assert!(
                shown.iter().all(|s| entry.takes.contains(s)),
                "{} shows {shown:?}",
                entry.name
            );
        }
    }

    #[test]
    fn settings_a_method_does_not_have_are_rejected_with_its_owners() {
        let options = Options { schedule: Some(Schedule::Backtracking), ..Options::default() };
        assert_eq!(
            refusal("pocket", &options),
            "`schedule` does not apply to pocket; it applies to logistic, svm, convex, \
             gradient-descent"
        );
        let options = Options { l1_ratio: Some(0.3), ..Options::default() };
        assert_eq!(
            refusal("logistic", &options),
            "`l1-ratio` cannot be combined with `penalty=l2`; remove it, or use \
             `penalty=elastic-net`"
        );
        let none = Some(Penalty::None);
        for (name, options) in [
            ("`lambda`", Options { lambda: Some(0.1), penalty: none, ..Options::default() }),
            ("`c`", Options { c: Some(1.0), penalty: none, ..Options::default() }),
        ] {
            let want = format!("{name} cannot be combined with `penalty=none`");
            assert_eq!(refusal("svm", &options), want);
        }
        let options = Options { multiclass: Some(Scheme::OneVsOne), ..Options::default() };
        assert!(refusal("fisher", &options).starts_with(
            "`multiclass` cannot be combined with \
            `method=fisher`"
        ));
        assert!(refusal("percepton", &Options::default()).contains("`method`: expected one of"));
    }

    #[test]
    fn values_are_checked_for_every_method_that_takes_them() {
        for entry in ALL.iter().filter(|entry| entry.takes.contains(&"eta")) {
            for eta in [0.0, -1.0, f64::NAN, f64::INFINITY, 5e-324, f64::MIN_POSITIVE / 2.0] {
                let options = Options { eta: Some(eta), ..Options::default() };
                let message = refusal(entry.name, &options);
                assert!(message.starts_with("`eta`: expected"), "{}: {message}", entry.name);
            }
        }
    }
}
