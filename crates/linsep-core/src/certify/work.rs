//! Limits of work. Operations are counted and no clock is read, so a result that a limit ends is
//! the same on every machine.

use crate::control::Cancel;

/// Products of doubles that take about a second: most are of rows in memory, 8 bytes each, which a
/// core reads at about 8 GB/s. The analysis beside a fit, such as the mistake bound, stops there.
pub(crate) const SECOND: u64 = 1_000_000_000;

/// Remaining work, in products of doubles or of machine words; none once the token is set.
pub(crate) struct Work {
    left: u64,
    cancel: Cancel,
}

impl Work {
    pub(crate) fn new(left: u64, cancel: Cancel) -> Self {
        Self { left, cancel }
    }

    /// Subtracts `products` from the remaining work; `None` if there is less.
    pub(crate) fn spend(&mut self, products: u64) -> Option<()> {
        self.left = self.left.checked_sub(products).filter(|_| !self.cancel.is_set())?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_its_limit_and_with_the_token() {
        let token = Cancel::default();
        let mut work = Work::new(5, token.clone());
        assert_eq!([work.spend(3), work.spend(3), work.spend(2)], [Some(()), None, Some(())]);
        let mut endless = Work::new(u64::MAX, token.clone());
        assert_eq!(endless.spend(7), Some(()));
        token.interrupt();
        assert_eq!(endless.spend(1), None);
    }
}
