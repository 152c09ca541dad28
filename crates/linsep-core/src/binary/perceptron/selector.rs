//! Epochs of a perceptron, binary or multiclass, and selection of the coefficients that it returns.

use super::{Perceptron, PerceptronVariant};
use crate::binary::parts::{Best, CycleDetector, Order, RowOrder};
use crate::control::{Epoch, EpochMetric, Observer, StopReason};
use crate::data::Hyperplane;

/// Coefficients of one hyperplane, or of one per class.
pub(crate) trait Coefficients: Clone + PartialEq {
    /// Whether every number is finite.
    fn is_finite(&self) -> bool;

    /// h ← h + a g.
    fn step(&mut self, a: f64, g: &Self);

    /// A copy of a start, where most runs have zeros.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// h̄ = h − u/T.
    fn mean(&self, late: &Self, visits: f64) -> Self {
        let mut mean = self.clone();
        if visits > 0.0 {
            mean.step(-1.0 / visits, late);
        }
        mean
    }

    /// A positive multiple of h̄, for the count of its mistakes.
    fn multiple_of_mean(&self, late: &Self, visits: f64) -> Self {
        self.mean(late, visits)
    }
}

impl Coefficients for Hyperplane {
    fn is_finite(&self) -> bool {
        Hyperplane::is_finite(self)
    }

    fn step(&mut self, a: f64, g: &Self) {
        Hyperplane::step(self, a, g);
    }

    fn copy(&self) -> Self {
        Hyperplane::copy(self)
    }

    /// T h̄ = T h − u: of integers that is exact, so a row exactly on the hyperplane is on it in
    /// every storage.
    fn multiple_of_mean(&self, late: &Self, visits: f64) -> Self {
        let mut multiple = self.clone();
        if visits > 0.0 {
            multiple.scale(visits);
            multiple.step(-1.0, late);
        }
        multiple
    }
}

/// Totals of an epoch.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pass {
    /// Updates made.
    pub(crate) corrections: u64,
    /// Misclassified copies of rows, when visited.
    pub(crate) wrong: f64,
    /// Whether the epoch was interrupted, so that it covers some rows only.
    pub(crate) interrupted: bool,
}

/// Candidates for the returned coefficients. Counting the mistakes of a candidate costs as much as
/// an epoch, so it happens only if a decision depends on it.
pub(crate) struct Selector<'a, H> {
    variant: PerceptronVariant,
    /// Sample weight of the rows that coefficients misclassify.
    count: &'a dyn Fn(&H) -> f64,
    best: Best<H>,
    /// Last: the coefficients after the epoch with the fewest mistakes, and these mistakes.
    fewest: Option<(H, f64)>,
    /// Averaged: u = Σ cⱼ Δⱼ, and T, the visits so far.
    late: H,
    visits: f64,
    /// Pocket: sample weight of the rows since the last mistake, and of the run of the pocket.
    run: f64,
    longest: f64,
}

impl<'a, H: Coefficients> Selector<'a, H> {
    /// Starts at h; `late` is zero, of the size of h for the averaged variant.
    pub(crate) fn new(
        variant: PerceptronVariant,
        h: &H,
        late: H,
        count: &'a dyn Fn(&H) -> f64,
    ) -> Self {
        let best = Best::new(h.copy(), count(h));
        Self { variant, count, best, fewest: None, late, visits: 0.0, run: 0.0, longest: 0.0 }
    }

    /// After a correctly classified row of sample weight s, visited `visits` times.
    #[inline]
    pub(crate) fn right(&mut self, s: f64, visits: f64) {
        self.run += s;
        self.visits += visits;
    }

    /// Before the update by a misclassified row.
    #[inline]
    pub(crate) fn wrong(&mut self, h: &H) {
        if self.variant == PerceptronVariant::Pocket && self.run > self.longest {
            self.offer_to_pocket(h);
        }
    }

    /// Registers an update by some copies of a row, which `add` adds to u from the visits so far.
    /// The other copies of the row begin the next run.
    #[inline]
    pub(crate) fn corrected(
        &mut self,
        (s, copies, visits): (f64, f64, f64),
        add: impl FnOnce(f64, &mut H),
    ) {
        if self.variant == PerceptronVariant::Averaged {
            add(self.visits, &mut self.late);
        }
        self.run = s - copies;
        self.visits += visits;
    }

