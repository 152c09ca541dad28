//! When to compute the duality gap. Row-by-row solvers estimate it for free; a rigorous gap costs
//! one or two passes.
//!
//! The per-row terms of an epoch sum to an estimate that lags by about one epoch, so it is
//! extrapolated by the last decrease. The gap is computed when the extrapolation is below 0.8
//! tol·F; after a failed attempt, also below 0.6 of its value then.
//!
//! Hyperplanes of single epochs may oscillate around the optimum long after the bound has
//! converged. Then the mean dual variables of the last epochs are better, and are certified as
//! well. Means are due at epochs 12, 18, 27, …, each over the epochs since the last mean. The mean
//! is postponed if the decrease since then predicts convergence within as many epochs as there
//! were. The decrease of a single epoch is too noisy for that.

/// Action after an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapCheck {
    /// No gap.
    Nothing,
    /// Gap of the iterate.
    Now,
    /// Gap of the mean as well.
    Mean,
    /// No gap, but a mean was due: a new mean starts.
    Later,
}

/// Progress of a run.
pub(crate) struct GapSchedule {
    tol: f64,
    /// Whether means of dual variables are useful.
    means: bool,
    before: Option<f64>,
    asked: f64,
    next: u64,
    /// Epoch at which a mean was last due (at first, epoch 1), and the estimate then.
    mark: Option<(u64, f64)>,
}

/// First epoch after which runs without means compute occasional gaps.
const LATE: u64 = 100;

/// Epoch of the first mean.
const FIRST_MEAN: u64 = 12;

impl GapSchedule {
    /// Starts a run towards a relative gap of tol.
    pub(crate) fn new(tol: f64, means: bool) -> Self {
        Self { tol, means, before: None, asked: f64::INFINITY, next: FIRST_MEAN, mark: None }
    }

    /// Resets the estimates after shrunk rows are restored: they covered the other rows only.
    pub(crate) fn rows_came_back(&mut self) {
        (self.before, self.asked) = (None, f64::INFINITY);
    }

    /// Returns the action after an epoch with gap estimate `seen`, where F is about `value`.
    pub(crate) fn after(&mut self, epoch: u64, seen: f64, value: f64) -> GapCheck {
        let fell = self.before.map_or(1.0, |before| (seen / before).min(1.0));
        self.before = Some(seen);
        let (then, saw) = *self.mark.get_or_insert((epoch, seen));
        let (likely, enough) = (seen * fell, 0.8 * self.tol * value);
        if likely <= enough.min(0.6 * self.asked) {
            self.asked = likely;
            return GapCheck::Now;
        }
        if !self.means {
            // In slow runs the best iterate may pass between two gaps.
            let late = epoch >= LATE && epoch >= self.next;
            if late {
                self.next = epoch + epoch / 10;
            }
            return if late { GapCheck::Now } else { GapCheck::Nothing };
        }
        if epoch < self.next {
            return GapCheck::Nothing;
        }
        self.next = epoch + (epoch / 2).max(FIRST_MEAN / 2);
        self.mark = Some((epoch, seen));
        let gained = (seen / saw).ln() / (epoch - then) as f64;
        let epochs_left = (enough / likely).ln() / gained; // −∞ or NaN without a decrease
        let soon = epochs_left >= 0.0 && epochs_left <= epoch as f64;
        if soon { GapCheck::Later } else { GapCheck::Mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Epochs with an action, for gaps that fall by a constant factor from 1.
    fn asked(tol: f64, fall: f64, epochs: u64) -> Vec<(u64, GapCheck)> {
        let mut pace = GapSchedule::new(tol, true);
        let ask = |epoch: u64| (epoch, pace.after(epoch, fall.powi(epoch as i32), 1.0));
        (1..=epochs).map(ask).filter(|(_, ask)| *ask != GapCheck::Nothing).collect()
    }

    #[test]
    fn fast_runs_compute_the_gap_when_convergence_is_predicted() {
        // 10⁻ᵉ falls below 0.8e-3 at e = 4; at e = 3 the extrapolation is there already.
        assert_eq!(asked(1e-3, 0.1, 3), [(3, GapCheck::Now)]);
        // 0.6 of the value of the failed attempt: at the next epoch, as the run is so fast.
        assert_eq!(asked(1e-3, 0.1, 4), [(3, GapCheck::Now), (4, GapCheck::Now)]);
    }

    #[test]
    fn slow_runs_compute_the_gap_of_means() {
        let means: Vec<u64> = asked(1e-3, 0.99, 40).iter().map(|(epoch, _)| *epoch).collect();
        assert_eq!(means, [12, 18, 27, 40]);
        // 0.7ᵉ is 0.014 at epoch 12; 8 more epochs are predicted.
        assert_eq!(asked(1e-3, 0.7, 17), [(12, GapCheck::Later)]);
        let mut flat = GapSchedule::new(1e-3, true);
        let asks: Vec<GapCheck> = (1..=12).map(|epoch| flat.after(epoch, 1.0, 1.0)).collect();
        assert_eq!(
            (asks[10], asks[11]),
            (GapCheck::Nothing, GapCheck::Mean),
            "it does not fall at all"
        );
    }

    #[test]
    fn without_means_late_epochs_compute_occasional_gaps() {
        let mut pace = GapSchedule::new(1e-3, false);
        assert!((1..LATE).all(|epoch| pace.after(epoch, 1.0, 1.0) == GapCheck::Nothing));
        let asked: Vec<u64> =
            (LATE..130).filter(|&epoch| pace.after(epoch, 1.0, 1.0) == GapCheck::Now).collect();
        assert_eq!(asked, [100, 110, 121], "but now and then, where it takes so long");
    }
}
