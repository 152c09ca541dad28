//! Statistical inference for the coefficients of logistic regression.
//!
//! For two classes and no penalty, the maximum-likelihood hyperplane has standard errors, tests and
//! intervals that are valid for many rows. The assumptions are that rows are independent and that
//! the log-odds of the positive class are linear in the columns:
//!
//! | file | content |
//! |---|---|
//! | `likelihood` | ℓ, its gradient and its curvature: the information I |
//! | `firth` | Firth's penalty ½ ln det I, for few rows and separated classes |
//! | `maximize` | the maximum, free or constrained, and the proof of existence |
//! | `secant` | curvature of the penalty estimated from steps |
//! | `wald` | z = estimate/error and its tests; standard errors from I⁻¹ |
//! | `sandwich` | standard errors valid under misspecification: HC0, HC1 |
//! | `profile` | likelihood-ratio tests and profile intervals |
//! | `rank` | aliased columns, which get no coefficient |
//! | `tail` | the normal and the χ² distribution |
//! | `settings` | settings |
//! | `units` | standardization of columns with large means for the computation |
//!
//! A sample weight is a count: a row of weight 2 is two rows, and n = Σ sᵢ. Penalties other than
//! Firth's are not supported: shrinkage biases the coefficients by an unknown amount, so tests and
//! intervals would be invalid.
//!
//! If the classes can be separated, there is no maximum and [`InferenceResult::inference`] is
//! `None`; Firth's estimate always exists.
//!
//! Over 400 lines: the result types, and the one procedure that computes them.

mod firth;
mod likelihood;
mod maximize;
mod profile;
mod rank;
mod sandwich;
mod secant;
mod settings;
pub mod tail;
mod units;
mod wald;

pub use rank::Aliased;
pub use settings::{Intervals, Settings, StandardErrors};

use crate::control::{Observer, StopReason};
use crate::data::{BinarySubset, Hyperplane, Problem};
use crate::error::Error;
use crate::features::{Standardization, power_of_two};
use crate::math::kernels::dot;
use crate::math::sum::Sum;
use likelihood::Likelihood;
use maximize::{Maximum, distance_bound, maximize, notify_observer};
use sandwich::Sandwich;
use serde::{Deserialize, Serialize};

/// A test statistic that is approximately χ² under the null hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The value of the statistic.
    #[serde(with = "crate::float")]
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// p-value: probability of a value at least as large under the null hypothesis.
    #[serde(with = "crate::float")]
    pub p: f64,
}

impl Test {
    fn new(statistic: f64, df: usize) -> Self {
        Self { statistic, df, p: tail::chi_squared(statistic, df) }
    }
}

/// Estimate of one coefficient, with its tests and interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// Its column; `None` is the intercept.
    pub column: Option<usize>,
    /// The estimate.
    #[serde(with = "crate::float")]
    pub estimate: f64,
    /// Its standard error.
    #[serde(with = "crate::float")]
    pub error: f64,
    /// Estimate/error.
    #[serde(with = "crate::float")]
    pub z: f64,
    /// Two-sided p-value of z.
    #[serde(with = "crate::float")]
    pub p: f64,
    /// Confidence interval; an end is infinite if unbounded, and NaN if not found.
    #[serde(with = "crate::float")]
    pub interval: [f64; 2],
    /// Likelihood-ratio test of the coefficient being 0, if profiles were computed.
    pub ratio: Option<Test>,
}

impl Coefficient {
    /// Returns the odds ratio e^estimate per unit of the column, and the ends of its interval.
    pub fn odds(&self) -> [f64; 3] {
        [self.estimate, self.interval[0], self.interval[1]].map(libm::exp)
    }
}

/// Joint tests of several coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointTest {
    /// The columns of the group that have a coefficient.
    pub columns: Vec<usize>,
    /// Wald test of all being 0.
    pub wald: Option<Test>,
    /// Likelihood-ratio test of all being 0, if profiles were computed.
    pub ratio: Option<Test>,
}

