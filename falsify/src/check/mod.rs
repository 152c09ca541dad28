//! One file per claim: each compares a claim of linsep with a reference.

pub mod bounds;
pub mod certified;
pub mod existence;
pub mod explanation;
pub mod novikoff;
pub mod radius;
pub mod scorecard;
pub mod separation;

/// A false claim.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Error relative to the claimed value; 1 for claims that are true or false.
    pub size: f64,
    /// Claim and reference.
    pub message: String,
}

impl Violation {
    /// Whether the error exceeds the rounding of a few operations: more than 1e-9 of the claimed
    /// value.
    pub fn is_gross(&self) -> bool {
        self.size.is_nan() || self.size > 1e-9
    }
}

/// Result of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Number of claims compared.
    pub compared: u64,
    /// Number of claims without a certified reference.
    pub skipped: u64,
    /// False claims.
    pub violations: Vec<Violation>,
}

impl Report {
    fn violate(&mut self, size: f64, message: String) {
        self.violations.push(Violation { size, message });
    }
}
