//! Perceptron: Rosenblatt's rule, row by row, with the last, the averaged or the pocket hyperplane.
//!
//! Rows are visited one after the other, in the order of the data or in a new random order each
//! epoch. A row with yᵢ zᵢ ≤ 0 (see [`Tie`] for zᵢ = 0) is misclassified and updates the
//! hyperplane: **h ← h + η yᵢ (xᵢ, 1)**. (Texts that write h ← h + η (d − y) x with
//! d, y ∈ {−1, +1} move twice as far: their η = ½ is η = 1 here.)
//!
//! # Answer
//!
//! [`PerceptronVariant`] selects the answer:
//!
//! * **Last**: the last hyperplane, the one after the epoch with the fewest mistakes, or the start,
//!   whichever misclassifies the least sample weight.
//! * **Averaged**: the mean over all T visits of a row, h̄ = (1/T) Σ_{t=1..T} hₜ, which generalizes
//!   better than the last hyperplane. A hyperplane changed by Δⱼ after cⱼ visits has h̄ = hₜ −
//!   (1/T) Σⱼ cⱼ Δⱼ at t = T, so the vector u = Σⱼ cⱼ Δⱼ gives the mean for one more addition per
//!   update. The answer is h̄ at the end, not the best h̄ met: fewest mistakes would select an
//!   early, noisy mean, whose norm is not comparable with the other hyperplanes of one-vs-rest.
//! * **Pocket**: the hyperplane with the fewest mistakes. A run is a sequence of rows without a
//!   mistake. A run longer than the run of the pocket's hyperplane makes the current hyperplane a
//!   candidate. The candidate replaces the pocket's hyperplane if it misclassifies less sample
//!   weight over **all** rows (Gallant's ratchet: the pocket never gets worse).
//!
//! # Sample weights
//!
//! A row of sample weight s is that row repeated s times in succession. Each update raises the
//! row's margin m = yz by η‖(x, 1)‖², so the number of misclassified copies is known beforehand:
//!
//! ```text
//!   c = ⌊−m / η‖(x, 1)‖²⌋ + 1        (⌈−m / η‖(x, 1)‖²⌉ where a tie is correct)
//! ```
//!
//! One update by min(s, c) replaces the updates by single copies. A fraction of a copy updates by
//! that fraction. No copy updates by more than 1, so Novikoff's bound holds for the number of
//! copies.
//!
//! # Termination
//!
//! * An epoch without an update (averaged: and h̄ makes no mistake): separated. If a unit u has
//!   yᵢ (xᵢ, 1)·u ≥ γ > 0 for all i, and R = maxᵢ ‖(xᵢ, 1)‖, then from h = 0 each update adds at
//!   least ηγ to h·u and at most η²R² to ‖h‖² (an updating row has yᵢzᵢ ≤ 0). After t updates
//!   tηγ ≤ h·u ≤ ‖h‖ ≤ ηR√t, so **at most (R/γ)² updates** happen, for every η and order
//!   (Novikoff). In doubles the bound holds, up to rounding, for the η of
//!   [`Novikoff::holds_in_doubles`](crate::certify::Novikoff::holds_in_doubles). After the last
//!   update h is constant and h̄ approaches h, so the averaged variant terminates as well.
//! * In the order of the data, a repeated hyperplane: cycling (stationary).
//! * Otherwise the budget. Rows drawn with replacement would put a hyperplane of the fewest
//!   possible mistakes into the pocket with a probability that tends to one (Gallant). An epoch
//!   here is a permutation, for which no such theorem is known; minimizing mistakes is NP-hard in
//!   any case.
//!
//! Cost: one pass over the nonzeros per epoch. Last: two passes at the end to count mistakes.
//! Averaged: one more addition of the row per update, and one more vector. Pocket: one pass per
//! candidate.
//! Source: Rosenblatt, *The perceptron*, Psychological Review 65 (1958); Novikoff, *On convergence
//! proofs on perceptrons* (1962); Freund & Schapire, *Large margin classification using the
//! perceptron algorithm*, Machine Learning 37 (1999); Daumé, *Practical structured learning*
//! (2006), fig. 2.3 (the vector u); Gallant, *Perceptron-based learning algorithms*, IEEE Trans.
//! Neural Networks 1 (1990).

use super::parts::{Order, Tie, count_mistakes};
use super::{BinaryFit, BinaryLearner, check_eta, check_start};
use crate::control::{Budget, Observer, Record};
use crate::data::row_sweep::{RowAction, RowUpdate, row_sweep};
use crate::data::{BinaryProblem, Hyperplane, ROWS_AHEAD, Rows, on_rows};
use crate::error::Error;
use crate::learner::{Build, Entry};
use crate::options::{Options, Setting};

mod selector;
#[cfg(test)]
mod tests;