/// Result of the inference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inference {
    /// Whether the likelihood has Firth's penalty.
    pub firth: bool,
    /// n = Σ sᵢ.
    #[serde(with = "crate::float")]
    pub n: f64,
    /// The coefficients in the order of their columns, then the intercept.
    pub coefficients: Vec<Coefficient>,
    /// Joint tests of the requested groups that have a coefficient.
    pub joint_tests: Vec<JointTest>,
    /// Aliased columns, without a coefficient.
    pub aliased: Vec<Aliased>,
    /// Confidence level of the intervals.
    #[serde(with = "crate::float")]
    pub level: f64,
    /// Method of the intervals: `Wald` or `Profile`.
    pub intervals: Intervals,
    /// Estimator of the standard errors.
    pub errors: StandardErrors,
    /// ℓ at the estimate, without a penalty.
    #[serde(with = "crate::float")]
    pub log_likelihood: f64,
    /// ℓ of the intercept-only model.
    #[serde(with = "crate::float")]
    pub null_log_likelihood: f64,
    /// ℓ* at the estimate, in the units of the coefficients; only for Firth's penalty.
    #[serde(with = "crate::float")]
    pub penalized_log_likelihood: Option<f64>,
    /// Likelihood-ratio test against the intercept-only model; `None` without columns.
    pub ratio: Option<Test>,
    /// Upper bound on the distance to the exact maximum, in standard errors; `None` if existence is
    /// unproved.
    #[serde(with = "crate::float")]
    pub distance_to_maximum: Option<f64>,
}

impl Inference {
    /// Returns p, the number of coefficients including the intercept.
    pub fn p(&self) -> usize {
        self.coefficients.len()
    }

    /// Returns −2ℓ. The saturated model is that of single observations, even if rows are counts.
    pub fn deviance(&self) -> f64 {
        -2.0 * self.log_likelihood
    }

    /// Returns −2ℓ of the intercept-only model.
    pub fn null_deviance(&self) -> f64 {
        -2.0 * self.null_log_likelihood
    }

    /// Returns the Akaike information criterion 2p − 2ℓ; `None` for Firth's estimate, which does
    /// not maximize ℓ.
    pub fn aic(&self) -> Option<f64> {
        (!self.firth).then(|| 2.0 * self.p() as f64 + self.deviance())
    }

    /// Returns the Bayesian information criterion p ln n − 2ℓ; `None` for Firth's estimate.
    pub fn bic(&self) -> Option<f64> {
        (!self.firth).then(|| self.p() as f64 * libm::log(self.n) + self.deviance())
    }

    /// Returns `McFadden`'s pseudo-R² 1 − ℓ/ℓ₀; `None` for Firth's estimate.
    pub fn mcfadden(&self) -> Option<f64> {
        (!self.firth).then(|| 1.0 - self.log_likelihood / self.null_log_likelihood)
    }
}

/// An estimate and its inference.
#[derive(Clone, Debug, PartialEq)]
pub struct InferenceResult {
    /// The hyperplane, in the given units of the columns.
    pub hyperplane: Hyperplane,
    /// `Optimal` if a maximum was found and its existence proved, `Stalled` if found but not
    /// proved (Firth), `Unbounded` if there is no maximum.
    pub stop: StopReason,
    /// Iterations of the maximization.
    pub steps: u64,
    /// The inference; `None` without a maximum.
    pub inference: Option<Inference>,
}

/// Largest number of columns: the matrix of all pairwise products is in memory.
const MOST: usize = 5_000;

