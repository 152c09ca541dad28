//! One file per claim: each compares what linsep claims with a reference.

pub mod bounds;
pub mod certified;
pub mod existence;
pub mod explanation;
pub mod novikoff;
pub mod radius;
pub mod scorecard;
pub mod separation;

/// A claim that does not hold.
#[derive(Clone, Debug)]
pub struct Violation {
    /// By how much, relative to the size of what is claimed; 1 where a claim is true or false.
    pub size: f64,
    /// What was claimed and what is true.
    pub message: String,
}

impl Violation {
    /// Whether it is larger than the rounding of a few operations: by more than 1e-9 of what is claimed.
    pub fn is_gross(&self) -> bool {
        self.size.is_nan() || self.size > 1e-9
    }
}

/// How a check ended.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Claims compared.
    pub compared: u64,
    /// References that could not prove themselves.
    pub skipped: u64,
    /// Claims that do not hold.
    pub violations: Vec<Violation>,
}

impl Report {
    fn violate(&mut self, size: f64, message: String) {
        self.violations.push(Violation { size, message });
    }
}
