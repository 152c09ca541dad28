//! Multiclass perceptron: the loop shared by the row-by-row update rules.
//!
//! Rows are visited one after the other. If the true class does not have the unique largest score,
//! some hyperplanes are updated by a multiple of the row: **wⱼ ← wⱼ + η aⱼ (x, 1)**. The rules
//! ([`PerceptronRule`]) differ in the aⱼ, which depend only on the scores of the row.
//!
//! Epochs, the returned hyperplanes ([`PerceptronVariant`]), and the stop reasons are those of the
//! binary rules: see [`binary`](crate::binary).
//!
//! Over 400 lines: the loop and the selection of the returned hyperplanes share their state.
//!
//! # Sample weights
//!
//! A row of sample weight s is that row repeated s times in succession. An update by aⱼ changes the
//! score of class j by aⱼ η‖(x, 1)‖². So the copies are processed on the scores alone, until one is
//! classified correctly. A fraction of a copy updates by that fraction. Beyond 1 024 misclassified
//! copies in a row, two are processed as one, beyond 2 048 four, and so on, so the number of steps
//! is logarithmic.

use super::{CoefficientMatrix, MulticlassFit, start};
use crate::binary::{
    CycleDetector, Order, Perceptron, PerceptronVariant, RowOrder, Tie, check_eta,
};
use crate::control::{Cancel, Epoch, EpochMetric, Observer, Record, StopReason};
use crate::data::{Hyperplane, Problem, ROWS_AHEAD, Rows, on_rows};
use crate::error::Error;

/// Update rule of a multiclass perceptron.
pub(crate) trait PerceptronRule: Sync {
    /// Processes a copy of the row, or a fraction of one, and updates. Returns the number of
    /// updates; 0 if the copy is classified correctly.
    fn update_row(&self, look: &mut RowScores, own: usize, copy: f64) -> u64;

    /// Visits per copy, for the mean over all visits.
    fn visits(&self, k: usize) -> f64;
}

/// Row during its updates.
#[derive(Clone, Debug)]
pub(crate) struct RowScores {
    /// Scores after the updates so far.
    pub z: Vec<f64>,
    /// aⱼ: update of each hyperplane, in units of η (x, 1).
    a: Vec<f64>,
    /// Σ of updates times the visits before them, counted from the first copy.
    late: Vec<f64>,
    /// Visits since the first copy.
    before: f64,
    /// η‖(x, 1)‖².
    gain: f64,
    k: usize,
}

impl RowScores {
    fn new(matrix: &CoefficientMatrix) -> Self {
        let room = || vec![0.0; matrix.wide()];
        Self { z: room(), a: room(), late: room(), before: 0.0, gain: 0.0, k: matrix.k() }
    }

    /// Scores of the k classes.
    pub(crate) fn scores(&self) -> &[f64] {
        &self.z[..self.k]
    }

    /// Updates the hyperplane of a class by `by` rows; `after` visits of this copy came before.
    pub(crate) fn add_update(&mut self, class: usize, by: f64, after: f64) {
        self.a[class] += by;
        self.z[class] += by * self.gain;
        self.late[class] += by * (self.before + after);
    }
}

/// Whether the score of class `own` is larger than every other. NaN scores never win.
#[inline]
pub(super) fn wins(z: &[f64], own: usize) -> bool {
    z.iter().enumerate().all(|(c, other)| c == own || z[own] > *other)
}

/// Class of the unique largest score, if there is one.
pub(super) fn winner(z: &[f64]) -> Option<usize> {
    let (mut best, mut shared) = (0, false);
    for (c, score) in z.iter().enumerate().skip(1) {
        if *score > z[best] {
            (best, shared) = (c, false);
        } else if *score == z[best] {
            shared = true;
        }
    }
    (!shared).then_some(best)
}

