//! Regularized risk minimization: any loss with any penalty, by the solver of least estimated cost.
//!
//! ```text
//!   F(h) = (1/S) Σ sᵢ ℓ(mᵢ) + λ R(w),     S = Σ sᵢ,   λ = 1/(C S)
//! ```
//!
//! Three methods of the registry share this file: `logistic` (logistic loss), `svm` (hinge loss)
//! and `convex` (any loss). The regularization strength is λ, or C as in LIBLINEAR, with the
//! objective Σ sᵢ ℓ(mᵢ) + R(w)/C. The minimizer is the same, as S is a constant. A cost model
//! chooses the solver unless it is named ([`crate::solvers`]). The result is certified up to the
//! tolerance ([`crate::certify`]).

use super::{BinaryFit, BinaryLearner, check_start};
use crate::certify::{Known, certified_stop, certify};
use crate::control::{Budget, Observer};
use crate::data::{BinaryProblem, Hyperplane};
use crate::error::Error;
use crate::learner::{Build, Entry};
use crate::loss::{self, Loss};
use crate::model::Link;
use crate::objective::Objective;
use crate::options::{Options, Penalty, Setting, Solver};
use crate::solvers::{self, Candidate, StoppingCriteria};
use std::sync::Arc;

/// Regularization strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RegularizationStrength {
    /// λ itself.
    Lambda(f64),
    /// C = 1/(λS).
    C(f64),
}

/// Objective, solver and stopping criteria.
#[derive(Clone)]
pub struct RegularizedErm {
    /// Name of the method.
    pub method: &'static str,
    /// ℓ.
    pub loss: &'static dyn Loss,
    /// Form of the penalty.
    pub penalty: Penalty,
    /// λ or C.
    pub strength: RegularizationStrength,
    /// ρ of the elastic net.
    pub l1_ratio: f64,
    /// The solver.
    pub solver: Solver,
    /// Settings of the solver.
    pub options: solvers::Options,
    /// Stopping criteria.
    pub goal: StoppingCriteria,
    /// Whether the hyperplane has an intercept.
    pub intercept: bool,
}

pub(crate) const LOGISTIC: Entry = Entry {
    name: "logistic",
    about: "logistic regression; provides probabilities",
    takes: TAKES.split_at(1).1, // the loss is given
    build: Build::Solver(|options| {
        Ok(Box::new(RegularizedErm::with("logistic", &loss::Logistic, options)?))
    }),
};

pub(crate) const SVM: Entry = Entry {
    name: "svm",
    about: "linear support vector machine (hinge loss)",
    takes: TAKES,
    build: Build::Solver(|options| {
        Ok(Box::new(RegularizedErm::with("svm", &loss::Hinge, options)?))
    }),
};

pub(crate) const CONVEX: Entry = Entry {
    name: "convex",
    about: "regularized risk minimization: any loss with any penalty",
    takes: TAKES,
    build: Build::Solver(|options| {
        Ok(Box::new(RegularizedErm::with("convex", &loss::Logistic, options)?))
    }),
};

const TAKES: &[&str] = &[
    "loss",
    "penalty",
    "lambda",
    "c",
    "l1-ratio",
    "solver",
    "tol",
    "max-iter",
    "intercept",
    "eta",
    "schedule",
];

impl Default for RegularizedErm {
    fn default() -> Self {
        Self {
            method: "logistic",
            loss: &loss::Logistic,
            penalty: Penalty::default(),
            strength: RegularizationStrength::C(1.0),
            l1_ratio: 0.5,
            solver: Solver::default(),
            options: solvers::Options::default(),
            goal: StoppingCriteria::default(),
            intercept: true,
        }
    }
}

impl RegularizedErm {
    fn with(
        method: &'static str,
        loss: &'static dyn Loss,
        options: &Options,
    ) -> Result<Self, Error> {
        let own = Self::default();
        let loss = options.loss.map_or(loss, |loss| loss.function());
        let penalty = options.penalty.unwrap_or(own.penalty);
        let strength = match (options.lambda, options.c) {
            (Some(_), Some(_)) => {
                return Err(Error::SynonymousSettings { one: "lambda", other: "c" });
            }
            (Some(lambda), None) => RegularizationStrength::Lambda(lambda),
            (None, Some(c)) => RegularizationStrength::C(c),
            (None, None) => own.strength,
        };
        let refuse = |name: &'static str, instead: &'static str| {
            Err(Error::InapplicableSetting { name, penalty: penalty.name(), instead })
        };
        let given = options.lambda.or(options.c);
        if !penalty.unit().is_some() && given.is_some_and(|strength| strength != 0.0) {
            return refuse(if options.c.is_some() { "c" } else { "lambda" }, "");
        }
        if penalty != Penalty::ElasticNet && options.l1_ratio.is_some() {
            return refuse("l1-ratio", "; remove it, or use `penalty=elastic-net`");
        }
        Ok(Self {
            method,
            loss,
            penalty,
            strength,
            l1_ratio: options.l1_ratio.unwrap_or(own.l1_ratio),
            solver: options.solver.unwrap_or(own.solver),
            options: solvers::Options {
                eta: options.eta,
                schedule: options.schedule,
                seed: options.seed,
            },
            goal: StoppingCriteria {
                tol: options.tol.unwrap_or(own.goal.tol),
                budget: options.epochs.map_or(own.goal.budget, Budget::epochs),
            },
            intercept: options.intercept.unwrap_or(own.intercept),
        })
    }

