//! Prior probabilities of classes.

use crate::data::{Label, Problem};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Prior probabilities of the classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priors {
    /// Class shares of the training data.
    #[default]
    Empirical,
    /// Equal priors.
    Uniform,
    /// Given values, normalized by their sum.
    Given(Vec<(Label, f64)>),
}

impl Priors {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Self::Given(list) = self else { return Ok(()) };
        match list.iter().find(|(_, p)| !(p.is_finite() && *p > 0.0)) {
            Some(&(_, got)) => {
                Err(Error::Setting { name: "priors", got, want: "finite numbers above 0" })
            }
            None => Ok(()),
        }
    }

    /// π of every class, summing to 1.
    pub(crate) fn of(&self, problem: &Problem<'_>) -> Result<Vec<f64>, Error> {
        self.check()?;
        let k = problem.labels().k();
        let mut priors = match self {
            Self::Empirical => problem.class_weights(),
            Self::Uniform => vec![1.0; k],
            Self::Given(list) => {
                let mut priors = vec![0.0; k];
                for (label, p) in list {
                    priors[problem.class(label)?] = *p;
                }
                let got = priors.iter().filter(|p| **p > 0.0).count();
                if got != k {
                    return Err(Error::Shape { what: "priors", got, want: k });
                }
                priors
            }
        };
        let total: f64 = priors.iter().sum();
        priors.iter_mut().for_each(|p| *p /= total);
        Ok(priors)
    }
}

impl fmt::Display for Priors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empirical => f.write_str("empirical"),
            Self::Uniform => f.write_str("uniform"),
            Self::Given(list) => {
                let parts: Vec<String> = list.iter().map(|(c, p)| format!("{c}={p}")).collect();
                f.write_str(&parts.join(","))
            }
        }
    }
}

impl FromStr for Priors {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "empirical" => return Ok(Self::Empirical),
            "uniform" => return Ok(Self::Uniform),
            _ => {}
        }
        let pair = |part: &str| {
            let (class, p) = part.rsplit_once('=').unwrap_or((part, ""));
            (Label::parse(class), p.trim().parse().unwrap_or(f64::NAN))
        };
        let own = Self::Given(text.split(',').map(pair).collect());
        match own.check() {
            Ok(()) => Ok(own),
            Err(_) => Err(Error::UnknownName {
                family: "priors",
                got: text.to_owned(),
                known: vec!["empirical", "uniform", "CLASS=P,… with P above 0"],
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};

    #[test]
    fn priors_are_empirical_uniform_or_given() {
        let x = Design::dense(4, 1, vec![0.0; 4]).unwrap();
        let labels = Labels::parse(["a", "b", "b", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let of = |text: &str| text.parse::<Priors>().and_then(|priors| priors.of(&problem));
        assert_eq!(of("empirical"), Ok(vec![0.25, 0.75]));
        assert_eq!(of("uniform"), Ok(vec![0.5, 0.5]));
        assert_eq!(of("b=1,a=4"), Ok(vec![0.8, 0.2]));
        assert!(of("b=1").unwrap_err().to_string().contains("priors: expected 2, found 1"));
        assert!(of("c=1").unwrap_err().to_string().contains("found c"));
        for wrong in ["even", "a=0,b=1", "a=-1", "a=x"] {
            assert!(of(wrong).unwrap_err().to_string().contains("CLASS=P"), "{wrong}");
        }
    }
}