pub(crate) use selector::{Coefficients, Pass, Selector, run_epochs};

/// Settings of the perceptron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perceptron {
    /// The answer.
    pub variant: PerceptronVariant,
    /// Step length η > 0, a normal double. From h = 0 it scales h and changes no prediction, unless
    /// ηx or a score overflows or underflows.
    pub eta: f64,
    /// Class of a row exactly on the hyperplane.
    pub tie: Tie,
    /// Order of the rows.
    pub order: Order,
    /// Seed of a random order.
    pub seed: u64,
    /// Epochs and updates allowed.
    pub budget: Budget,
    /// Whether the hyperplane has a bias. Without one, b = 0, and a row is x, not (x, 1).
    pub intercept: bool,
}

/// The hyperplane a perceptron answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerceptronVariant {
    /// The last, or the one after the epoch with the fewest mistakes if that is better.
    Last,
    /// The mean of all.
    Averaged,
    /// The one with the fewest mistakes on all rows, among those with a long run without a mistake.
    Pocket,
}

impl Default for Perceptron {
    fn default() -> Self {
        Self::new(PerceptronVariant::Last)
    }
}

pub(crate) const LAST: Entry = Entry {
    name: "perceptron",
    about: "Rosenblatt's perceptron: update at each misclassified row",
    takes: TAKES,
    build: Build::Solver(|options| Ok(Box::new(Perceptron::default().with(options)))),
};

pub(crate) const AVERAGED: Entry = Entry {
    name: "averaged-perceptron",
    about: "mean of all weight vectors of the run (Freund–Schapire)",
    takes: TAKES,
    build: Build::Solver(|options| {
        Ok(Box::new(Perceptron::new(PerceptronVariant::Averaged).with(options)))
    }),
};

pub(crate) const POCKET: Entry = Entry {
    name: "pocket",
    about: "best weight vector of the run (Gallant)",
    takes: TAKES,
    build: Build::Solver(|options| {
        Ok(Box::new(Perceptron::new(PerceptronVariant::Pocket).with(options)))
    }),
};

const TAKES: &[&str] = &["eta", "max-iter", "tie", "order", "seed", "intercept"];

impl Perceptron {
    /// The default settings of a variant.
    ///
    /// Averaged: 50 epochs, because one more moves the mean by at most 1/50, and random order,
    /// because files are often sorted by class, and a run of one class moves the hyperplane far.
    /// Pocket: random order, because a fixed one may never give a good hyperplane its longest run.
    pub fn new(variant: PerceptronVariant) -> Self {
        let (order, budget) = match variant {
            PerceptronVariant::Last => (Order::Cyclic, Budget::default()),
            PerceptronVariant::Averaged => (Order::Random, Budget::epochs(50)),
            PerceptronVariant::Pocket => (Order::Random, Budget::default()),
        };
        Self { variant, eta: 1.0, tie: Tie::Mistake, order, seed: 0, budget, intercept: true }
    }

    /// These settings, changed by those given.
    fn with(self, options: &Options) -> Self {
        Self {
            eta: options.eta.unwrap_or(self.eta),
            tie: options.tie.unwrap_or(self.tie),
            order: options.order.unwrap_or(self.order),
            seed: options.seed.unwrap_or(self.seed),
            budget: options.epochs.map_or(self.budget, Budget::epochs),
            intercept: options.intercept.unwrap_or(self.intercept),
            ..self
        }
    }

    /// The last component of a row: 1, or 0 without a bias.
    pub(crate) fn lift(&self) -> f64 {
        if self.intercept { 1.0 } else { 0.0 }
    }

    /// The number of copies by which a misclassified row of sample weight s updates. Only s > 1
    /// needs the norm.
    #[inline]
    fn copies(&self, s: f64, y: f64, z: f64, norm_sq: impl Fn() -> f64) -> f64 {
        if s <= 1.0 {
            return s;
        }
        let short = -y * z / (self.eta * norm_sq());
        let wrong = if self.tie.zero_is_right(y) { short.ceil() } else { short.floor() + 1.0 };
        wrong.max(1.0).min(s)
    }
}

