//! From names and words to a solver: what every face does before it can solve.

use super::{ALL, Order, Schedule, Solver, Tie};
use crate::error::Error;
use std::fmt;

/// The value of a setting, for reports and model files.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// One of a list of words.
    Word(&'static str),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(v) => write!(f, "{v}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Settings as a user gives them: what is `None` keeps the solver's own default.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // named after the settings they are for
pub struct Options {
    pub eta: Option<f64>,
    pub epochs: Option<u64>,
    pub tie: Option<Tie>,
    pub order: Option<Order>,
    pub seed: Option<u64>,
    pub schedule: Option<Schedule>,
    pub loss: Option<String>,
    pub penalty: Option<String>,
    pub lambda: Option<f64>,
    pub c: Option<f64>,
    pub l1_ratio: Option<f64>,
    pub solver: Option<String>,
    pub tol: Option<f64>,
    pub intercept: Option<bool>,
}

impl Options {
    /// Names of the settings that were given and that a method may lack. A seed may always be given: what
    /// draws nothing at random has no use for it, and no quarrel with it.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("eta", self.eta.is_some()),
            ("epochs", self.epochs.is_some()),
            ("tie", self.tie.is_some()),
            ("order", self.order.is_some()),
            ("schedule", self.schedule.is_some()),
            ("loss", self.loss.is_some()),
            ("penalty", self.penalty.is_some()),
            ("lambda", self.lambda.is_some()),
            ("c", self.c.is_some()),
            ("l1-ratio", self.l1_ratio.is_some()),
            ("solver", self.solver.is_some()),
            ("tol", self.tol.is_some()),
            ("intercept", self.intercept.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// A solver in the register.
pub struct Entry {
    /// The name used in every face.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// The settings it has.
    pub takes: &'static [&'static str],
    /// Builds it, with its own defaults for what is not given.
    pub build: fn(&Options) -> Result<Box<dyn Solver>, Error>,
}

/// The solver of that name, set up; refuses unknown names, settings it does not have and values
/// out of range.
pub fn by_name(name: &str, options: &Options) -> Result<Box<dyn Solver>, Error> {
    let Some(entry) = ALL.iter().find(|entry| entry.name == name) else {
        let known = ALL.iter().map(|entry| entry.name).collect();
        return Err(Error::UnknownName { family: "method", got: name.to_owned(), known });
    };
    if let Some(name) = options.given().find(|name| !entry.takes.contains(name)) {
        let takers = ALL.iter().filter(|e| e.takes.contains(&name)).map(|e| e.name).collect();
        return Err(Error::NoSuchSetting { method: entry.name, name, takers });
    }
    let solver = (entry.build)(options)?;
    solver.check()?;
    Ok(solver)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str, options: &Options) -> String {
        by_name(name, options).err().unwrap().to_string()
    }

    #[test]
    fn the_register_is_true() {
        for entry in ALL {
            let solver = by_name(entry.name, &Options::default()).unwrap();
            assert_eq!(solver.name(), entry.name);
            let shown: Vec<_> = solver.settings().into_iter().map(|(name, _)| name).collect();
            assert!(
                shown.iter().all(|s| entry.takes.contains(s)),
                "{} shows {shown:?}",
                entry.name
            );
        }
    }

    #[test]
    fn what_a_method_does_not_have_is_refused_with_who_has_it() {
        let options = Options { schedule: Some(Schedule::Backtracking), ..Options::default() };
        assert_eq!(
            refusal("pocket", &options),
            "pocket has no setting schedule: it belongs to logistic, svm, convex, gradient-descent"
        );
        assert!(refusal("percepton", &Options::default()).contains("choose one of"));
    }

    #[test]
    fn values_are_checked_for_every_solver_that_takes_them() {
        for entry in ALL.iter().filter(|entry| entry.takes.contains(&"eta")) {
            for eta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                let options = Options { eta: Some(eta), ..Options::default() };
                let message = refusal(entry.name, &options);
                assert!(message.starts_with("eta is"), "{}: {message}", entry.name);
            }
        }
    }
}