/// Estimates the hyperplane of two classes and infers its coefficients. `positive` is the positive
/// class, by default the second.
pub fn infer(
    problem: &Problem<'_>,
    positive: Option<usize>,
    settings: &Settings,
    watch: &mut dyn Observer,
) -> Result<InferenceResult, Error> {
    // 1. Check the arguments.
    settings.check()?;
    let (d, k) = (problem.x().d(), problem.labels().k());
    let Some(positive) = problem.positive(positive)? else {
        return Err(Error::TwoClasses { name: "infer", got: k });
    };
    if d > MOST {
        return Err(Error::TooLarge { what: "features for inference", got: d, most: MOST });
    }
    if let Some(by) = settings.units.as_ref().filter(|by| by.mean.len() != d) {
        return Err(Error::Shape { what: "units of features", got: by.mean.len(), want: d });
    }

    // 2. Standardize, and drop aliased columns.
    let given = problem.against_rest(positive);
    let cancel = watch.cancel();
    let early = |stop| {
        Ok(InferenceResult { hyperplane: Hyperplane::zero(d), stop, steps: 0, inference: None })
    };
    let Some(mut gram) = given.x().gram_until(given.s(), &cancel) else {
        return early(StopReason::Interrupted);
    };
    let (x, own) = match units::standardized(given.x(), given.s(), &gram) {
        Some((x, own)) => {
            let Some(centered) = x.gram_until(given.s(), &cancel) else {
                return early(StopReason::Interrupted);
            };
            gram = centered;
            (x, Some(own))
        }
        None => (given.x().clone(), None),
    };
    let part = BinarySubset::new(x, given.y().to_vec(), given.s().to_vec());
    let binary = part.binary();
    let Some((active, aliased)) = rank::independent(&gram, d, &settings.excluded_columns, &cancel)
    else {
        return early(StopReason::Interrupted);
    };
    let mut likelihood = Likelihood::new(&binary, active, settings.firth, &cancel)?;

    // 3. The maximum, starting from the intercept-only model.
    let weights = problem.class_weights();
    let mut start = vec![0.0; likelihood.active().len()];
    if let Some(bias) = start.last_mut() {
        *bias = libm::log(weights[positive] / weights[1 - positive]);
    }
    let given_units = |hyperplane: Hyperplane| {
        own.as_ref().map_or(hyperplane.clone(), |own| own.to_raw_units(&hyperplane))
    };
    let Some(top) = maximize(&mut likelihood, start, &[], watch) else {
        return early(if cancel.is_set() { StopReason::Interrupted } else { StopReason::Diverged });
    };
    let hyperplane = given_units(likelihood.hyperplane(&top.point.beta));
    let (stop, steps) = (top.stop, top.steps);
    if stop != StopReason::Optimal {
        return Ok(InferenceResult { hyperplane, stop, steps, inference: None });
    }

    // 4. Tests and intervals.
    let units = units::composed(settings.units.as_ref(), own.as_ref(), d);
    let inference = Analysis { likelihood, top, units, settings }.answer(aliased, watch);
    // Existence is not proved for a penalized likelihood.
    let stop = if inference.distance_to_maximum.is_some() { stop } else { StopReason::Stalled };
    Ok(InferenceResult { hyperplane, stop, steps, inference: Some(inference) })
}

/// A maximum, and the settings of its inference.
struct Analysis<'a> {
    likelihood: Likelihood<'a>,
    top: Maximum,
    units: Standardization,
    settings: &'a Settings,
}

