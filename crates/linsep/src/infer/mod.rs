//! Inference: what the data say about the coefficients of logistic regression, and how surely.
//!
//! For two classes and no penalty, the plane of largest likelihood is an estimate, and comes with standard errors, tests and intervals that
//! hold for many rows, if rows are independent and the log-odds of the positive class are linear in the columns:
//!
//! | file | what |
//! |---|---|
//! | `likelihood` | ℓ, its slope and its curvature: the information I |
//! | `firth` | Firth's penalty ½ ln det I, for few rows and separated classes |
//! | `maximise` | the maximum, free or constrained, and the proof that it exists |
//! | `secant` | what steps tell of the penalty's curvature |
//! | `wald` | z = estimate/error and what follows; errors from I⁻¹ |
//! | `sandwich` | errors that hold where the model does not: HC0, HC1 |
//! | `profile` | likelihood-ratio tests and profile intervals |
//! | `rank` | columns that depend on others get no coefficient |
//! | `tail` | the normal and the χ² distribution |
//! | `settings` | what can be asked |
//! | `units` | columns far from 0 are centred to work with |
//!
//! A weight is a count: a row of weight 2 is two rows, and n = Σ sᵢ. What is printed of a fit with another penalty would be
//! wrong, so there is none here: a penalty that draws coefficients to 0 makes them biased by an unknown amount.
//!
//! Where the classes can be separated, there is no maximum, and [`Found::inference`] is none; Firth's always exists.

mod firth;
mod likelihood;
mod maximise;
mod profile;
mod rank;
mod sandwich;
mod secant;
mod settings;
pub mod tail;
mod units;
mod wald;

pub use rank::Aliased;
pub use settings::{Errors, Intervals, Settings};

use crate::control::{Stop, Watch};
use crate::data::{Part, Plane, Problem};
use crate::error::Error;
use crate::features::{Standardise, power_of_two};
use crate::math::kernels::dot;
use crate::math::sum::Sum;
use likelihood::Likelihood;
use maximise::{Maximum, maximise, proved_within, tell};
use profile::Profile;
use sandwich::Sandwich;

/// A statistic that is about χ² where there is nothing to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Its value.
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// How likely a value as large is by chance alone.
    pub p: f64,
}

impl Test {
    fn new(statistic: f64, df: usize) -> Self {
        Self { statistic, df, p: tail::chi_squared(statistic, df) }
    }
}

/// What is known of one coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// Its column; `None` is the bias.
    pub column: Option<usize>,
    /// The estimate.
    pub estimate: f64,
    /// Its standard error.
    pub error: f64,
    /// Estimate/error.
    pub z: f64,
    /// How likely a z as far from 0 is by chance alone.
    pub p: f64,
    /// The interval; an end is infinite where there is none, and NaN where it could not be found.
    pub interval: [f64; 2],
    /// The likelihood-ratio test of the coefficient being 0, where profiles were taken.
    pub ratio: Option<Test>,
}

impl Coefficient {
    /// e^estimate, by which the odds of the positive class change where the column grows by 1, and the ends of its interval.
    pub fn odds(&self) -> [f64; 3] {
        [self.estimate, self.interval[0], self.interval[1]].map(libm::exp)
    }
}

/// What is known of several coefficients together.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// Their columns: those asked about that have a coefficient.
    pub columns: Vec<usize>,
    /// The test of all being 0 from standard errors.
    pub wald: Option<Test>,
    /// The same from the likelihood, where profiles were taken.
    pub ratio: Option<Test>,
}

/// All that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Inference {
    /// Whether it is by Firth's penalised likelihood.
    pub firth: bool,
    /// n = Σ sᵢ.
    pub n: f64,
    /// The columns with a coefficient in their order, then the bias.
    pub coefficients: Vec<Coefficient>,
    /// The groups asked about that have a coefficient.
    pub together: Vec<Together>,
    /// Columns without one because they depend on others.
    pub aliased: Vec<Aliased>,
    /// Level of the intervals.
    pub level: f64,
    /// Where they come from: `Wald` or `Profile`.
    pub intervals: Intervals,
    /// Where standard errors come from.
    pub errors: Errors,
    /// ℓ at the estimate, without a penalty.
    pub log_likelihood: f64,
    /// ℓ without any column.
    pub null_log_likelihood: f64,
    /// ℓ* at the estimate, in the units of the coefficients, where it is by Firth's.
    pub penalised: Option<f64>,
    /// The test of all coefficients but the bias being 0, from the likelihood; none where there are none.
    pub ratio: Option<Test>,
    /// How many standard errors the exact maximum can be away at most, where it is proved to exist.
    pub within: Option<f64>,
}

impl Inference {
    /// p: how many coefficients there are, the bias counted in.
    pub fn p(&self) -> usize {
        self.coefficients.len()
    }

    /// −2ℓ: every observation counts on its own, also where a table has counts of them.
    pub fn deviance(&self) -> f64 {
        -2.0 * self.log_likelihood
    }

    /// −2ℓ without any column.
    pub fn null_deviance(&self) -> f64 {
        -2.0 * self.null_log_likelihood
    }