/// Runs epochs until one makes no update or a limit is reached.
pub(crate) fn multiclass_perceptron(
    problem: &Problem<'_>,
    rule: &Perceptron,
    how: &impl PerceptronRule,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<MulticlassFit, Error> {
    check_eta(rule.eta)?;
    if rule.tie != Tie::Mistake {
        return Err(Error::TwoClasses { name: "tie", got: problem.labels().k() });
    }
    let mut h = start(problem, starts)?;
    if !rule.intercept {
        h.bias_mut().fill(0.0);
    }
    watch.hyperplane(0, 1);
    let mut keeper = BestSelector::new(problem, rule.variant, &h);
    let mut order = RowOrder::new(rule.order, rule.seed, problem.weights());
    let mut cycle = CycleDetector::new(h.clone());
    let (mut epoch, mut updates) = (0, 0);
    let cancel = watch.cancel();

    loop {
        if epoch == rule.budget.epochs || updates >= rule.budget.updates {
            return Ok(keeper.end(&h, StopReason::IterationLimit, epoch, updates));
        }

        // 1. Visit every row once, updating on the way.
        let (rows, most) = (order.pass(epoch), rule.budget.updates - updates);
        let pass = if watch.wants_steps() {
            let mut reporter =
                StepReporter { watch: &mut *watch, problem, epoch, scores: Vec::new() };
            on_rows!(problem.x(), x => pass(x, problem, rule, how, rows, &mut h, (most, &cancel), &mut keeper, &mut reporter))
        } else {
            on_rows!(problem.x(), x => pass(x, problem, rule, how, rows, &mut h, (most, &cancel), &mut keeper, &mut ()))
        };
        epoch += 1;
        updates += pass.corrections;
        if cancel.is_set() {
            // An interrupted epoch covers some rows only.
            return Ok(keeper.cut_short(&h, epoch, updates));
        }

        // 2. Count the misclassified rows.
        let mistakes = keeper.note(&h, &pass);
        let standing = EpochMetric::Mistakes(mistakes);
        let go_on = watch.epoch(&Epoch { epoch, of: rule.budget.epochs, standing });

        // 3. Is there a reason to stop? The first that holds is the one reported.
        let reasons = [
            (pass.corrections == 0 && mistakes == 0.0, StopReason::Separated),
            (!h.is_finite(), StopReason::Diverged),
            (rule.order == Order::Cyclic && cycle.closed(&h, epoch), StopReason::Stalled),
            (!go_on, StopReason::Interrupted),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            return Ok(keeper.end(&h, stop, epoch, updates));
        }
    }
}

/// Counts of an epoch.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    corrections: u64,
    /// Misclassified copies of rows, when visited.
    wrong: f64,
}

/// Visits the rows once, until `most` updates are made, or until cancellation.
#[allow(clippy::too_many_arguments)] // the hot loop, which owns nothing
fn pass<X: Rows>(
    x: &X,
    problem: &Problem<'_>,
    rule: &Perceptron,
    how: &impl PerceptronRule,
    rows: &[u32],
    h: &mut CoefficientMatrix,
    (most, cancel): (u64, &Cancel),
    keeper: &mut BestSelector<'_>,
    tell: &mut impl RowObserver,
) -> Pass {
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let (mut pass, mut look, lift) = (Pass::default(), RowScores::new(h), rule.lift());
    let looks = how.visits(h.k());
    for (place, &i) in rows.iter().enumerate() {
        if cancel.is_set() {
            break;
        }
        if let Some(&soon) = rows.get(place + ROWS_AHEAD) {
            x.prefetch(soon as usize);
        }
        let i = i as usize;
        let own = codes[i] as usize;
        h.scores(x, i, &mut look.z);
        tell.before(look.scores());
        if wins(look.scores(), own) {
            keeper.right(s[i], s[i] * looks);
            tell.after(i, false, h);
            continue;
        }
        if pass.corrections >= most {
            break;
        }
        keeper.wrong(h);
        look.gain = rule.eta * (x.norm_sq(i) + lift);
        let wrong = copies(how, &mut look, own, s[i], looks, &mut pass.corrections);
        look.a.iter_mut().for_each(|a| *a *= rule.eta);
        h.add_row(x, i, &look.a, lift);
        keeper.corrected(x, i, &mut look, rule.eta, lift, (s[i], wrong, looks));
        pass.wrong += wrong;
        tell.after(i, true, h);
        look.a.fill(0.0);
        look.late.fill(0.0);
    }
    pass
}

