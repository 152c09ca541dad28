//! One case: rows, a method with its settings, and the exact optima that belong to it.
//!
//! A case is drawn from one number, so a violation is reported with that number and can be repeated.

use crate::draw::{Random, Rows, power};
use crate::reference::binary::{self, Loss};
use crate::reference::{crammer_singer, multiclass};

/// How more than two classes are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named after the schemes
pub enum Scheme {
    OneVsRest,
    OneVsRestButLast,
    OneVsOne,
    Softmax,
    CrammerSinger,
}

impl Scheme {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneVsRest => "one-vs-rest",
            Self::OneVsRestButLast => "one-vs-rest-but-last",
            Self::OneVsOne => "one-vs-one",
            Self::Softmax => "softmax",
            Self::CrammerSinger => "crammer-singer",
        }
    }
}

/// What is asked of the learner.
#[derive(Clone, Debug)]
pub struct Settings {
    /// ℓ.
    pub loss: Loss,
    /// `l2`, `l1`, `elastic-net` or `none`.
    pub penalty: &'static str,
    /// λ.
    pub lambda: f64,
    /// Share of l1 in the elastic net.
    pub l1_ratio: f64,
    /// Solver by name.
    pub solver: &'static str,
    /// For more than two classes.
    pub scheme: Scheme,
    /// Tolerance.
    pub tol: f64,
    /// Iteration limit.
    pub epochs: u64,
    /// Whether there are intercepts.
    pub intercept: bool,
    /// Coefficients and intercept to start from, for each hyperplane.
    pub start: Option<Vec<(Vec<f64>, f64)>>,
    /// Threshold of a single hyperplane.
    pub threshold: f64,
    /// Limit of the confidence below which the model abstains.
    pub abstain: Option<Abstain>,
    /// Whether rows are stored sparse.
    pub sparse: bool,
    /// Seed of solvers that draw at random.
    pub seed: u64,
}

/// A limit of confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Abstain {
    /// Of the margin.
    Margin(f64),
    /// Of the probability of the predicted class.
    Probability(f64),
}

/// Rows and settings.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number it was drawn from.
    pub seed: u64,
    /// Rows, classes, weights.
    pub rows: Rows,
    /// Settings.
    pub settings: Settings,
}

/// The optima of a case; `None` in a place where a reference could not prove itself.
pub enum Optima {
    /// One per hyperplane, with its problem.
    Hyperplanes(Vec<(binary::Problem, Option<binary::Reference>)>),
    /// Softmax.
    Softmax(multiclass::Problem, Option<multiclass::Reference>),
    /// Crammer–Singer.
    CrammerSinger(multiclass::Problem, Option<crammer_singer::Reference>),
}

const SOLVERS: [&str; 9] = [
    "newton",
    "newton-cg",
    "lbfgs",
    "dual-cd",
    "working-set-cd",
    "interior",
    "rounding",
    "gradient-descent",
    "sgd",
];

impl Case {
    /// The case of a number.
    pub fn draw(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let r = &mut random;
        let k = if r.chance(0.6) { 2 } else { 3 + r.below(2) };
        let hostile = *r.pick(&[0.0, 0.2, 0.5]);
        let rows = Rows::draw(r, k, hostile);
        let mut settings = Settings {
            loss: *r.pick(&Loss::ALL),
            penalty: r.pick::<&str>(&["l2", "l2", "l2", "l1", "elastic-net"]),
            lambda: power(r, 6, 1),
            l1_ratio: *r.pick(&[0.1, 0.5, 0.9]),
            solver: if r.chance(0.4) { "auto" } else { r.pick::<&str>(&SOLVERS) },
            scheme: Scheme::OneVsRest,
            tol: *r.pick(&[0.5, 0.1, 1e-2, 1e-4, 1e-4, 1e-8, 1e-13]),
            epochs: *r.pick(&[0, 1, 2, 5, 20, 100, 300]),
            intercept: r.chance(0.75),
            start: None,
            threshold: 0.0,
            abstain: None,
            sparse: r.chance(0.3),
            seed: r.bits() >> 12,
        };
        if r.chance(0.02) {
            settings.lambda = 1e6 * power(r, 0, 6);
        }
        if k > 2 {
            settings.choose_scheme(r);
        }
        if r.chance(0.2) {
            let d = rows.x[0].len();
            let size = power(r, 2, 2);
            let plane = |r: &mut Random| -> (Vec<f64>, f64) {
                ((0..d).map(|_| size * r.both()).collect(), size * r.both())
            };
            settings.start = Some((0..settings.hyperplanes(k)).map(|_| plane(r)).collect());
        }
        settings.choose_decision(r, k);
        Self { seed, rows, settings }
    }