    /// Akaike's criterion 2p − 2ℓ; it is about maximum likelihood, so there is none for Firth's.
    pub fn aic(&self) -> Option<f64> {
        (!self.firth).then(|| 2.0 * self.p() as f64 + self.deviance())
    }

    /// The Bayesian criterion p ln n − 2ℓ, likewise.
    pub fn bic(&self) -> Option<f64> {
        (!self.firth).then(|| self.p() as f64 * libm::log(self.n) + self.deviance())
    }

    /// `McFadden`'s 1 − ℓ/ℓ₀, likewise.
    pub fn mcfadden(&self) -> Option<f64> {
        (!self.firth).then(|| 1.0 - self.log_likelihood / self.null_log_likelihood)
    }
}

/// An estimate and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The plane, for the columns as they were given.
    pub plane: Plane,
    /// `Optimal` where the maximum was found and is proved to be one, `Stationary` where it is not (Firth's), `Unbounded` where there is none in sight.
    pub stop: Stop,
    /// Steps it took.
    pub steps: u64,
    /// What is known; none where there is no maximum.
    pub inference: Option<Inference>,
}

/// The most columns: sums of products of all pairs are at hand at once.
const MOST: usize = 5_000;

/// Estimates the plane of two classes, the positive one being the second unless another is asked for, and says what is known of its coefficients.
pub fn infer(
    problem: &Problem<'_>,
    positive: Option<usize>,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Result<Found, Error> {
    // 1. Is it asked of something it can be asked of?
    settings.check()?;
    let (d, k) = (problem.x().d(), problem.labels().k());
    let Some(positive) = problem.positive(positive)? else {
        return Err(Error::TwoClasses { name: "infer", got: k });
    };
    if d > MOST {
        return Err(Error::TooLarge { what: "columns for inference", got: d, most: MOST });
    }
    if let Some(by) = settings.units.as_ref().filter(|by| by.mean.len() != d) {
        return Err(Error::Shape { what: "units of columns", got: by.mean.len(), want: d });
    }

    // 2. In which columns and units?
    let given = problem.against_rest(positive);
    let cancel = watch.cancel();
    let early = |stop| Ok(Found { plane: Plane::zero(d), stop, steps: 0, inference: None });
    let Some(mut gram) = given.x().gram_until(given.s(), &cancel) else {
        return early(Stop::Asked);
    };
    let (x, own) = match units::centred(given.x(), given.s(), &gram) {
        Some((x, own)) => {
            let Some(centred) = x.gram_until(given.s(), &cancel) else {
                return early(Stop::Asked);
            };
            gram = centred;
            (x, Some(own))
        }
        None => (given.x().clone(), None),
    };
    let part = Part::new(x, given.y().to_vec(), given.s().to_vec());
    let binary = part.binary();
    let Some((active, aliased)) = rank::independent(&gram, d, &settings.left_out, &cancel) else {
        return early(Stop::Asked);
    };
    let mut likelihood = Likelihood::new(&binary, active, settings.firth, &cancel)?;

    // 3. The maximum, from the best plane without columns.
    let weights = problem.class_weights();
    let mut start = vec![0.0; likelihood.active().len()];
    if let Some(bias) = start.last_mut() {
        *bias = libm::log(weights[positive] / weights[1 - positive]);
    }
    let given_units = |plane: Plane| own.as_ref().map_or(plane.clone(), |own| own.fold(&plane));
    let Some(top) = maximise(&mut likelihood, start, &[], watch) else {
        return early(if cancel.is_set() { Stop::Asked } else { Stop::Diverged });
    };
    let plane = given_units(likelihood.plane(&top.point.beta));
    let (stop, steps) = (top.stop, top.steps);
    if stop != Stop::Optimal {
        return Ok(Found { plane, stop, steps, inference: None });
    }

    // 4. What follows.
    let units = units::of_the_data(settings.units.as_ref(), own.as_ref(), d);
    let inference = Inquiry { likelihood, top, units, settings }.answer(aliased, watch);
    // Of a penalised likelihood nothing is proved.
    let stop = if inference.within.is_some() { stop } else { Stop::Stationary };
    Ok(Found { plane, stop, steps, inference: Some(inference) })
}

/// A maximum, and what is asked about it.
struct Inquiry<'a> {
    likelihood: Likelihood<'a>,
    top: Maximum,
    units: Standardise,
    settings: &'a Settings,
}

