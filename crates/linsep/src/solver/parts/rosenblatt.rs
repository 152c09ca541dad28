//! Rosenblatt's rule: what all row-by-row perceptrons share.
//!
//! Rows are shown one after the other; a row on the wrong side pulls the plane towards itself,
//! **h ← h + η y (x, 1)**. (Texts that write h ← h + η (d − y) x with d, y ∈ {−1, +1} move twice as
//! far: their η = ½ is η = 1 here.) The solvers differ in which plane they answer with; that is
//! their [`Keeper`].
//!
//! # Weights
//!
//! A row of weight s is that row written s times in succession. Each copy is looked at in turn, and
//! each correction raises its margin m = yz by η‖(x, 1)‖², so the number of copies that find
//! themselves wrong is known beforehand:
//!
//! ```text
//!   c = ⌊−m / η‖(x, 1)‖²⌋ + 1        (⌈−m / η‖(x, 1)‖²⌉ where a tie is right)
//! ```
//!
//! and one step of min(s, c) does for all of them. A fraction of a copy pulls with that fraction of
//! the strength; so a row of weight ≤ 1 is corrected by its weight. As no copy pulls with more than
//! full strength, Novikoff's bound (see the perceptron) holds for the sum of the copies.

use super::{Best, Order, RowOrder, Tie, count_mistakes};
use crate::control::{Budget, Epoch, Standing, Step, Stop, Watch};
use crate::data::in_step::{Company, Decide, Verdict, walk};
use crate::data::{Binary, Plane, ROWS_AHEAD, Rows, on_rows};
use crate::error::Error;
use crate::options::{Options, Setting};
use crate::solver::{Solution, check_eta, check_start};

/// Settings of the rule and of how rows are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rosenblatt {
    /// Step length η > 0, a normal double. From h = 0 it scales h and changes no prediction, unless ηx or a score overflows or
    /// underflows.
    pub eta: f64,
    /// What a row exactly on the plane counts as.
    pub tie: Tie,
    /// The order rows are shown in.
    pub order: Order,
    /// Seed of a random order.
    pub seed: u64,
    /// Epochs and corrections allowed.
    pub budget: Budget,
    /// Whether the plane has a bias; without, it goes through the origin, and a row is x, not (x, 1).
    pub intercept: bool,
}

/// Which of the planes met is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The last, or the one after the pass with the fewest mistakes, if it is better.
    Fewest,
    /// The mean of all.
    Mean,
    /// The one that made the fewest mistakes on all rows, among those that had a long run without one.
    Pocket,
}

impl Default for Rosenblatt {
    fn default() -> Self {
        let budget = Budget::default();
        let (tie, order) = (Tie::Mistake, Order::Cyclic);
        Self { eta: 1.0, tie, order, seed: 0, budget, intercept: true }
    }
}

/// Is told of every row of a pass.
pub(in crate::solver) trait Follow {
    /// A row on the right side.
    fn right(&mut self, i: usize, z: f64, h: &Plane);
    /// A row on the wrong side, before it is corrected.
    fn wrong(&mut self, h: &Plane);
    /// The same row, after so many copies of it were.
    fn corrected(&mut self, i: usize, z: f64, copies: f64, h: &Plane);
}

/// What a pass met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::solver) struct Pass {
    /// Corrections made.
    pub(in crate::solver) corrections: u64,
    /// Copies of rows that were wrong when they were shown.
    pub(in crate::solver) wrong: f64,
}

/// Decides which of the planes met is the answer. Judging a plane on all rows costs as much as a pass, so it is
/// done where it decides something, not after every pass.
pub(in crate::solver) trait Keeper: Follow {
    /// Whether it must be told of every row, or of the ends of passes alone.
    const FOLLOWS: bool = true;

    /// Takes note of the plane a pass ended with. Returns how the run stands: the mistakes of the answer as it
    /// would be now, or those met in the pass; the former if the pass made no correction.
    fn note(&mut self, h: &Plane, pass: Pass) -> f64;
    /// The answer, when the run ends with h.
    fn best(self, h: &Plane) -> Best;
}

impl Rosenblatt {
    /// The settings a rule takes.
    pub(in crate::solver) const TAKES: &[&str] =
        &["eta", "max-iter", "tie", "order", "seed", "intercept"];

    /// These settings, changed by those that were given.
    pub(in crate::solver) fn with(self, options: &Options) -> Self {
        Self {
            eta: options.eta.unwrap_or(self.eta),
            tie: options.tie.unwrap_or(self.tie),
            order: options.order.unwrap_or(self.order),
            seed: options.seed.unwrap_or(self.seed),
            budget: options.epochs.map_or(self.budget, Budget::epochs),
            intercept: options.intercept.unwrap_or(self.intercept),
        }
    }

    pub(in crate::solver) fn settings(&self) -> Vec<(&'static str, Setting)> {
        let mut settings = vec![
            ("eta", Setting::Number(self.eta)),
            ("max-iter", Setting::Number(self.budget.epochs as f64)),
            ("tie", Setting::Word(self.tie.name())),
            ("order", Setting::Word(self.order.name())),
            ("seed", Setting::Number(self.seed as f64)),
        ];
        if !self.intercept {
            settings.push(("intercept", Setting::Word("no")));
        }
        settings
    }

