//! Least squares: hyperplanes whose scores are closest to targets.
//!
//! The targets are 1 for the true class and 0 for the others (1-of-K). Each class has a hyperplane,
//! the minimizer of
//!
//! ```text
//!   F = (1/S) Σ sᵢ (tᵢ − zᵢ)² + (λ/2)‖w‖²,     S = Σ sᵢ
//! ```
//!
//! with the intercept unpenalized. With m the mean of all rows, `S_T` their scatter and r = Σ sᵢ tᵢ
//! (xᵢ − m),
//!
//! ```text
//!   (S_T + (λS/2) I) w = r,     b = t̄ − w·m.
//! ```
//!
//! For class c, r = `n_c (m_c − m)`, so the [`Moments`] suffice. Without a penalty and with
//! singular `S_T` (collinear columns, more columns than rows), the solution is the w of smallest
//! norm. The targets of a row sum to 1, and so do its scores, exactly. Over all hyperplanes the
//! coefficients sum to 0 and the intercepts to 1.
//!
//! Two classes need one hyperplane, with targets −1 and +1: z = 2 `z_c` − 1, the same decisions
//! with half the work.
//!
//! λ can be selected by leave-one-out cross-validation.
//!
//! # Large problems
//!
//! The moments are limited to d ≤ 5000 columns. With more columns than rows the n × n system is
//! solved instead, n ≤ 3000. Beyond both limits, conjugate gradients find the same hyperplanes to a
//! certified accuracy, and without a penalty also converge to the smallest norm
//! ([`multiclass::least_squares()`]).
//!
//! Source: Bishop, *Pattern Recognition and Machine Learning*, §4.1.3.

use super::leave_one_out::{grid, leave_one_out_errors};
use super::memory::Size;
use super::parts::{ClosedFormResult, Frame, intercept_at, model_of, on_side, quadratic_form};
use super::{Build, Entry, Fact, FitResult, Learner, in_storage_order, no_start};
use crate::control::{Cancel, Observer};
use crate::data::{Hyperplane, Moments, Problem};
use crate::error::Error;
use crate::math::inverse::Inverse;
use crate::math::kernels::{dot, norm_sq};
use crate::model::Link;
use crate::multiclass;
use crate::options::{Options, Setting};
use crate::solvers::StoppingCriteria;

/// Settings of least squares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeastSquares {
    /// λ ≥ 0.
    pub lambda: f64,
    /// Selects λ from a grid by leave-one-out cross-validation.
    pub loo: bool,
}

pub(super) const ENTRY: Entry = Entry {
    name: "least-squares",
    about: "least squares on one-hot targets, optionally with a ridge penalty",
    takes: &["lambda", "loo"],
    build: Build::Learner(|options| Ok(Box::new(LeastSquares::with(options)?))),
};

impl LeastSquares {
    fn with(options: &Options) -> Result<Self, Error> {
        let loo = options.loo.unwrap_or(false);
        if loo && options.lambda.is_some() {
            return Err(Error::SynonymousSettings { one: "lambda", other: "loo" });
        }
        Ok(Self { lambda: options.lambda.unwrap_or(0.0), loo })
    }

    /// Fits one hyperplane per class to moments alone.
    pub fn hyperplanes_of(&self, moments: &Moments) -> Result<Vec<Hyperplane>, Error> {
        self.check()?;
        let targets = Target::all(moments, None);
        Ok(self.answer(moments, &targets, &Cancel::default())?.hyperplanes)
    }

    fn answer(
        &self,
        moments: &Moments,
        targets: &[Target],
        cancel: &Cancel,
    ) -> Result<ClosedFormResult, Error> {
        let (d, n) = (moments.d(), moments.total_weight());
        let scatter = moments.total();
        let mut ridged = scatter.clone();
        (0..d).for_each(|j| ridged[j * d + j] += self.lambda * n / 2.0);
        let inverse = cancel.wait(move || Inverse::new(&ridged, d, &vec![1.0; d]));
        cancel.check("the factors of the scatter matrix")?;
        let inverse = inverse
            .flatten()
            .ok_or(Error::Range { column: 0, got: scatter.first().copied().unwrap_or(0.0) })?;
        let mean = moments.grand_mean();
        let mut answer = ClosedFormResult::default();
        let mut criterion = 0.0;
        for target in targets {
            let w = inverse.solve(&target.r);
            let through = quadratic_form(&scatter, &w);
            let misfit = (target.spread - 2.0 * dot(&w, &target.r) + through).max(0.0);
            criterion += misfit / n + self.lambda / 2.0 * norm_sq(&w);
            answer.hyperplanes.push(Hyperplane { b: intercept_at(&w, &mean, target.mean), w });
        }
        answer.criterion = Some(criterion);
        answer.facts.add("rank", Fact::Number(inverse.rank() as f64));
        let columns = (0..d).filter(|&j| scatter[j * d + j] > 0.0).count();
        if inverse.rank() < columns {
            answer.facts.say(format!(
                "collinear features (rank {} of {columns}): the minimum-norm solution is used",
                inverse.rank()
            ));
        }
        Ok(answer)
    }