impl Inquiry<'_> {
    fn answer(mut self, aliased: Vec<Aliased>, watch: &mut dyn Watch) -> Inference {
        let settings = self.settings;
        let n = self.likelihood.problem().total_weight();
        let p = self.top.point.beta.len();
        let combinations: Vec<Scaled> = (0..p).map(|k| self.combination(k)).collect();
        let z = tail::two_sided_quantile(1.0 - settings.level);

        // 1. From standard errors.
        let covariance = Covariance::new(&self, &combinations, n);
        let mut coefficients: Vec<Coefficient> =
            (0..p).map(|k| self.coefficient(k, &combinations[k], &covariance, z)).collect();
        let mut together = self.groups(&coefficients, &combinations, &covariance);

        // 2. From the likelihood. Where the watcher has seen enough, what there is stays.
        let mut intervals = Intervals::Wald;
        if self.takes_profiles() {
            let profiled = self.profile(&coefficients, &together, &combinations, z, watch);
            if let Some((own, groups)) = profiled {
                (coefficients, together, intervals) = (own, groups, Intervals::Profile);
            }
        }
        let null_log_likelihood = likelihood::of_no_columns(self.likelihood.problem());
        let fall = if settings.firth {
            let columns: Vec<usize> = (0..p - 1).collect();
            let mut profile = Profile { likelihood: &mut self.likelihood, top: &self.top };
            profile.ratio_without(&columns)
        } else {
            Some(2.0 * (self.top.point.log_likelihood - null_log_likelihood))
        };
        let fall = fall.filter(|_| p > 1);
        Inference {
            firth: settings.firth,
            n,
            coefficients,
            together,
            aliased,
            level: settings.level,
            intervals,
            errors: settings.errors,
            log_likelihood: self.top.point.log_likelihood,
            null_log_likelihood,
            penalised: settings.firth.then(|| self.penalised()),
            ratio: fall.map(|fall| Test::new(fall.max(0.0), p - 1)),
            within: proved_within(&self.likelihood, &self.top),
        }
    }

    /// The k-th coefficient in the units asked for, as a combination of those worked with.
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

    /// Joint tests of the groups of columns that were asked about.
    fn groups(
        &self,
        coefficients: &[Coefficient],
        combinations: &[Scaled],
        covariance: &Covariance,
    ) -> Vec<Together> {
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
            Together { columns, wald: wald::joint(&estimates, &own), ratio: None }
        };
        let asked =
            self.settings.together.iter().filter(|columns| !self.places(columns).is_empty());
        asked.map(group).collect()
    }

    /// Where the coefficients of columns stand.
    fn places(&self, columns: &[usize]) -> Vec<usize> {
        let active = self.likelihood.active();
        columns.iter().filter_map(|j| active.binary_search(j).ok()).collect()
    }

    /// Whether profiles were asked for, or cost little: about 20 p steps of n p² products.
    fn takes_profiles(&self) -> bool {
        const LITTLE: f64 = 1e9;
        let (rows, p) =
            (self.likelihood.problem().x().n() as f64, self.top.point.beta.len() as f64);
        match self.settings.intervals {
            Intervals::Profile => true,
            Intervals::Wald => false,
            Intervals::Auto => self.settings.errors == Errors::Model && rows * p * p * p <= LITTLE,
        }
    }

    /// The same with profiles; `None` where the watcher asked to stop.
    fn profile(
        &mut self,
        coefficients: &[Coefficient],
        together: &[Together],
        combinations: &[Scaled],
        z: f64,
        watch: &mut dyn Watch,
    ) -> Option<(Vec<Coefficient>, Vec<Together>)> {
        let places: Vec<_> = together.iter().map(|group| self.places(&group.columns)).collect();
        let mut profile = Profile { likelihood: &mut self.likelihood, top: &self.top };
        let mut own = Vec::with_capacity(coefficients.len());
        for (c, Scaled { a, unit }) in coefficients.iter().zip(combinations) {
            if !tell(profile.likelihood, &self.top.point, own.len() as u64, watch) {
                return None;
            }
            let ratio = profile.ratio(a).map(|fall| Test::new(fall, 1));
            let interval = profile.interval(a, z).map(|end| unit * end);
            own.push(Coefficient { interval, ratio, ..*c });
        }
        let cancel = profile.likelihood.cancel();
        let groups = together.iter().zip(&places).map(|(group, places)| {
            let fall = profile.ratio_without(places);
            let ratio = fall.map(|fall| Test::new(fall, places.len()));
            Together { ratio, ..group.clone() }
        });
        let groups = groups.collect();
        (!cancel.is_set()).then_some((own, groups))
    }

    /// ℓ* in the units asked for: det I has a factor Q² for each column that is 1/Q of what was worked with.
    fn penalised(&self) -> f64 {
        let d = self.units.mean.len();
        let columns = self.likelihood.active().iter().filter(|&&j| j < d);
        let factors: f64 = columns.map(|&j| libm::log(self.units.scale[j])).sum();
        self.top.point.value + factors
    }
}

/// A combination of coefficients in a unit of its own, a power of two: its square is in range.
struct Scaled {
    a: Vec<f64>,
    /// What a is to be multiplied by; 1 but for columns of huge or tiny numbers.
    unit: f64,
}

/// Covariances of the coefficients, each in its unit.
struct Covariance {
    /// L⁻¹a of each combination, or I⁻¹a where there is a sandwich.
    halves: Vec<Vec<f64>>,
    sandwich: Option<Sandwich>,
}

impl Covariance {
    fn new(inquiry: &Inquiry<'_>, combinations: &[Scaled], n: f64) -> Self {
        let point = &inquiry.top.point;
        let factor = match inquiry.settings.errors {
            Errors::Model => None,
            Errors::Hc0 => Some(1.0),
            Errors::Hc1 => Some(n / (n - point.beta.len() as f64)),
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