    /// What the bias counts as in a row: 1, or 0 where there is none.
    pub(crate) fn lift(&self) -> f64 {
        if self.intercept { 1.0 } else { 0.0 }
    }

    /// Pass after pass, until one makes no correction or the budget is spent. The keeper is made from
    /// the best plane so far, which is the start.
    pub(in crate::solver) fn run<K: Keeper>(
        &self,
        problem: &Binary<'_>,
        start: Plane,
        watch: &mut dyn Watch,
        keeper: impl FnOnce(Best) -> K,
    ) -> Result<Solution, Error> {
        check_eta(self.eta)?;
        check_start(problem, &start)?;
        let start = if self.intercept { start } else { Plane { b: 0.0, ..start } };
        let mistakes = count_mistakes(problem, self.tie, &start);
        let mut keeper = keeper(Best::new(start.copy(), mistakes));
        let mut circle = Circle::new(start.copy());
        let mut h = start;
        let mut order = RowOrder::new(self.order, self.seed, problem.s());
        let (mut epoch, mut updates, mut company) = (0, 0, Company::default());

        loop {
            if epoch == self.budget.epochs || updates >= self.budget.updates {
                return Ok(keeper.best(&h).end(Stop::Budget, epoch, updates));
            }

            // 1. Show every row once, correcting on the way.
            let rows = order.pass(epoch);
            let most = self.budget.updates - updates;
            let mut shown =
                Shown { rule: *self, problem, most, b: h.b, copies: 0.0, pass: Pass::default() };
            if watch.wants_steps() {
                let told = Told { watch: &mut *watch, problem, tie: self.tie, epoch };
                let mut both = Both(&mut keeper, told);
                on_rows!(problem.x(), x => shown.followed(x, rows, &mut h, &mut both));
            } else if K::FOLLOWS {
                on_rows!(problem.x(), x => shown.followed(x, rows, &mut h, &mut keeper));
            } else {
                on_rows!(problem.x(), x => walk(x, rows, &mut h.w, &mut shown, &mut company));
                h.b = shown.b;
            }
            let pass = shown.pass;
            epoch += 1;
            updates += pass.corrections;

            // 2. How does it stand now?
            let mistakes = keeper.note(&h, pass);
            let standing = Standing::Mistakes(mistakes);
            let now = Epoch { epoch, of: self.budget.epochs, standing };
            let go_on = watch.epoch(&now);

            // 3. Is there a reason to stop? The first that holds is the one reported.
            let reasons = [
                (pass.corrections == 0 && mistakes == 0.0, Stop::Separated),
                (!h.is_finite(), Stop::Diverged),
                (self.order == Order::Cyclic && circle.closed(&h, epoch), Stop::Stationary),
                (!go_on, Stop::Asked),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Ok(keeper.best(&h).end(stop, epoch, updates));
            }
        }
    }

    /// How many copies of a wrong row of weight s are corrected. Only weights above 1 need the norm.
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

/// The rule, as rows of a pass are shown to it.
#[derive(Clone)]
struct Shown<'a> {
    rule: Rosenblatt,
    problem: &'a Binary<'a>,
    /// Corrections allowed.
    most: u64,
    b: f64,
    /// Copies of the last wrong row that were corrected.
    copies: f64,
    pass: Pass,
}

impl Decide for Shown<'_> {
    const AHEAD: usize = 4;

    #[inline]
    fn decide(&mut self, i: usize, z: f64) -> Verdict {
        let (y, score) = (self.problem.y()[i], z + self.b);
        if self.rule.tie.right(y, score) {
            return Verdict::Keep;
        }
        if self.pass.corrections >= self.most {
            return Verdict::End;
        }
        let norm_sq = || self.problem.x().norm_sq(i) + self.rule.lift();
        self.copies = self.rule.copies(self.problem.s()[i], y, score, norm_sq);
        let step = self.rule.eta * self.copies * y;
        self.b += step * self.rule.lift();
        self.pass.corrections += self.copies.ceil() as u64;
        self.pass.wrong += self.copies;
        Verdict::Add(step)
    }
}

impl Shown<'_> {
    /// Shows these rows, and tells somebody of each.
    fn followed<X: Rows>(&mut self, x: &X, rows: &[u32], h: &mut Plane, follow: &mut impl Follow) {
        for (k, &i) in rows.iter().enumerate() {
            if let Some(&soon) = rows.get(k + ROWS_AHEAD) {
                x.fetch(soon as usize);
            }
            let i = i as usize;
            let z = x.dot(i, &h.w);
            match self.decide(i, z) {
                Verdict::End => return,
                Verdict::Keep => follow.right(i, z + h.b, h),
                Verdict::Add(step) => {
                    follow.wrong(h);
                    x.axpy(step, i, &mut h.w);
                    let z = z + std::mem::replace(&mut h.b, self.b);
                    follow.corrected(i, z, self.copies, h);
                }
            }
        }
    }
}