    /// Takes note of the coefficients after an epoch. Returns mistakes: those of the answer as it
    /// would be now, or those met in the epoch; the former if the epoch made no update.
    fn note(&mut self, h: &H, pass: Pass) -> f64 {
        match self.variant {
            PerceptronVariant::Last => {
                match &mut self.fewest {
                    Some((_, wrong)) if pass.wrong >= *wrong => {}
                    Some((fewest, wrong)) => {
                        fewest.clone_from(h);
                        *wrong = pass.wrong;
                    }
                    None => self.fewest = Some((h.clone(), pass.wrong)),
                }
                pass.wrong
            }
            PerceptronVariant::Averaged if pass.corrections > 0 => pass.wrong,
            PerceptronVariant::Averaged => self.mistakes_of_mean(h),
            PerceptronVariant::Pocket => {
                self.offer_to_pocket(h);
                self.best.mistakes
            }
        }
    }

    fn mistakes_of_mean(&self, h: &H) -> f64 {
        (self.count)(&h.multiple_of_mean(&self.late, self.visits))
    }

    /// Keeps h if it makes fewer mistakes.
    fn offer(&mut self, h: &H) -> bool {
        let mistakes = (self.count)(h);
        self.best.offer(h, mistakes)
    }

    fn offer_to_pocket(&mut self, h: &H) {
        if self.offer(h) {
            self.longest = self.run;
        }
    }

    /// The answer, if the run ends with h.
    fn answer(mut self, h: &H) -> Best<H> {
        match self.variant {
            PerceptronVariant::Last => {
                if let Some((fewest, wrong)) = self.fewest.take() {
                    // After an epoch without a mistake every row is known to be correct.
                    let mistakes = if wrong == 0.0 { 0.0 } else { (self.count)(&fewest) };
                    let is_last = fewest == *h;
                    self.best.give(fewest, mistakes);
                    if !is_last {
                        self.offer(h);
                    }
                }
            }
            PerceptronVariant::Averaged => {
                let mean = h.mean(&self.late, self.visits);
                if mean.is_finite() {
                    self.best = Best::new(mean, self.mistakes_of_mean(h));
                }
            }
            PerceptronVariant::Pocket => {}
        }
        self.best
    }
}

/// Runs epochs from h until one makes no update or a limit is reached. `pass` visits the rows of an
/// epoch in the given order, with at most so many updates. Returns the answer, the stop reason, and
/// the epochs and updates made.
pub(crate) fn run_epochs<H: Coefficients>(
    rule: &Perceptron,
    s: &[f64],
    mut h: H,
    mut selector: Selector<'_, H>,
    watch: &mut dyn Observer,
    mut pass: impl FnMut(u64, (&[u32], u64), &mut H, &mut Selector<'_, H>, &mut dyn Observer) -> Pass,
) -> (Best<H>, StopReason, u64, u64) {
    let mut order = RowOrder::new(rule.order, rule.seed, s);
    let mut cycle = CycleDetector::new(h.copy());
    let (mut epoch, mut updates) = (0, 0);
    loop {
        if epoch == rule.budget.epochs || updates >= rule.budget.updates {
            return (selector.answer(&h), StopReason::IterationLimit, epoch, updates);
        }

        // 1. Visit every row once, with updates on the way.
        let rows = (order.pass(epoch), rule.budget.updates - updates);
        let pass = pass(epoch, rows, &mut h, &mut selector, watch);
        epoch += 1;
        updates += pass.corrections;
        if pass.interrupted {
            if selector.variant == PerceptronVariant::Pocket || selector.fewest.is_none() {
                selector.offer(&h);
            }
            return (selector.answer(&h), StopReason::Interrupted, epoch, updates);
        }

        // 2. Count the mistakes.
        let mistakes = selector.note(&h, pass);
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
            return (selector.answer(&h), stop, epoch, updates);
        }
    }
}