    /// Fits all hyperplanes iteratively, when both dimensions are too large for a direct solution.
    fn iterate(
        &self,
        problem: &Problem<'_>,
        positive: Option<usize>,
        watch: &mut dyn Observer,
    ) -> Result<FitResult, Error> {
        let goal = StoppingCriteria { tol: 1e-6, ..StoppingCriteria::default() };
        let targets = of_classes(problem.labels().k(), positive);
        in_storage_order(problem, None, watch, |problem, _, watch| {
            let (lambda, goal) = (self.lambda, &goal);
            let mut found = multiclass::least_squares(problem, &targets, lambda, goal, watch)?;
            let hyperplanes = std::mem::take(&mut found.hyperplanes);
            let model = model_of(problem, positive, hyperplanes)?;
            FitResult::of_joint(problem, model, None, found, 0)
        })
    }
}

impl Learner for LeastSquares {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        if self.loo {
            vec![("loo", Setting::Word("yes".into()))]
        } else {
            vec![("lambda", Setting::Number(self.lambda))]
        }
    }

    fn check(&self) -> Result<(), Error> {
        if self.lambda.is_finite() && self.lambda >= 0.0 {
            return Ok(());
        }
        Err(Error::Setting {
            name: "lambda",
            got: self.lambda,
            want: "a finite number of at least 0",
        })
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
        let cancel = watch.cancel();
        let compute = |problem: &Problem<'_>, _: Frame| {
            let moments = Moments::of_until(problem, &cancel)?;
            let targets = Target::all(&moments, positive);
            if !self.loo {
                return self.answer(&moments, &targets, &cancel);
            }
            let grid = grid(&moments);
            let points =
                leave_one_out_errors(problem, &moments, &targets, &grid, positive, &cancel)?;
            let best = points.iter().min_by(|a, b| a.error.total_cmp(&b.error));
            let lambda = best.expect("the grid has points").lambda;
            let mut answer = Self { lambda, loo: false }.answer(&moments, &targets, &cancel)?;
            answer.facts.add("lambda", Fact::Number(lambda));
            let rows = points.iter().map(|p| vec![p.lambda, p.error, p.wrong]).collect();
            let heads = ["lambda", "error", "wrong"].map(Into::into).to_vec();
            answer.facts.add("leave-one-out", Fact::Table(heads, rows));
            Ok(answer)
        };
        match on_side(problem, false, compute) {
            Some(answer) => {
                let mut fit = answer?.fit(problem, positive, Link::None)?;
                if let (true, Some(Fact::Number(lambda))) = (self.loo, fit.facts.get("lambda")) {
                    fit.chosen = vec![("lambda".into(), Setting::Number(*lambda))];
                }
                Ok(fit)
            }
            None if self.loo => Err(super::too_wide("leave-one-out evaluation", problem)),
            None => self.iterate(problem, positive, watch),
        }
    }
}

/// Targets of a hyperplane, in summary.
pub(super) struct Target {
    /// t̄.
    pub(super) mean: f64,
    /// Σ sᵢ (tᵢ − t̄)².
    spread: f64,
    /// Σ sᵢ tᵢ (xᵢ − m).
    pub(super) r: Vec<f64>,
    /// Target t of each class.
    pub(super) of_class: Vec<f64>,
}

impl Target {
    /// Targets of every hyperplane: 1-of-K, or −1 and +1 if `positive` is one of two classes.
    pub(super) fn all(moments: &Moments, positive: Option<usize>) -> Vec<Self> {
        let (k, n, away) = (moments.k(), moments.total_weight(), moments.away());
        let target = |of_class: Vec<f64>| {
            let weights = || of_class.iter().zip(moments.weights());
            let mean = weights().map(|(t, n)| t * n).sum::<f64>() / n;
            let spread = weights().map(|(t, n)| n * (t - mean) * (t - mean)).sum();
            let mut r = vec![0.0; moments.d()];
            for ((t, weight), away) in weights().zip(&away) {
                crate::math::kernels::axpy((t - mean) * weight, away, &mut r);
            }
            Self { mean, spread, r, of_class }
        };
        of_classes(k, positive).into_iter().map(target).collect()
    }
}

/// Targets of the classes per hyperplane: 1-of-K, or −1 and +1 if `positive` is one of two.
fn of_classes(k: usize, positive: Option<usize>) -> Vec<Vec<f64>> {
    let ones = |c: usize, other: f64| -> Vec<f64> {
        (0..k).map(|own| if own == c { 1.0 } else { other }).collect()
    };
    positive.map_or_else(|| (0..k).map(|c| ones(c, 0.0)).collect(), |c| vec![ones(c, -1.0)])
}