/// Notices when passes in a fixed order come back to a plane they had before, and so will go round
/// in a circle forever (Brent's method: compare with the plane of the last power of two, or with the start as long as there
/// were few passes: a copy of a large plane costs as much as a part of a pass).
pub(crate) struct Circle<H> {
    before: H,
    renew: u64,
}

impl<H: Clone + PartialEq> Circle<H> {
    pub(crate) fn new(start: H) -> Self {
        const FIRST: u64 = 8;
        Self { before: start, renew: FIRST }
    }

    /// Whether what pass `epoch` ended with was there before.
    pub(crate) fn closed(&mut self, h: &H, epoch: u64) -> bool {
        if *h == self.before {
            return true;
        }
        if epoch == self.renew {
            self.before.clone_from(h);
            self.renew *= 2;
        }
        false
    }
}

/// Passes every row on to a watcher that wants steps.
struct Told<'a, 'b> {
    watch: &'a mut dyn Watch,
    problem: &'a Binary<'b>,
    tie: Tie,
    epoch: u64,
}

impl Told<'_, '_> {
    fn tell(&mut self, row: usize, z: f64, updated: bool, plane: &Plane) {
        let predicted = self.tie.side(z);
        let target = if self.problem.y()[row] > 0.0 { 1 } else { -1 };
        let epoch = self.epoch;
        self.watch.step(&Step::Row { epoch, row, z, predicted, target, updated, plane });
    }
}

/// A keeper and a watcher follow the same pass.
struct Both<'k, 'a, 'b, K>(&'k mut K, Told<'a, 'b>);

impl<K: Follow> Follow for Both<'_, '_, '_, K> {
    fn right(&mut self, i: usize, z: f64, h: &Plane) {
        self.0.right(i, z, h);
        self.1.tell(i, z, false, h);
    }

    fn wrong(&mut self, h: &Plane) {
        self.0.wrong(h);
    }

    fn corrected(&mut self, i: usize, z: f64, copies: f64, h: &Plane) {
        self.0.corrected(i, z, copies, h);
        self.1.tell(i, z, true, h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_any_length_is_noticed() {
        let plane = |b: u64| Plane { w: vec![], b: b as f64 };
        for (tail, length) in [(0, 1), (0, 3), (5, 4), (17, 30)] {
            let at = |t: u64| plane(if t < tail { t } else { tail + (t - tail) % length });
            let mut circle = Circle::new(at(0));
            let found = (1..1_000).find(|&t| circle.closed(&at(t), t)).unwrap();
            assert_eq!(at(found), at(found - length), "it is one, and found in good time");
            assert!(found <= 3 * (tail + length), "{tail} {length} {found}");
        }
        let mut circle = Circle::new(plane(0));
        assert!((1..1_000).all(|t| !circle.closed(&plane(t), t)), "none where there is none");
    }

    #[test]
    fn without_a_bias_the_plane_goes_through_the_origin() {
        use crate::data::{Design, Labels, Problem};
        use crate::solver::{AveragedPerceptron, OnlinePerceptron, Pocket, Solver};
        // Separable with a bias only: with x alone, −1 and 1 of class b cannot both be right.
        let x = Design::dense(3, 1, vec![-1.0, 1.0, 3.0]).unwrap();
        let labels = Labels::parse(["b", "b", "a"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let rule =
            Rosenblatt { intercept: false, budget: Budget::epochs(9), ..Rosenblatt::default() };
        let solvers: [&dyn Solver; 3] =
            [&OnlinePerceptron { rule }, &AveragedPerceptron { rule }, &Pocket { rule }];
        for solver in solvers {
            let binary = problem.against_rest(1);
            let solution = solver.solve(&binary, Plane::zero(1), &mut ()).unwrap();
            assert_eq!(solution.plane.b, 0.0, "{}", solver.name());
            assert_ne!(solution.stop, Stop::Separated, "{}", solver.name());
        }
    }

    #[test]
    fn copies_are_corrected_until_one_is_right() {
        let rule = |tie| Rosenblatt { eta: 0.5, tie, ..Rosenblatt::default() };
        let copies = |s, z, tie| rule(tie).copies(s, 1.0, z, || 2.0);
        // Each correction raises the margin by 0.5 · 2 = 1.
        assert_eq!(copies(10.0, -2.5, Tie::Mistake), 3.0);
        assert_eq!(copies(10.0, -2.0, Tie::Mistake), 3.0, "on the plane is still wrong");
        assert_eq!(copies(10.0, -2.0, Tie::Positive), 2.0, "on the plane is right");
        assert_eq!(copies(2.0, -9.0, Tie::Mistake), 2.0, "only so many copies");
        assert_eq!(copies(2.5, -9.0, Tie::Mistake), 2.5);
        assert_eq!(copies(0.5, -9.0, Tie::Mistake), 0.5);
        assert_eq!(copies(3.0, f64::NAN, Tie::Mistake), 1.0);
    }
}