impl BinaryLearner for Perceptron {
    fn name(&self) -> &'static str {
        match self.variant {
            PerceptronVariant::Last => LAST.name,
            PerceptronVariant::Averaged => AVERAGED.name,
            PerceptronVariant::Pocket => POCKET.name,
        }
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        let mut settings = vec![
            ("eta", Setting::Number(self.eta)),
            ("max-iter", Setting::Number(self.budget.epochs as f64)),
            ("tie", Setting::Word(self.tie.name().into())),
            ("order", Setting::Word(self.order.name().into())),
            ("seed", Setting::Number(self.seed as f64)),
        ];
        if !self.intercept {
            settings.push(("intercept", Setting::Word("no".into())));
        }
        settings
    }

    fn check(&self) -> Result<(), Error> {
        check_eta(self.eta)
    }

    fn as_perceptron(&self) -> Option<&Perceptron> {
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
        let h = if self.intercept { start } else { Hyperplane { b: 0.0, ..start } };
        let count = |h: &Hyperplane| count_mistakes(problem, self.tie, h);
        let averaged = self.variant == PerceptronVariant::Averaged;
        let late = Hyperplane::zero(if averaged { h.d() } else { 0 });
        let selector = Selector::new(self.variant, &h, late, &count);
        let (best, stop, epochs, updates) = run_epochs(
            self,
            problem.s(),
            h,
            selector,
            watch,
            |epoch, (rows, most), h, selector, watch| {
                let mut shown = Shown {
                    rule: *self,
                    problem,
                    most,
                    b: h.b,
                    copies: 0.0,
                    pass: Pass::default(),
                };
                if watch.wants_steps() {
                    let report = |row, z, updated, hyperplane: &Hyperplane| {
                        let predicted = self.tie.side(z);
                        let target = if problem.y()[row] > 0.0 { 1 } else { -1 };
                        watch.step(&|| Record::Row {
                            epoch,
                            row,
                            z,
                            predicted,
                            target,
                            updated,
                            hyperplane: hyperplane.clone(),
                        });
                    };
                    on_rows!(problem.x(), x => shown.followed(x, rows, h, selector, report));
                } else if self.variant == PerceptronVariant::Last {
                    on_rows!(problem.x(), x => row_sweep(x, rows, &mut h.w, &mut shown));
                    h.b = shown.b;
                } else {
                    let report = |_, _, _, _: &Hyperplane| {};
                    on_rows!(problem.x(), x => shown.followed(x, rows, h, selector, report));
                }
                shown.pass
            },
        );
        Ok(best.end(stop, epochs, updates))
    }
}

/// State of the rule within an epoch.
#[derive(Clone)]
struct Shown<'a> {
    rule: Perceptron,
    problem: &'a BinaryProblem<'a>,
    /// Updates allowed.
    most: u64,
    b: f64,
    /// Copies by which the last misclassified row updated.
    copies: f64,
    pass: Pass,
}

impl RowUpdate for Shown<'_> {
    #[inline]
    fn decide(&mut self, i: usize, z: f64) -> RowAction {
        let (y, score) = (self.problem.y()[i], z + self.b);
        if self.rule.tie.right(y, score) {
            return RowAction::Keep;
        }
        if self.pass.corrections >= self.most {
            return RowAction::End;
        }
        let norm_sq = || self.problem.x().norm_sq(i) + self.rule.lift();
        self.copies = self.rule.copies(self.problem.s()[i], y, score, norm_sq);
        let step = self.rule.eta * self.copies * y;
        self.b += step * self.rule.lift();
        self.pass.corrections += self.copies.ceil() as u64;
        self.pass.wrong += self.copies;
        RowAction::Add(step)
    }
}

impl Shown<'_> {
    /// Visits these rows with a selector, and reports each: row, score, whether it updated, and the
    /// hyperplane after it.
    fn followed<X: Rows>(
        &mut self,
        x: &X,
        rows: &[u32],
        h: &mut Hyperplane,
        selector: &mut Selector<'_, Hyperplane>,
        mut report: impl FnMut(usize, f64, bool, &Hyperplane),
    ) {
        for (k, &i) in rows.iter().enumerate() {
            if let Some(&soon) = rows.get(k + ROWS_AHEAD) {
                x.prefetch(soon as usize);
            }
            let i = i as usize;
            let (s, z) = (self.problem.s()[i], x.dot(i, &h.w));
            match self.decide(i, z) {
                RowAction::End => return,
                RowAction::Keep => {
                    selector.right(s, s);
                    report(i, z + h.b, false, h);
                }
                RowAction::Add(step) => {
                    selector.wrong(h);
                    x.axpy(step, i, &mut h.w);
                    let z = z + std::mem::replace(&mut h.b, self.b);
                    selector.corrected((s, self.copies, s), |visits, late| {
                        let step = self.rule.eta * self.problem.y()[i];
                        let a = step * lateness(visits, self.copies);
                        x.axpy(a, i, &mut late.w);
                        late.b += a * self.rule.lift();
                    });
                    report(i, z, true, h);
                }
            }
        }
    }
}

/// Σ cⱼ over updating copies, the first of which is preceded by c visits: whole copies by c, c + 1,
/// …, a remaining fraction by c + ⌊copies⌋.
fn lateness(c: f64, copies: f64) -> f64 {
    let whole = copies.floor();
    c * copies + whole * (whole - 1.0) / 2.0 + (copies - whole) * whole
}
