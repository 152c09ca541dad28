//! Selection of the hyperplane that a perceptron returns.

use super::{Pass, Perceptron, PerceptronVariant};
use crate::binary::parts::{Best, count_mistakes};
use crate::data::{BinaryProblem, Hyperplane, Rows};

/// Candidates for the returned hyperplane. Counting the mistakes of a hyperplane costs as much as
/// an epoch, so it happens only if a decision depends on it.
pub(super) struct Selector<'a> {
    problem: &'a BinaryProblem<'a>,
    rule: &'a Perceptron,
    best: Best,
    /// Last: the hyperplane after the epoch with the fewest mistakes, these mistakes, and whether
    /// it is the current hyperplane.
    fewest: (Hyperplane, f64, bool),
    /// Averaged: u = Σ cⱼ Δⱼ, and T, the visits so far.
    late: Hyperplane,
    looks: f64,
    /// Pocket: sample weight of the rows since the last mistake, and of the run of the pocket's
    /// hyperplane.
    run: f64,
    longest: f64,
}

impl<'a> Selector<'a> {
    pub(super) fn new(
        problem: &'a BinaryProblem<'a>,
        rule: &'a Perceptron,
        start: &Hyperplane,
    ) -> Self {
        let best = Best::new(start.copy(), count_mistakes(problem, rule.tie, start));
        let averaged = rule.variant == PerceptronVariant::Averaged;
        let late = Hyperplane::zero(if averaged { start.d() } else { 0 });
        let fewest = (Hyperplane::zero(0), f64::INFINITY, false);
        Self { problem, rule, best, fewest, late, looks: 0.0, run: 0.0, longest: 0.0 }
    }

    fn count(&self, h: &Hyperplane) -> f64 {
        count_mistakes(self.problem, self.rule.tie, h)
    }

    /// After a correctly classified row.
    #[inline]
    pub(super) fn right(&mut self, i: usize) {
        self.run += self.problem.s()[i];
        self.looks += self.problem.s()[i];
    }

    /// Before the update by a misclassified row.
    #[inline]
    pub(super) fn wrong(&mut self, h: &Hyperplane) {
        if self.rule.variant == PerceptronVariant::Pocket && self.run > self.longest {
            self.offer(h);
        }
    }

    /// Registers an update by several copies. The other copies of the row begin the next run.
    #[inline]
    pub(super) fn corrected<X: Rows>(&mut self, x: &X, i: usize, copies: f64) {
        let s = self.problem.s()[i];
        if self.rule.variant == PerceptronVariant::Averaged {
            let a = self.rule.eta * self.problem.y()[i] * lateness(self.looks, copies);
            x.axpy(a, i, &mut self.late.w);
            self.late.b += a * self.rule.lift();
        }
        self.run = s - copies;
        self.looks += s;
    }

    /// Takes note of the hyperplane after an epoch. Returns mistakes: those of the answer as it
    /// would be now, or those met in the epoch; the former if the epoch made no update.
    pub(super) fn note(&mut self, h: &Hyperplane, pass: Pass) -> f64 {
        match self.rule.variant {
            PerceptronVariant::Last => {
                let (hyperplane, wrong, is_last) = &mut self.fewest;
                *is_last = pass.wrong < *wrong;
                if *is_last {
                    hyperplane.clone_from(h);
                    *wrong = pass.wrong;
                }
                pass.wrong
            }
            PerceptronVariant::Averaged if pass.corrections > 0 => pass.wrong,
            PerceptronVariant::Averaged => self.mistakes_of_mean(h),
            PerceptronVariant::Pocket => {
                self.offer(h);
                self.best.mistakes()
            }
        }
    }

    /// Puts h into the pocket if it makes fewer mistakes.
    fn offer(&mut self, h: &Hyperplane) {
        let mistakes = self.count(h);
        if self.best.offer(h, mistakes) {
            self.longest = self.run;
        }
    }

    fn mean(&self, h: &Hyperplane) -> Hyperplane {
        let mut mean = h.clone();
        if self.looks > 0.0 {
            mean.step(-1.0 / self.looks, &self.late);
        }
        mean
    }

    /// Mistakes of the mean, counted on T h̄ = T h − u: of integers that is exact, so a row exactly
    /// on the hyperplane is on it in every storage.
    fn mistakes_of_mean(&self, h: &Hyperplane) -> f64 {
        let mut multiple = h.clone();
        if self.looks > 0.0 {
            multiple.scale(self.looks);
            multiple.step(-1.0, &self.late);
        }
        self.count(&multiple)
    }

    /// The answer, if the run ends with h.
    pub(super) fn answer(mut self, h: &Hyperplane) -> Best {
        match self.rule.variant {
            PerceptronVariant::Last => {
                let none = (Hyperplane::zero(0), f64::INFINITY, false);
                let (hyperplane, wrong, is_last) = std::mem::replace(&mut self.fewest, none);
                if wrong < f64::INFINITY {
                    // After an epoch without a mistake every row is known to be correct.
                    let mistakes = if wrong == 0.0 { 0.0 } else { self.count(&hyperplane) };
                    self.best.give(hyperplane, mistakes);
                }
                if !is_last && wrong != 0.0 {
                    let mistakes = self.count(h);
                    self.best.offer(h, mistakes);
                }
            }
            PerceptronVariant::Averaged => {
                let (mean, mistakes) = (self.mean(h), self.mistakes_of_mean(h));
                self.best.replace(&mean, mistakes);
            }
            PerceptronVariant::Pocket => {}
        }
        self.best
    }
}

/// Σ cⱼ over updating copies, the first of which is preceded by c visits: whole copies by c, c + 1,
/// …, a remaining fraction by c + ⌊copies⌋.
pub(super) fn lateness(c: f64, copies: f64) -> f64 {
    let whole = copies.floor();
    c * copies + whole * (whole - 1.0) / 2.0 + (copies - whole) * whole
}
