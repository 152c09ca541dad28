//! Measurement of whether two threads are faster than one, during the sweep.
//!
//! A second thread saves at most half the time of a row and costs one synchronization per row. That
//! is little if the processors share a cache, and more than a row takes if they do not. It is very
//! long if another program runs on one of them. The first thread therefore counts processor ticks
//! ([`ticks`](crate::math::kernels::ticks)): over the rows that it processes alone at first, and
//! over every [`ROWS`] rows on two threads. If these take as long, the sweep continues on one
//! thread. The next sweep is single-threaded, after another failure two, then four, … (exponential
//! back-off), because the cause may be temporary. No result depends on these measurements.

/// Rows per measurement.
pub(super) const ROWS: usize = 512;

/// The back-off state of a run.
#[derive(Debug, Default)]
pub(crate) struct Company {
    /// Remaining single-threaded sweeps.
    alone: u32,
    /// Number of single-threaded sweeps after the last failure.
    asked: u32,
}

impl Company {
    /// Whether the next sweep should try a second thread.
    pub(super) fn is_wanted(&mut self) -> bool {
        let wanted = self.alone == 0;
        self.alone = self.alone.saturating_sub(1);
        wanted
    }

    /// Records whether two threads were too slow in the last sweep.
    pub(super) fn was(&mut self, slow: bool) {
        self.asked = if slow { self.asked.saturating_mul(2).max(1) } else { 0 };
        self.alone = self.asked;
    }
}

/// Tick measurements of one sweep.
pub(super) struct Trial {
    /// Ticks at the start of the current measurement, and the rows since then.
    mark: u64,
    rows: usize,
    /// Limit on the ticks of [`ROWS`] rows on two threads.
    most: u64,
}

impl Trial {
    /// Starts the measurement of rows on one thread.
    pub(super) fn begin(now: u64) -> Self {
        Self { mark: now, rows: 0, most: u64::MAX }
    }

    /// Ends the measurement of `alone` rows on one thread, and starts the measurement on two
    /// threads.
    pub(super) fn together(&mut self, alone: usize, now: u64) {
        const WORTH: f64 = 0.95;
        let each = now.saturating_sub(self.mark) as f64 / alone.max(1) as f64;
        self.most = (WORTH * each * ROWS as f64) as u64;
        (self.mark, self.rows) = (now, 0);
    }

    /// Counts one more row on two threads. Returns whether one thread would have been as fast.
    #[inline]
    pub(super) fn row(&mut self, now: impl FnOnce() -> u64) -> bool {
        self.rows += 1;
        if self.rows < ROWS {
            return false;
        }
        let now = now();
        let slow = now.saturating_sub(self.mark) > self.most;
        (self.mark, self.rows) = (now, 0);
        slow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_doubles_the_single_threaded_sweeps() {
        let mut company = Company::default();
        let mut together = Vec::new();
        for walk in 0..20 {
            if company.is_wanted() {
                together.push(walk);
                company.was(true);
            }
        }
        assert_eq!(together, [0, 2, 5, 10, 19]);
        company.was(false);
        assert!(company.is_wanted() && company.is_wanted(), "as long as it pays");
    }

    #[test]
    fn slow_rows_on_two_threads_are_detected() {
        let rows = ROWS as u64;
        // 1000 rows take 20 ticks each on one thread. On two threads they take `each`, and `later`
        // from the second measurement on.
        let slow = |each: u64, later: u64| {
            let mut trial = Trial::begin(7);
            trial.together(1000, 20_007);
            let at = |row: u64| 20_007 + each * row.min(rows) + later * row.saturating_sub(rows);
            (1..=2 * rows).find(|&row| trial.row(|| at(row)))
        };
        assert_eq!(slow(18, 18), None);
        assert_eq!(slow(20, 20), Some(rows), "not before all of a stretch are timed");
        assert_eq!(slow(10, 90), Some(2 * rows), "another program has come");
        assert_eq!(slow(0, 0), None, "no ticks at all");
    }
}
