//! Gaussian classes with a shared covariance matrix (linear discriminant analysis): a generative
//! model with linear decision boundaries.
//!
//! Each class has a normal density with mean `m_c` and common covariance Σ, and a prior probability
//! `π_c`. By Bayes' rule
//!
//! ```text
//!   ln p(c | x) = w_c·x + b_c + terms common to all classes,
//!   w_c = Σ⁻¹(m_c − m),    b_c = −w_c·m − ½ (m_c − m)·w_c + ln π_c,
//! ```
//!
//! as the squares of x cancel. The mean m of all rows cancels in differences of scores. The
//! estimates are those of maximum likelihood: class means, class shares, and Σ = `S_W`/n,
//! optionally shrunk ([`Shrinkage`]). Two classes need one hyperplane, the difference of both, and
//! σ(z) is the probability of the second class.
//!
//! The estimates depend on [`Moments`] alone; `auto` shrinkage takes one more pass.
//!
//! Cost: the moments, then d³/3, or about 9 d³ if Σ is singular. With more columns than rows, n
//! replaces d.
//! Source: Bishop, *Pattern Recognition and Machine Learning*, §4.2; Ledoit & Wolf (2004).

use super::memory::Size;
use super::parts::{
    ClosedFormResult, Covariance, Frame, Priors, Shrinkage, intercept_at, of_covariance,
};
use super::{Build, Entry, FitResult, Learner, no_start};
use crate::control::{Cancel, Observer};
use crate::data::{Hyperplane, Moments, Problem};
use crate::error::Error;
use crate::math::kernels::dot;
use crate::model::Link;
use crate::options::{Options, Setting};

/// Settings of Gaussian classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaussian {
    /// π.
    pub priors: Priors,
    /// Shrinkage of Σ.
    pub shrinkage: Shrinkage,
}

pub(super) const ENTRY: Entry = Entry {
    name: "gaussian",
    about: "linear discriminant analysis (Gaussian classes, shared covariance); provides \
        probabilities",
    takes: &["priors", "shrinkage"],
    build: Build::Learner(|options| Ok(Box::new(Gaussian::with(options)))),
};

impl Gaussian {
    fn with(options: &Options) -> Self {
        Self {
            priors: options.priors.clone().unwrap_or_default(),
            shrinkage: options.shrinkage.unwrap_or_default(),
        }
    }

    /// Hyperplanes of all classes, or one for class `positive` against the other of two.
    fn hyperplanes(
        covariance: &Covariance,
        priors: &[f64],
        positive: Option<usize>,
    ) -> Vec<Hyperplane> {
        let mean = &covariance.mean;
        let Some(positive) = positive else {
            let hyperplane = |(away, prior): (&Vec<f64>, &f64)| {
                let w = covariance.inverse.solve(away);
                let b = intercept_at(&w, mean, prior.ln() - dot(away, &w) / 2.0);
                Hyperplane { w, b }
            };
            return covariance.away.iter().zip(priors).map(hyperplane).collect();
        };
        let (step, middle) = covariance.step_and_middle(positive);
        let w = covariance.inverse.solve(&step);
        let odds = (priors[positive] / priors[1 - positive]).ln();
        let b = intercept_at(&w, mean, odds - dot(&middle, &w));
        vec![Hyperplane { w, b }]
    }

    /// Fits the hyperplanes of all classes to moments alone. `fourth` computes the fourth moments
    /// for `auto` shrinkage ([`Moments::fourth`], in units of the standard deviations of the
    /// columns).
    pub fn hyperplanes_of(
        &self,
        moments: &Moments,
        priors: &[f64],
        fourth: impl FnOnce(&[f64]) -> f64,
    ) -> Result<Vec<Hyperplane>, Error> {
        let cancel = Cancel::default();
        let covariance =
            Covariance::new(moments, &Frame::Columns, self.shrinkage, fourth, &cancel)?;
        Ok(Self::hyperplanes(&covariance, priors, None))
    }
}

impl Learner for Gaussian {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![
            ("priors", Setting::Word(self.priors.to_string().into())),
            ("shrinkage", Setting::Word(self.shrinkage.to_string().into())),
        ]
    }

    fn check(&self) -> Result<(), Error> {
        self.priors.check()?;
        self.shrinkage.check()
    }

    fn memory(&self, problem: &Problem<'_>) -> u64 {
        Size::of(problem).closed_form()
    }

    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Hyperplane]>,
        positive: Option<usize>,
        watch: &mut dyn Observer,
    ) -> Result<FitResult, Error> {
        self.check()?;
        no_start(ENTRY.name, starts)?;
        let positive = problem.positive(positive)?;
        let priors = self.priors.of(problem)?;
        let cancel = watch.cancel();
        let compute = |_: &Problem<'_>, covariance: Covariance, _: &Moments| ClosedFormResult {
            hyperplanes: Self::hyperplanes(&covariance, &priors, positive),
            facts: covariance.facts,
            ..ClosedFormResult::default()
        };
        of_covariance(ENTRY.name, problem, &priors, self.shrinkage, &cancel, compute)?.fit(
            problem,
            positive,
            Link::Softmax,
        )
    }
}
