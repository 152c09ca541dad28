//! When to ask for a proof: methods that go row by row know about the gap for nothing, but a proof takes a pass or two.
//!
//! What rows say as they are visited adds up to about the gap. It is older than what is: it has fallen once more since, by as much as the
//! time before. A proof is asked for when that should be enough; asked for in vain, when it has fallen well below that.
//!
//! Planes of single epochs may jump about the optimum long after the bound has settled. Then the mean of the last epochs' dual variables is
//! better, and is proved as well: at epochs 12, 18, 27, …, each time over the epochs since the time before; unless it goes so well that as many epochs as
//! there were should do, by how it went since the time before (what a single epoch gained says little).

/// What to ask for after an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Nothing yet.
    Nothing,
    /// A proof for what is.
    Now,
    /// One for the mean as well.
    Mean,
    /// Nothing, but a mean was due: the next one begins.
    Later,
}

/// How a run has gone so far.
pub(crate) struct Pace {
    tol: f64,
    /// Whether means are of use.
    means: bool,
    before: Option<f64>,
    asked: f64,
    next: u64,
    /// The epoch when means were last thought of, and what was seen then; at first the first one.
    mark: Option<(u64, f64)>,
}

/// The epoch from which on what has no means is proved now and then all the same.
const LATE: u64 = 100;

/// The epoch at which means are first looked at.
const FIRST_MEAN: u64 = 12;

impl Pace {
    /// Of a run towards a relative gap of tol.
    pub(crate) fn new(tol: f64, means: bool) -> Self {
        Self { tol, means, before: None, asked: f64::INFINITY, next: FIRST_MEAN, mark: None }
    }

    /// Rows that had been left out are back: what the others said when a proof was asked for in vain no longer counts.
    pub(crate) fn rows_came_back(&mut self) {
        (self.before, self.asked) = (None, f64::INFINITY);
    }

    /// What to ask for after so many epochs, the last of which saw this gap, where F is about `value`.
    pub(crate) fn after(&mut self, epoch: u64, seen: f64, value: f64) -> Ask {
        let fell = self.before.map_or(1.0, |before| (seen / before).min(1.0));
        self.before = Some(seen);
        let (then, saw) = *self.mark.get_or_insert((epoch, seen));
        let (likely, enough) = (seen * fell, 0.8 * self.tol * value);
        if likely <= enough.min(0.6 * self.asked) {
            self.asked = likely;
            return Ask::Now;
        }
        if !self.means {
            // Where it goes slowly, what is best may come and go unseen.
            let late = epoch >= LATE && epoch >= self.next;
            if late {
                self.next = epoch + epoch / 10;
            }
            return if late { Ask::Now } else { Ask::Nothing };
        }
        if epoch < self.next {
            return Ask::Nothing;
        }
        self.next = epoch + (epoch / 2).max(FIRST_MEAN / 2);
        self.mark = Some((epoch, seen));
        let gained = (seen / saw).ln() / (epoch - then) as f64;
        let epochs_left = (enough / likely).ln() / gained; // −∞ or NaN where it does not fall
        let soon = epochs_left >= 0.0 && epochs_left <= epoch as f64;
        if soon { Ask::Later } else { Ask::Mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The epochs at which something is asked for, and what, with gaps that fall by a factor from 1.
    fn asked(tol: f64, fall: f64, epochs: u64) -> Vec<(u64, Ask)> {
        let mut pace = Pace::new(tol, true);
        let ask = |epoch: u64| (epoch, pace.after(epoch, fall.powi(epoch as i32), 1.0));
        (1..=epochs).map(ask).filter(|(_, ask)| *ask != Ask::Nothing).collect()
    }

    #[test]
    fn a_quick_run_is_asked_once_it_should_be_there() {
        // 10⁻ᵉ falls below 0.8e-3 at e = 4; seen at e = 3 it has fallen once more.
        assert_eq!(asked(1e-3, 0.1, 3), [(3, Ask::Now)]);
        // 0.6 of what was seen when it was asked in vain: at once, as it goes so fast.
        assert_eq!(asked(1e-3, 0.1, 4), [(3, Ask::Now), (4, Ask::Now)]);
    }

    #[test]
    fn a_slow_run_is_asked_for_means() {
        let means: Vec<u64> = asked(1e-3, 0.99, 40).iter().map(|(epoch, _)| *epoch).collect();
        assert_eq!(means, [12, 18, 27, 40]);
        // 0.7ᵉ: at epoch 12 it is 0.014, and 8 more epochs should do.
        assert_eq!(asked(1e-3, 0.7, 17), [(12, Ask::Later)]);
        let mut flat = Pace::new(1e-3, true);
        let asks: Vec<Ask> = (1..=12).map(|epoch| flat.after(epoch, 1.0, 1.0)).collect();
        assert_eq!((asks[10], asks[11]), (Ask::Nothing, Ask::Mean), "it does not fall at all");
    }

    #[test]
    fn what_has_no_use_for_means_is_asked_for_none() {
        let mut pace = Pace::new(1e-3, false);
        assert!((1..LATE).all(|epoch| pace.after(epoch, 1.0, 1.0) == Ask::Nothing));
        let asked: Vec<u64> =
            (LATE..130).filter(|&epoch| pace.after(epoch, 1.0, 1.0) == Ask::Now).collect();
        assert_eq!(asked, [100, 110, 121], "but now and then, where it takes so long");
    }
}