    /// λ for rows of total weight `total`.
    pub fn lambda(&self, total: f64) -> f64 {
        match self.strength {
            RegularizationStrength::Lambda(lambda) => lambda,
            RegularizationStrength::C(c) => 1.0 / (c * total),
        }
    }

    /// Whether the solver may form a dense d × d matrix; of a sparse X the cheapest rarely does.
    pub(crate) fn may_form_matrix(&self, sparse: bool) -> bool {
        match solvers::by_name(self.solver.name(), &self.options) {
            Some(solver) => solver.forms_matrix(),
            None => self.solver == Solver::Auto && !sparse,
        }
    }

    fn objective<'a>(&self, problem: &'a BinaryProblem<'a>) -> Result<Objective<'a>, Error> {
        let lambda = self.lambda(problem.total_weight());
        let penalty = self.penalty.with(lambda, self.l1_ratio)?;
        Objective::new(problem, self.loss, penalty, self.intercept)
    }
}

impl BinaryLearner for RegularizedErm {
    fn name(&self) -> &'static str {
        self.method
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        let mut settings = vec![
            ("loss", Setting::Word(self.loss.name().into())),
            ("penalty", Setting::Word(self.penalty.name().into())),
        ];
        // A method named after its loss has no other.
        if self.method == self.loss.name() {
            settings.remove(0);
        }
        if self.penalty.unit().is_some() {
            settings.push(match self.strength {
                RegularizationStrength::Lambda(lambda) => ("lambda", Setting::Number(lambda)),
                RegularizationStrength::C(c) => ("c", Setting::Number(c)),
            });
        }
        if self.penalty == Penalty::ElasticNet {
            settings.push(("l1-ratio", Setting::Number(self.l1_ratio)));
        }
        settings.push(("tol", Setting::Number(self.goal.tol)));
        if !self.intercept {
            settings.push(("intercept", Setting::Word("no".into())));
        }
        settings
    }

    fn check(&self) -> Result<(), Error> {
        match self.strength {
            RegularizationStrength::C(c) if !(c > 0.0 && c.is_finite()) => {
                return Err(Error::Setting { name: "c", got: c, want: "a finite number above 0" });
            }
            RegularizationStrength::C(_) => self.penalty.with(1.0, self.l1_ratio)?,
            RegularizationStrength::Lambda(lambda) => self.penalty.with(lambda, self.l1_ratio)?,
        };
        if let Some(eta) = self.options.eta {
            super::check_eta(eta)?;
        }
        self.goal.check()
    }

    fn link(&self) -> Link {
        if self.loss.probability(0.0).is_some() { Link::Logistic } else { Link::None }
    }

    fn candidates(&self, problem: &BinaryProblem<'_>) -> Result<Vec<Candidate>, Error> {
        Ok(solvers::candidates(&self.objective(problem)?, &self.goal))
    }

    fn as_convex(&self) -> Option<&RegularizedErm> {
        Some(self)
    }

    fn fit(
        &self,
        problem: &BinaryProblem<'_>,
        start: Hyperplane,
        watch: &mut dyn Observer,
    ) -> Result<BinaryFit, Error> {
        self.check()?;
        check_start(problem, &start)?;
        let cancel = watch.cancel();
        let objective = self.objective(problem)?.until(&cancel);
        let way = solvers::choose(self.solver, &objective, &self.goal, &self.options)?;
        let mut start = start;
        if !self.intercept {
            start.b = 0.0;
        }
        let found = way.solve(&objective, start, &self.goal, watch);
        watch.stage("certificate", None);
        let m = found.margins.unwrap_or_else(|| {
            let mut m = vec![0.0; problem.x().n()];
            objective.margins(&found.hyperplane, &mut m);
            m
        });
        let mistakes = objective.mistakes(&m);
        let known = Known { margins: m, alpha: found.alpha, gap: found.certificate };
        let certified = certify(&objective, self.loss, &found.hyperplane, known);
        let (certificate, enclosure) = certified.unzip();
        Ok(BinaryFit {
            stop: certified_stop(found.stop, certificate.as_ref(), self.goal.tol),
            mistakes,
            certificate,
            enclosure: enclosure.flatten().map(Arc::new),
            hyperplane: found.hyperplane,
            epochs: found.epochs,
            updates: 0,
            solver: Some(way.name().into()),
        })
    }
}