impl Analysis<'_> {
    fn answer(mut self, aliased: Vec<Aliased>, watch: &mut dyn Observer) -> Inference {
        let settings = self.settings;
        let n = self.likelihood.problem().total_weight();
        let p = self.top.point.beta.len();
        let combinations: Vec<Scaled> = (0..p).map(|k| self.combination(k)).collect();
        let z = tail::two_sided_quantile(1.0 - settings.level);

        // 1. Wald tests and intervals.
        let covariance = Covariance::new(&self, &combinations, n);
        let mut coefficients: Vec<Coefficient> =
            (0..p).map(|k| self.coefficient(k, &combinations[k], &covariance, z)).collect();
        let mut together = self.groups(&coefficients, &combinations, &covariance);

        // 2. Profile likelihood. If the observer stops it, the Wald results are kept.
        let mut intervals = Intervals::Wald;
        if self.computes_profiles() {
            let profiled = self.profile(&coefficients, &together, &combinations, z, watch);
            if let Some((own, groups)) = profiled {
                (coefficients, together, intervals) = (own, groups, Intervals::Profile);
            }
        }
        let null_log_likelihood = likelihood::null_log_likelihood(self.likelihood.problem());
        let fall = if settings.firth {
            let columns: Vec<usize> = (0..p - 1).collect();
            self.ratio_without(&columns)
        } else {
            Some(2.0 * (self.top.point.log_likelihood - null_log_likelihood))
        };
        let fall = fall.filter(|_| p > 1);
        Inference {
            firth: settings.firth,
            n,
            coefficients,
            joint_tests: together,
            aliased,
            level: settings.level,
            intervals,
            errors: settings.standard_errors,
            log_likelihood: self.top.point.log_likelihood,
            null_log_likelihood,
            penalized_log_likelihood: settings.firth.then(|| self.penalized()),
            ratio: fall.map(|fall| Test::new(fall.max(0.0), p - 1)),
            distance_to_maximum: distance_bound(&self.likelihood, &self.top),
        }
    }

    /// Returns the k-th coefficient in reported units, as a combination of the computed
    /// coefficients.
    fn combination(&self, k: usize) -> Scaled {
        let active = self.likelihood.active();
        let d = self.units.mean.len();
        let scale = &self.units.scale;
        let plain = |j: usize| (1e-100..=1e100).contains(&scale[j]);
        let unit = match active[k] {
            j if j == d || plain(j) => 1.0,
            j => power_of_two(scale[j]),
        };
        let part = |(l, &j): (usize, &usize)| match active[k] {
            bias if bias == d && j == d => 1.0,
            bias if bias == d && plain(j) => -self.units.mean[j] * (1.0 / scale[j]),
            bias if bias == d => -self.units.mean[j] / scale[j],
            _ if l == k => 1.0 / (scale[j] / unit),
            _ => 0.0,
        };
        Scaled { a: active.iter().enumerate().map(part).collect(), unit: 1.0 / unit }
    }

    fn coefficient(&self, k: usize, own: &Scaled, covariance: &Covariance, z: f64) -> Coefficient {
        let j = self.likelihood.active()[k];
        let estimate = own.a.iter().zip(&self.top.point.beta).map(|(a, b)| a * b);
        let estimate = own.unit * estimate.collect::<Sum>().value();
        let error = own.unit * covariance.of(k, k).sqrt();
        let (statistic, p) = wald::test(estimate, error);
        Coefficient {
            column: (j < self.units.mean.len()).then_some(j),
            estimate,
            error,
            z: statistic,
            p,
            interval: wald::interval(estimate, error, z),
            ratio: None,
        }
    }

    /// Returns the Wald tests of the requested groups of columns.
    fn groups(
        &self,
        coefficients: &[Coefficient],
        combinations: &[Scaled],
        covariance: &Covariance,
    ) -> Vec<JointTest> {
        let group = |columns: &Vec<usize>| {
            let places = self.places(columns);
            let estimates: Vec<f64> =
                places.iter().map(|&k| coefficients[k].estimate / combinations[k].unit).collect();
            let m = places.len();
            let mut own = vec![0.0; m * m];
            for j in 0..m {
                (j..m).for_each(|i| own[j * m + i] = covariance.of(places[i], places[j]));
            }
            let columns = places.iter().map(|&k| self.likelihood.active()[k]).collect();
            JointTest { columns, wald: wald::joint(&estimates, &own), ratio: None }
        };
        let asked =
            self.settings.joint_groups.iter().filter(|columns| !self.places(columns).is_empty());
        asked.map(group).collect()
    }

    /// Returns the positions of the coefficients of these columns.
    fn places(&self, columns: &[usize]) -> Vec<usize> {
        let active = self.likelihood.active();
        columns.iter().filter_map(|j| active.binary_search(j).ok()).collect()
    }

    /// Returns whether profiles are requested, or cheap: about 20 p steps of n p² products.
    fn computes_profiles(&self) -> bool {
        const LITTLE: f64 = 1e9;
        let (rows, p) =
            (self.likelihood.problem().x().n() as f64, self.top.point.beta.len() as f64);
        match self.settings.intervals {
            Intervals::Profile => true,
            Intervals::Wald => false,
            Intervals::Auto => {
                self.settings.standard_errors == StandardErrors::Model && rows * p * p * p <= LITTLE
            }
        }
    }

    /// Adds profile intervals and likelihood-ratio tests; `None` if the observer stops it.
    fn profile(
        &mut self,
        coefficients: &[Coefficient],
        together: &[JointTest],
        combinations: &[Scaled],
        z: f64,
        watch: &mut dyn Observer,
    ) -> Option<(Vec<Coefficient>, Vec<JointTest>)> {
        let places: Vec<_> = together.iter().map(|group| self.places(&group.columns)).collect();
        let mut own = Vec::with_capacity(coefficients.len());
        for (c, Scaled { a, unit }) in coefficients.iter().zip(combinations) {
            if !notify_observer(&self.likelihood, &self.top.point, own.len() as u64, watch) {
                return None;
            }
            let ratio = self.ratio(a).map(|fall| Test::new(fall, 1));
            let interval = self.interval(a, z).map(|end| unit * end);
            own.push(Coefficient { interval, ratio, ..*c });
        }
        let cancel = self.likelihood.cancel();
        let groups = together.iter().zip(&places).map(|(group, places)| {
            let fall = self.ratio_without(places);
            let ratio = fall.map(|fall| Test::new(fall, places.len()));
            JointTest { ratio, ..group.clone() }
        });
        let groups = groups.collect();
        (!cancel.is_set()).then_some((own, groups))
    }

    /// Returns ℓ* in reported units: det I has a factor Q² for each column scaled by 1/Q in the
    /// computation.
    fn penalized(&self) -> f64 {
        let d = self.units.mean.len();
        let columns = self.likelihood.active().iter().filter(|&&j| j < d);
        let factors: f64 = columns.map(|&j| libm::log(self.units.scale[j])).sum();
        self.top.point.value + factors
    }
}

