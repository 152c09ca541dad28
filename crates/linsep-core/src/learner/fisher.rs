//! Fisher's discriminant: directions of large distance between class means and small variance
//! within.
//!
//! # Two classes
//!
//! ```text
//!   J(w) = (w·(m₁ − m₀))² / wᵀ S_W w     is largest for     w = S_W⁻¹ (m₁ − m₀),   J = (m₁ − m₀)·w
//! ```
//!
//! with `S_W` the sum of the scatter matrices of both classes. Only the direction follows from
//! this. The intercept is a choice:
//!
//! | `--intercept-rule` | the threshold lies |
//! |---|---|
//! | `gaussian` | where two normal densities of one variance, times priors, are equal (default) |
//! | `means` | midway between the projected means |
//! | `max-margin` | midway between the nearest projected rows of the classes; else `min-error` |
//! | `min-error` | where the least weight of training rows is misclassified, in the widest gap |
//!
//! `max-margin` falls back to `min-error` if no threshold separates the projected classes.
//!
//! # More than two classes
//!
//! The directions are the eigenvectors of `S_W⁻¹ S_B`, computed in symmetric form. In coordinates
//! in which `S_W`/n is the identity, the class means span at most k − 1 directions. The
//! eigenvectors of their scatter follow from a k × k matrix:
//!
//! ```text
//!   B = rows √(n_c/n) whiten(m_c − m),    BBᵀ = QΛQᵀ,    wⱼ = unwhiten(BᵀQⱼ)/√Λⱼ,
//!   J(W) = tr((WᵀS_W W)⁻¹ WᵀS_B W) = ΣΛⱼ
//! ```
//!
//! Every direction then has variance 1 within classes. D′ = `dims` of them are kept. A row is
//! assigned to the nearest projected mean, with priors: the class of least
//! ½‖y − `y_c`‖² − ln `π_c`. With all directions kept, decisions and probabilities equal those of
//! [`Gaussian`](super::Gaussian) classes.
//!
//! Cost: the moments, then d³/3 and d² k; `max-margin` and `min-error` project the rows once more.
//! Source: Fisher, *The use of multiple measurements in taxonomic problems*, Annals of Eugenics 7
//! (1936); Bishop, *Pattern Recognition and Machine Learning*, §4.1.4–4.1.6.

use super::memory::Size;
use super::parts::{
    ClosedFormResult, Covariance, Priors, Shrinkage, Threshold, intercept_at, of_covariance,
    quadratic_form,
};
use super::{Build, Entry, Fact, FitResult, Learner, no_start};
use crate::control::Observer;
use crate::data::{Hyperplane, Moments, Problem};
use crate::error::Error;
use crate::math::kernels::{axpy, dot, norm_sq};
use crate::math::linalg::eigen;
use crate::model::Link;
use crate::names::names;
use crate::options::{Options, Setting};
use serde::{Deserialize, Serialize};

/// Position of the threshold between two classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterceptRule {
    /// Where two normal densities are equal, weighted by priors.
    #[default]
    Gaussian,
    /// Midway between the means.
    Means,
    /// Midway between the nearest rows.
    MaxMargin,
    /// Where the least weight of rows is misclassified.
    MinError,
}

names!(InterceptRule of "`intercept-rule`" {
    Gaussian => "gaussian",
    Means => "means",
    MaxMargin => "max-margin",
    MinError => "min-error",
});

/// Settings of Fisher's discriminant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fisher {
    /// Position of the threshold; for two classes only.
    pub bias: InterceptRule,
    /// Number of directions to keep; `None` for all.
    pub dims: Option<usize>,
    /// π.
    pub priors: Priors,
    /// Shrinkage of the within-class scatter.
    pub shrinkage: Shrinkage,
}

pub(super) const ENTRY: Entry = Entry {
    name: "fisher",
    about: "Fisher's linear discriminant; supports projection (transform)",
    takes: &["intercept-rule", "dims", "priors", "shrinkage"],
    build: Build::Learner(|options| Ok(Box::new(Fisher::with(options)))),
};

impl Fisher {
    fn with(options: &Options) -> Self {
        Self {
            bias: options.bias.unwrap_or_default(),
            dims: options.dims,
            priors: options.priors.clone().unwrap_or_default(),
            shrinkage: options.shrinkage.unwrap_or_default(),
        }
    }

    fn pair(
        &self,
        problem: &Problem<'_>,
        mut covariance: Covariance,
        priors: &[f64],
        positive: usize,
    ) -> ClosedFormResult {
        let (step, middle) = covariance.step_and_middle(positive);
        let n = covariance.n;
        let mut w = covariance.inverse.solve(&step);
        // J of the scatter matrices. While w is Σ⁻¹(m₁ − m₀), its variance within classes is
        // `reach`.
        let reach = dot(&step, &w);
        let mut direction = Hyperplane { w: w.clone(), b: intercept_at(&w, &covariance.mean, 0.0) };
        if reach > 0.0 {
            direction.scale(1.0 / reach.sqrt());
        }
        w.iter_mut().for_each(|w| *w /= n);
        covariance.facts.add("J", Fact::Number(reach / n));
        let halfway = -dot(&middle, &w);
        let value = match self.bias {
            InterceptRule::Means => halfway,
            InterceptRule::Gaussian => halfway + (priors[positive] / priors[1 - positive]).ln() / n,
            InterceptRule::MaxMargin | InterceptRule::MinError => {
                let hyperplane =
                    Hyperplane { w: w.clone(), b: intercept_at(&w, &covariance.mean, 0.0) };
                let best = Threshold::of(problem, &hyperplane, positive);
                if self.bias == InterceptRule::MaxMargin && best.wrong > 0.0 {
                    covariance.facts.say(
                        "no threshold along Fisher's direction separates the classes, so no \
                         margin exists; the threshold minimizes the training error"
                            .to_owned(),
                    );
                }
                -best.at
            }
        };
        let b = intercept_at(&w, &covariance.mean, value);
        let hyperplanes = vec![Hyperplane { w, b }];
        ClosedFormResult {
            hyperplanes,
            directions: vec![direction],
            facts: covariance.facts,
            criterion: None,
        }
    }