/// Receiver of every row of an epoch.
trait RowObserver {
    /// Called with the scores of a row before its update.
    fn before(&mut self, _z: &[f64]) {}
    /// Called with the hyperplanes after the row.
    fn after(&mut self, _row: usize, _updated: bool, _h: &CoefficientMatrix) {}
}

/// Ignores all rows.
impl RowObserver for () {}

/// Passes every row to an observer that wants steps.
struct StepReporter<'a> {
    watch: &'a mut dyn Observer,
    problem: &'a Problem<'a>,
    epoch: u64,
    scores: Vec<f64>,
}

impl RowObserver for StepReporter<'_> {
    fn before(&mut self, z: &[f64]) {
        self.scores.clear();
        self.scores.extend_from_slice(z);
    }

    fn after(&mut self, row: usize, updated: bool, h: &CoefficientMatrix) {
        let target = self.problem.labels().codes()[row] as usize;
        let (epoch, winner) = (self.epoch, winner(&self.scores));
        self.watch.step(&|| {
            let (scores, hyperplanes) = (self.scores.clone(), h.hyperplanes());
            Record::Scores { epoch, row, scores, winner, target, updated, hyperplanes }
        });
    }
}

/// Processes the copies of a row until one is classified correctly; returns the weight of the
/// others.
fn copies(
    how: &impl PerceptronRule,
    look: &mut RowScores,
    own: usize,
    s: f64,
    looks: f64,
    corrections: &mut u64,
) -> f64 {
    const SINGLE: u32 = 1024;
    let (mut wrong, mut bunch, mut shown) = (0.0, 1.0, 0);
    while wrong < s {
        let copy = f64::min(s - wrong, bunch);
        look.before = wrong * looks;
        match how.update_row(look, own, copy) {
            0 => break,
            more => *corrections += more,
        }
        wrong += copy;
        shown += 1;
        if shown % SINGLE == 0 {
            bunch *= 2.0;
        }
    }
    wrong
}

/// Selection of the returned hyperplanes.
struct BestSelector<'a> {
    problem: &'a Problem<'a>,
    variant: PerceptronVariant,
    /// Best hyperplanes so far, and their misclassified weight.
    best: (CoefficientMatrix, f64),
    /// Last iterate of the epoch with the fewest misclassified copies, and their number.
    fewest: Option<(CoefficientMatrix, f64)>,
    /// Visits so far, and the correction term of their mean for the visits before each update.
    looks: f64,
    late: CoefficientMatrix,
    /// Weight of the rows since the last error, and the same for the pocket.
    run: f64,
    longest: f64,
}

impl<'a> BestSelector<'a> {
    fn new(
        problem: &'a Problem<'a>,
        variant: PerceptronVariant,
        start: &CoefficientMatrix,
    ) -> Self {
        let best = (start.clone(), count_mistakes(problem, start));
        let late = CoefficientMatrix::zero(
            if variant == PerceptronVariant::Averaged { start.d() } else { 0 },
            start.k(),
        );
        Self { problem, variant, best, fewest: None, looks: 0.0, late, run: 0.0, longest: 0.0 }
    }

    #[inline]
    fn right(&mut self, s: f64, looks: f64) {
        self.run += s;
        self.looks += looks;
    }

    fn wrong(&mut self, h: &CoefficientMatrix) {
        if self.variant == PerceptronVariant::Pocket && self.run > self.longest {
            self.offer_to_pocket(h);
        }
        self.run = 0.0;
    }