/// A combination of coefficients with a power of two factored out, so that its square is in range.
struct Scaled {
    a: Vec<f64>,
    /// The factor of `a`; 1 except for columns with huge or tiny values.
    unit: f64,
}

/// Covariances of the coefficients, each relative to its factor.
struct Covariance {
    /// L⁻¹a of each combination, or I⁻¹a for sandwich errors.
    halves: Vec<Vec<f64>>,
    sandwich: Option<Sandwich>,
}

impl Covariance {
    fn new(inquiry: &Analysis<'_>, combinations: &[Scaled], n: f64) -> Self {
        let point = &inquiry.top.point;
        let factor = match inquiry.settings.standard_errors {
            StandardErrors::Model => None,
            StandardErrors::Hc0 => Some(1.0),
            StandardErrors::Hc1 => Some(n / (n - point.beta.len() as f64)),
        };
        let sandwich = factor.map(|factor| Sandwich::new(&inquiry.likelihood, point, factor));
        let half = |own: &Scaled| {
            let mut a = own.a.clone();
            match sandwich {
                None => point.information.whiten(&mut a),
                Some(_) => point.information.solve(&mut a),
            }
            a
        };
        Self { halves: combinations.iter().map(half).collect(), sandwich }
    }

    fn of(&self, i: usize, j: usize) -> f64 {
        match &self.sandwich {
            None => dot(&self.halves[i], &self.halves[j]),
            Some(sandwich) => sandwich.covariance(&self.halves[i], &self.halves[j]),
        }
    }
}

#[cfg(test)]
mod tests;
