//! Cases until the time is up, and a table of what was compared.

use crate::case::Case;
use crate::check::{self, Report, Violation};
use crate::claims;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The claims that are compared.
pub const CLAIMS: [&str; 3] = ["bounds", "radius", "certified"];

/// Counts of one claim and loss.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Cases.
    pub cases: u64,
    /// Claims compared.
    pub compared: u64,
    /// Of them without a reference.
    pub skipped: u64,
    /// Claims that do not hold.
    pub violations: u64,
    /// The largest of them, relative to what is claimed.
    pub largest: f64,
    /// Seconds spent.
    pub seconds: f64,
}

/// A violation and where it was found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The claim.
    pub claim: &'static str,
    /// The number of the case.
    pub seed: u64,
    /// What is wrong.
    pub violation: Violation,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// By claim and loss.
    pub counts: BTreeMap<(&'static str, &'static str), Count>,
    /// All violations.
    pub findings: Vec<Finding>,
    /// Combinations that linsep refuses.
    pub refused: u64,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// After so many cases.
    Cases(u64),
    /// After so long.
    Time(Duration),
    /// At the first violation, or after so long.
    FirstViolation(Duration),
}

impl Table {
    /// Runs cases from a seed on, all claims or one.
    pub fn run(seed: u64, limit: Limit, claim: Option<&str>) -> Self {
        let mut table = Self::default();
        let start = Instant::now();
        for case in 0.. {
            let over = match limit {
                Limit::Cases(most) => case >= most,
                Limit::Time(most) => start.elapsed() >= most,
                Limit::FirstViolation(most) => {
                    !table.findings.is_empty() || start.elapsed() >= most
                }
            };
            if over {
                break;
            }
            table.case(seed.wrapping_add(case), claim);
        }
        table
    }

    /// One case.
    pub fn case(&mut self, seed: u64, claim: Option<&str>) {
        let wanted = |name: &str| claim.is_none_or(|claim| claim == name);
        let fits = ["bounds", "radius", "certified"];
        if fits.iter().any(|name| wanted(name)) {
            self.fit(seed, &wanted);
        }
    }

    fn fit(&mut self, seed: u64, wanted: &dyn Fn(&str) -> bool) {
        let case = Case::draw(seed);
        let label = case.label();
        let claims = match catch_unwind(AssertUnwindSafe(|| claims::fit::claims(&case))) {
            Ok(Ok(claims)) => claims,
            Ok(Err(_)) => {
                self.refused += 1;
                return;
            }
            Err(_) => {
                let mut report = Report { compared: 1, ..Report::default() };
                let message = "linsep panicked".to_owned();
                report.violations.push(Violation { size: 1.0, message });
                self.count("bounds", label, seed, 0.0, report);
                return;
            }
        };
        let start = Instant::now();
        let optima = case.optima();
        let seconds = start.elapsed().as_secs_f64();
        if wanted("bounds") {
            self.count("bounds", label, seed, seconds, check::bounds::check(&claims, &optima));
        }
        if wanted("radius") {
            self.count("radius", label, seed, 0.0, check::radius::check(&claims, &optima));
        }
        if wanted("certified") {
            let report = check::certified::check(&case, &claims, &optima);
            self.count("certified", label, seed, 0.0, report);
        }
    }

    fn count(
        &mut self,
        claim: &'static str,
        label: &'static str,
        seed: u64,
        seconds: f64,
        report: Report,
    ) {
        let count = self.counts.entry((claim, label)).or_default();
        count.cases += u64::from(report.compared > 0);
        count.compared += report.compared;
        count.skipped += report.skipped;
        count.violations += report.violations.len() as u64;
        count.seconds += seconds;
        for violation in report.violations {
            count.largest = count.largest.max(violation.size);
            self.findings.push(Finding { claim, seed, violation });
        }
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:<12} {:<16} {:>9} {:>10} {:>8} {:>10} {:>9}\n",
            "claim", "loss", "cases", "compared", "skipped", "violations", "largest"
        );
        for ((claim, loss), c) in &self.counts {
            text.push_str(&format!(
                "{claim:<12} {loss:<16} {:>9} {:>10} {:>8} {:>10} {:>9.1e}\n",
                c.cases, c.compared, c.skipped, c.violations, c.largest
            ));
        }
        text
    }
}
