//! Detection of cycles of hyperplanes.

/// Detector of a repeated state at the ends of epochs in a fixed order, after which the run cycles
/// forever. Brent's method: compares with the state at the last power of two, and with the start in
/// the first epochs, because a copy of a large hyperplane costs as much as a part of an epoch.
pub(crate) struct CycleDetector<H> {
    before: H,
    renew: u64,
}

impl<H: Clone + PartialEq> CycleDetector<H> {
    pub(crate) fn new(start: H) -> Self {
        const FIRST: u64 = 8;
        Self { before: start, renew: FIRST }
    }

    /// Whether the state after epoch `epoch` repeats an earlier one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Hyperplane;

    #[test]
    fn a_cycle_of_any_length_is_detected() {
        let hyperplane = |b: u64| Hyperplane { w: vec![], b: b as f64 };
        for (tail, length) in [(0, 1), (0, 3), (5, 4), (17, 30)] {
            let at = |t: u64| hyperplane(if t < tail { t } else { tail + (t - tail) % length });
            let mut cycle = CycleDetector::new(at(0));
            let found = (1..1_000).find(|&t| cycle.closed(&at(t), t)).unwrap();
            assert_eq!(at(found), at(found - length), "a repeated state");
            assert!(found <= 3 * (tail + length), "{tail} {length} {found}");
        }
        let mut cycle = CycleDetector::new(hyperplane(0));
        assert!((1..1_000).all(|t| !cycle.closed(&hyperplane(t), t)), "no cycle");
    }
}