    /// Records an update: `wrong` of s copies, `visits` visits each, were misclassified.
    fn corrected<X: Rows>(
        &mut self,
        x: &X,
        i: usize,
        look: &mut RowScores,
        eta: f64,
        lift: f64,
        (s, wrong, looks): (f64, f64, f64),
    ) {
        if self.variant == PerceptronVariant::Averaged {
            for (late, a) in look.late.iter_mut().zip(&look.a) {
                *late = eta * *late + self.looks * a;
            }
            self.late.add_row(x, i, &look.late, lift);
        }
        self.run = s - wrong;
        self.looks += s * looks;
    }

    /// Records the end of an epoch. Returns the misclassified weight.
    fn note(&mut self, h: &CoefficientMatrix, pass: &Pass) -> f64 {
        match self.variant {
            PerceptronVariant::Last => {
                if self.fewest.as_ref().is_none_or(|(_, wrong)| pass.wrong < *wrong) {
                    self.fewest = Some((h.clone(), pass.wrong));
                }
                pass.wrong
            }
            PerceptronVariant::Averaged if pass.corrections > 0 => pass.wrong,
            PerceptronVariant::Averaged => count_mistakes(self.problem, &self.mean(h)),
            PerceptronVariant::Pocket => {
                self.offer_to_pocket(h);
                self.best.1
            }
        }
    }

    fn mean(&self, h: &CoefficientMatrix) -> CoefficientMatrix {
        let mut mean = h.clone();
        if self.looks > 0.0 {
            mean.step(-1.0 / self.looks, &self.late);
        }
        mean
    }

    fn offer_to_pocket(&mut self, h: &CoefficientMatrix) {
        if self.offer(h) {
            self.longest = self.run;
        }
    }

    /// Keeps `h` if it is finite and misclassifies less.
    fn offer(&mut self, h: &CoefficientMatrix) -> bool {
        let mistakes = count_mistakes(self.problem, h);
        let better = mistakes < self.best.1 && h.is_finite();
        if better {
            self.best = (h.clone(), mistakes);
        }
        better
    }

    /// Result of a run whose last epoch was interrupted.
    fn cut_short(mut self, h: &CoefficientMatrix, epochs: u64, updates: u64) -> MulticlassFit {
        if self.variant == PerceptronVariant::Pocket || self.fewest.is_none() {
            self.offer(h);
        }
        self.end(h, StopReason::Interrupted, epochs, updates)
    }

    fn end(
        mut self,
        h: &CoefficientMatrix,
        stop: StopReason,
        epochs: u64,
        updates: u64,
    ) -> MulticlassFit {
        match self.variant {
            PerceptronVariant::Pocket => {}
            PerceptronVariant::Last => {
                if let Some((fewest, _)) = self.fewest.take() {
                    self.offer(&fewest);
                    if *h != fewest {
                        self.offer(h);
                    }
                }
            }
            PerceptronVariant::Averaged => {
                let mean = self.mean(h);
                if mean.is_finite() {
                    let mistakes = count_mistakes(self.problem, &mean);
                    self.best = (mean, mistakes);
                }
            }
        }
        let (best, mistakes) = self.best;
        let hyperplanes = best.hyperplanes();
        MulticlassFit {
            hyperplanes,
            stop,
            epochs,
            updates,
            mistakes,
            certificate: None,
            winners: None,
            solver: None,
        }
    }
}

/// Total weight of the misclassified rows; a tie counts as one.
pub(super) fn count_mistakes(problem: &Problem<'_>, h: &CoefficientMatrix) -> f64 {
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let wrong = |i: usize, z: &[f64]| if wins(z, codes[i] as usize) { 0.0 } else { s[i] };
    h.map_rows(problem.x(), wrong).iter().map(|block| block.iter().sum::<f64>()).sum()
}
