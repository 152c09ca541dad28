//! Whether two threads are faster than one, measured on the way.
//!
//! A second thread saves at most half of a row's time, and costs what the two wait for each other: little where their processors share a
//! cache, more than a row takes where they do not, and very long where another program has one of them. So the first thread counts the
//! processor's ticks ([`ticks`](crate::math::kernels::ticks)): over the rows that it walks alone at first, and over every [`ROWS`] rows together. Where those take as long, the
//! two part. The walk after such a one is gone alone, after the next failure two, then four, …: what was in the way may be gone by then, and to
//! try again costs little. Nothing of this changes a bit of what comes out.

/// Rows that are timed at once.
pub(super) const ROWS: usize = 512;

/// What a run has learned about walking together.
#[derive(Debug, Default)]
pub(crate) struct Company {
    /// Walks still to be gone alone.
    alone: u32,
    /// How many the last failure asked for.
    asked: u32,
}

impl Company {
    /// Whether to ask for a second thread in the walk that begins.
    pub(super) fn is_wanted(&mut self) -> bool {
        let wanted = self.alone == 0;
        self.alone = self.alone.saturating_sub(1);
        wanted
    }

    /// How it went.
    pub(super) fn was(&mut self, slow: bool) {
        self.asked = if slow { self.asked.saturating_mul(2).max(1) } else { 0 };
        self.alone = self.asked;
    }
}

/// The ticks of rows.
pub(super) struct Trial {
    /// When the rows that are timed now began, and how many there were.
    mark: u64,
    rows: usize,
    /// What [`ROWS`] rows may take together.
    most: u64,
}

impl Trial {
    /// Rows from now on are gone alone.
    pub(super) fn begin(now: u64) -> Self {
        Self { mark: now, rows: 0, most: u64::MAX }
    }

    /// So many were; from now on they are gone together.
    pub(super) fn together(&mut self, alone: usize, now: u64) {
        const WORTH: f64 = 0.95;
        let each = now.saturating_sub(self.mark) as f64 / alone.max(1) as f64;
        self.most = (WORTH * each * ROWS as f64) as u64;
        (self.mark, self.rows) = (now, 0);
    }

    /// One more row together. Whether one alone would have been as fast.
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
    fn after_each_failure_twice_as_many_walks_are_gone_alone() {
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
    fn rows_that_take_as_long_together_are_noticed() {
        let rows = ROWS as u64;
        // 1000 rows alone take 20 ticks each; together they take `each`, and from the second stretch on `later`.
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