    /// The optima that belong to the case.
    pub fn optima(&self) -> Optima {
        let Settings { scheme, intercept, lambda, .. } = self.settings;
        let rows = &self.rows;
        if rows.k > 2 && matches!(scheme, Scheme::Softmax | Scheme::CrammerSinger) {
            let problem = multiclass::Problem {
                x: rows.x.clone(),
                class: rows.class.clone(),
                s: rows.s.clone(),
                k: rows.k,
                l2: lambda,
                intercept,
            };
            return if scheme == Scheme::Softmax {
                let optimum = problem.reference();
                Optima::Softmax(problem, optimum)
            } else {
                let optimum = problem.machine();
                Optima::CrammerSinger(problem, optimum)
            };
        }
        let problems = self.problems();
        Optima::Hyperplanes(
            problems
                .into_iter()
                .map(|problem| {
                    let optimum = problem.reference();
                    (problem, optimum)
                })
                .collect(),
        )
    }

    /// The problem of each hyperplane.
    pub fn problems(&self) -> Vec<binary::Problem> {
        let k = self.rows.k;
        let rest = |c: usize| self.problem(|class| Some(class == c));
        match self.settings.scheme {
            _ if k == 2 => vec![rest(1)],
            Scheme::OneVsRestButLast => (0..k - 1).map(rest).collect(),
            Scheme::OneVsOne => (0..k)
                .flat_map(|a| (a + 1..k).map(move |b| (a, b)))
                .map(|(a, b)| self.problem(|c| (c == a || c == b).then_some(c == b)))
                .collect(),
            _ => (0..k).map(rest).collect(),
        }
    }

    fn problem(&self, positive: impl Fn(usize) -> Option<bool>) -> binary::Problem {
        let Settings { loss, intercept, .. } = self.settings;
        let (l1, l2) = self.settings.strengths();
        let rows = || (0..self.rows.x.len()).filter(|&i| positive(self.rows.class[i]).is_some());
        let side = |i: usize| if positive(self.rows.class[i]) == Some(true) { 1.0 } else { -1.0 };
        binary::Problem {
            x: rows().map(|i| self.rows.x[i].clone()).collect(),
            y: rows().map(side).collect(),
            s: rows().map(|i| self.rows.s[i]).collect(),
            loss,
            l1,
            l2,
            intercept,
        }
    }

    /// Hyperplanes that nobody learned, for claims about models.
    pub fn hyperplanes(&self) -> Vec<(Vec<f64>, f64)> {
        let mut random = Random::new(!self.seed);
        let whole = random.chance(0.3);
        let size = power(&mut random, 3, 3);
        let mut number = || {
            let value = size * random.both();
            if whole { (3.0 * value).round() } else { value }
        };
        let d = self.rows.x[0].len();
        let count = self.settings.hyperplanes(self.rows.k);
        (0..count).map(|_| ((0..d).map(|_| number()).collect(), number())).collect()
    }

    /// The name under which it is counted: the loss, or the scheme of all classes jointly.
    pub fn label(&self) -> &'static str {
        match self.settings.scheme {
            scheme @ (Scheme::Softmax | Scheme::CrammerSinger) if self.rows.k > 2 => scheme.name(),
            _ => self.settings.loss.name(),
        }
    }
}

impl Settings {
    /// λ₁ and λ₂.
    pub fn strengths(&self) -> (f64, f64) {
        match self.penalty {
            "l1" => (self.lambda, 0.0),
            "l2" => (0.0, self.lambda),
            "elastic-net" => (self.l1_ratio * self.lambda, (1.0 - self.l1_ratio) * self.lambda),
            _ => (0.0, 0.0),
        }
    }

    /// How many hyperplanes a model of k classes has.
    pub fn hyperplanes(&self, k: usize) -> usize {
        match self.scheme {
            _ if k == 2 => 1,
            Scheme::OneVsOne => k * (k - 1) / 2,
            Scheme::OneVsRestButLast => k - 1,
            _ => k,
        }
    }

    fn choose_scheme(&mut self, r: &mut Random) {
        self.scheme = *r.pick(&[
            Scheme::OneVsRest,
            Scheme::OneVsRestButLast,
            Scheme::OneVsOne,
            Scheme::Softmax,
            Scheme::CrammerSinger,
        ]);
        let (loss, solvers): (_, &[&str]) = match self.scheme {
            Scheme::Softmax => (Loss::Logistic, &["auto", "newton-cg", "dual-cd"]),
            Scheme::CrammerSinger => (Loss::Hinge, &["auto", "dual-cd"]),
            _ => return,
        };
        (self.loss, self.penalty, self.solver) = (loss, "l2", *r.pick(solvers));
    }

    fn choose_decision(&mut self, r: &mut Random, k: usize) {
        if k == 2 && r.chance(0.3) {
            self.threshold = 2.0 * r.both();
        }
        if matches!(self.scheme, Scheme::OneVsRestButLast | Scheme::OneVsOne) && k > 2 {
            return;
        }
        if r.chance(0.3) {
            let likely = self.loss == Loss::Logistic && r.chance(0.5);
            self.abstain = Some(if likely {
                Abstain::Probability(r.unit())
            } else {
                Abstain::Margin(r.unit())
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_its_number() {
        for seed in 0..50 {
            let (a, b) = (Case::draw(seed), Case::draw(seed));
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            let classes = 0..a.rows.k;
            for c in classes {
                let weight = a.rows.class.iter().zip(&a.rows.s).filter(|(class, _)| **class == c);
                assert!(weight.map(|(_, s)| s).sum::<f64>() > 0.0, "{seed}");
            }
        }
    }
}
