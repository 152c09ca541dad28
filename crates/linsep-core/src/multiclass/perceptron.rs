//! Multiclass perceptron: the loop shared by the row-by-row update rules.
//!
//! Rows are visited one after the other. If the true class does not have the unique largest score,
//! some hyperplanes are updated by a multiple of the row: **wⱼ ← wⱼ + η aⱼ (x, 1)**. The rules
//! ([`PerceptronRule`]) differ in the aⱼ, which depend only on the scores of the row.
//!
//! Epochs, the returned hyperplanes ([`PerceptronVariant`]), and the stop reasons are those of the
//! binary rules: see [`binary`](crate::binary).
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
    Coefficients, Pass, Perceptron, PerceptronVariant, Selector, Tie, check_eta, run_epochs,
};
use crate::control::{Cancel, Observer, Record};
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
    let averaged = rule.variant == PerceptronVariant::Averaged;
    let late = CoefficientMatrix::zero(if averaged { h.d() } else { 0 }, h.k());
    let count = |h: &CoefficientMatrix| count_mistakes(problem, h);
    let selector = Selector::new(rule.variant, &h, late, &count);
    let cancel = watch.cancel();
    let (best, stop, epochs, updates) = run_epochs(
        rule,
        problem.weights(),
        h,
        selector,
        watch,
        |epoch, (rows, most), h, selector, watch| {
            let limits = (most, &cancel);
            if watch.wants_steps() {
                let mut reporter = StepReporter { watch, problem, epoch, scores: Vec::new() };
                on_rows!(problem.x(), x => pass(x, problem, rule, how, rows, h, limits, selector, &mut reporter))
            } else {
                on_rows!(problem.x(), x => pass(x, problem, rule, how, rows, h, limits, selector, &mut ()))
            }
        },
    );
    Ok(MulticlassFit {
        hyperplanes: best.hyperplane.hyperplanes(),
        stop,
        epochs,
        updates,
        mistakes: best.mistakes,
        certificate: None,
        winners: None,
        solver: None,
    })
}

impl Coefficients for CoefficientMatrix {
    fn is_finite(&self) -> bool {
        CoefficientMatrix::is_finite(self)
    }

    fn step(&mut self, a: f64, g: &Self) {
        CoefficientMatrix::step(self, a, g);
    }
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
    selector: &mut Selector<'_, CoefficientMatrix>,
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
            selector.right(s[i], s[i] * looks);
            tell.after(i, false, h);
            continue;
        }
        if pass.corrections >= most {
            break;
        }
        selector.wrong(h);
        look.gain = rule.eta * (x.norm_sq(i) + lift);
        let wrong = copies(how, &mut look, own, s[i], looks, &mut pass.corrections);
        look.a.iter_mut().for_each(|a| *a *= rule.eta);
        h.add_row(x, i, &look.a, lift);
        selector.corrected((s[i], wrong, s[i] * looks), |visits, late| {
            for (late, a) in look.late.iter_mut().zip(&look.a) {
                *late = rule.eta * *late + visits * a;
            }
            late.add_row(x, i, &look.late, lift);
        });
        pass.wrong += wrong;
        tell.after(i, true, h);
        look.a.fill(0.0);
        look.late.fill(0.0);
    }
    pass.interrupted = cancel.is_set();
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

/// Total weight of the misclassified rows; a tie counts as one.
pub(super) fn count_mistakes(problem: &Problem<'_>, h: &CoefficientMatrix) -> f64 {
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let wrong = |i: usize, z: &[f64]| if wins(z, codes[i] as usize) { 0.0 } else { s[i] };
    h.map_rows(problem.x(), wrong).iter().map(|block| block.iter().sum::<f64>()).sum()
}
