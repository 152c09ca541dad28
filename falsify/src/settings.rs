//! Settings of a case, drawn at random from the valid options.

use crate::draw::{Random, power};
use crate::reference::binary::Loss;

/// Multiclass scheme.
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
    /// Name on the command line.
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

/// Settings of the learner.
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
    /// Name of the solver.
    pub solver: &'static str,
    /// Multiclass scheme, for more than two classes.
    pub scheme: Scheme,
    /// Tolerance.
    pub tol: f64,
    /// Iteration limit.
    pub epochs: u64,
    /// Whether an intercept is fitted.
    pub intercept: bool,
    /// Warm start: coefficients and intercept of each hyperplane.
    pub start: Option<Vec<(Vec<f64>, f64)>>,
    /// Decision threshold of a single hyperplane.
    pub threshold: f64,
    /// Confidence limit below which the model abstains.
    pub abstain: Option<Abstain>,
    /// Whether the storage is sparse.
    pub sparse: bool,
    /// Seed of randomized solvers.
    pub seed: u64,
}

/// Confidence limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Abstain {
    /// Limit of the margin.
    Margin(f64),
    /// Limit of the probability of the predicted class.
    Probability(f64),
}

/// Returns the solvers that support a loss with a penalty.
fn solvers(loss: Loss, penalty: &str) -> Vec<&'static str> {
    let corner = matches!(loss, Loss::Hinge | Loss::Perceptron);
    let pieces = !matches!(loss, Loss::Logistic | Loss::Squared);
    let all = [
        ("newton", !corner),
        ("newton-cg", !corner && penalty == "l2"),
        ("lbfgs", !corner && penalty == "l2"),
        ("dual-cd", penalty == "l2"),
        ("working-set-cd", !corner),
        ("interior-point", pieces),
        ("smoothing", corner),
        ("gradient-descent", true),
        ("sgd", true),
    ];
    all.into_iter().filter_map(|(name, fits)| fits.then_some(name)).collect()
}

impl Settings {
    /// Draws settings for k classes and d columns.
    pub fn draw(r: &mut Random, k: usize, d: usize) -> Self {
        let mut settings = Settings {
            loss: *r.pick(&Loss::ALL),
            penalty: r.pick::<&str>(&["l2", "l2", "l2", "l1", "elastic-net"]),
            lambda: power(r, 6, 1),
            l1_ratio: *r.pick(&[0.1, 0.5, 0.9]),
            solver: "auto",
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
        if r.chance(0.6) {
            settings.solver = r.pick::<&str>(&solvers(settings.loss, settings.penalty));
        }
        if r.chance(0.02) {
            settings.lambda = 1e6 * power(r, 0, 6);
        }
        if k > 2 {
            settings.choose_scheme(r);
        }
        if r.chance(0.2) {
            let size = power(r, 2, 2);
            let hyperplane = |r: &mut Random| -> (Vec<f64>, f64) {
                ((0..d).map(|_| size * r.both()).collect(), size * r.both())
            };
            settings.start = Some((0..settings.hyperplanes(k)).map(|_| hyperplane(r)).collect());
        }
        settings.choose_decision(r, k);
        settings
    }

    /// Returns λ₁ and λ₂.
    pub fn strengths(&self) -> (f64, f64) {
        match self.penalty {
            "l1" => (self.lambda, 0.0),
            "l2" => (0.0, self.lambda),
            "elastic-net" => (self.l1_ratio * self.lambda, (1.0 - self.l1_ratio) * self.lambda),
            _ => (0.0, 0.0),
        }
    }

    /// Returns the number of hyperplanes of a model of k classes.
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