    fn many(
        &self,
        mut covariance: Covariance,
        weights: &[f64],
        priors: &[f64],
    ) -> ClosedFormResult {
        // 1. The scatter of the whitened means, as a k × k matrix.
        let k = weights.len();
        let white: Vec<Vec<f64>> =
            covariance.away.iter().map(|away| covariance.inverse.whiten(away)).collect();
        let root = |c: usize| (weights[c] / covariance.n).sqrt();
        let mut small = vec![0.0; k * k];
        for a in 0..k {
            (a..k).for_each(|b| small[a * k + b] = root(a) * root(b) * dot(&white[a], &white[b]));
        }
        let (values, vectors) = eigen(&small, k).unwrap_or_default();
        let most = values.last().copied().unwrap_or(0.0);
        let there = |value: &f64| *value > 1e-12 * most;

        // 2. The directions kept, by decreasing eigenvalue; the largest coefficient is made
        //    positive.
        let keep = self.dims.unwrap_or(k - 1).min(k - 1);
        let found: Vec<(f64, Vec<f64>)> = values
            .iter()
            .zip(vectors.chunks_exact(k))
            .rev()
            .filter(|(value, _)| there(value))
            .take(keep)
            .map(|(value, q)| {
                let mut e = vec![0.0; covariance.inverse.rank()];
                (0..k).for_each(|c| axpy(q[c] * root(c), &white[c], &mut e));
                let length = norm_sq(&e).sqrt();
                e.iter_mut().for_each(|v| *v /= length);
                (*value, e)
            })
            .collect();
        let mut directions = Vec::new();
        let mut hyperplanes = vec![Hyperplane::zero(covariance.mean.0.len()); k];
        for (_, e) in &found {
            let mut w = covariance.inverse.unwhiten(e);
            let largest =
                w.iter().fold(0.0_f64, |most, v| if v.abs() > most.abs() { *v } else { most });
            if largest < 0.0 {
                w.iter_mut().for_each(|w| *w = -*w);
            }
            for (hyperplane, white) in hyperplanes.iter_mut().zip(&white) {
                let along = dot(e, white) * if largest < 0.0 { -1.0 } else { 1.0 };
                axpy(along, &w, &mut hyperplane.w);
                hyperplane.b -= along * along / 2.0;
            }
            directions.push(Hyperplane { b: intercept_at(&w, &covariance.mean, 0.0), w });
        }
        for (hyperplane, prior) in hyperplanes.iter_mut().zip(priors) {
            hyperplane.b = intercept_at(&hyperplane.w, &covariance.mean, hyperplane.b + prior.ln());
        }
        let values: Vec<f64> = found.iter().map(|(value, _)| *value).collect();
        let total: f64 = (0..k).map(|c| small[c * k + c]).sum();
        covariance.facts.add("J", Fact::Number(values.iter().sum()));
        covariance.facts.add("J-of-all", Fact::Number(total));
        covariance.facts.add("J-by-direction", Fact::Numbers(values));
        ClosedFormResult { hyperplanes, directions, facts: covariance.facts, criterion: None }
    }
}

impl Learner for Fisher {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        let mut settings = vec![("intercept-rule", Setting::Word(self.bias.name().into()))];
        if let Some(dims) = self.dims {
            settings.push(("dims", Setting::Number(dims as f64)));
        }
        settings.push(("priors", Setting::Word(self.priors.to_string().into())));
        settings.push(("shrinkage", Setting::Word(self.shrinkage.to_string().into())));
        settings
    }

    fn check(&self) -> Result<(), Error> {
        if self.dims == Some(0) {
            return Err(Error::Setting { name: "dims", got: 0.0, want: "at least 1" });
        }
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
        let k = problem.labels().k();
        let positive = problem.positive(positive)?;
        if k > 2 && self.bias != InterceptRule::default() {
            return Err(Error::TwoClasses { name: "intercept-rule", got: k });
        }
        if self.dims.is_some_and(|dims| dims > k - 1) {
            let got = self.dims.unwrap_or_default() as f64;
            return Err(Error::Setting {
                name: "dims",
                got,
                want: "at most the number of classes − 1",
            });
        }
        let priors = self.priors.of(problem)?;
        let cancel = watch.cancel();
        let answer = of_covariance(
            ENTRY.name,
            problem,
            &priors,
            self.shrinkage,
            &cancel,
            |problem, covariance, moments| match positive {
                Some(positive) => self.pair(problem, covariance, &priors, positive),
                None => self.many(covariance, moments.weights(), &priors),
            },
        )?;
        let link = if positive.is_some() { Link::None } else { Link::Softmax };
        answer.fit(problem, positive, link)
    }
}

/// Direction from the mean of the first class to that of the second, without regard to the
/// covariance, as a baseline. It has variance 1 within classes and is 0 at the mean of all rows.
pub fn mean_direction(moments: &Moments) -> Hyperplane {
    let (away, mean) = (moments.away(), moments.grand_mean());
    let w: Vec<f64> = away[1].iter().zip(&away[0]).map(|(to, from)| to - from).collect();
    let square = quadratic_form(moments.within(), &w);
    let mut direction = Hyperplane { b: intercept_at(&w, &mean, 0.0), w };
    if square > 0.0 {
        direction.scale((moments.total_weight() / square).sqrt());
    }
    direction
}
