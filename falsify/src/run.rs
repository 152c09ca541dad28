//! Runs cases until a limit, and counts the compared claims.

use crate::case::Case;
use crate::check::{self, Report, Violation};
use crate::claims;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Claims that are compared.
pub const CLAIMS: [&str; 9] = [
    "objective",
    "bounds",
    "radius",
    "certified",
    "separation",
    "existence",
    "novikoff",
    "scorecard",
    "explanation",
];

/// Counts for one claim and loss.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Number of cases.
    pub cases: u64,
    /// Number of claims compared.
    pub compared: u64,
    /// Number of claims without a certified reference.
    pub skipped: u64,
    /// Number of false claims.
    pub violations: u64,
    /// Largest violation, relative to the claimed value.
    pub largest: f64,
    /// Number of gross violations.
    pub gross: u64,
}

/// Violation with its case.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Violated claim.
    pub claim: &'static str,
    /// Loss, scheme or method.
    pub label: &'static str,
    /// Seed of the case.
    pub seed: u64,
    /// The violation.
    pub violation: Violation,
}

/// Results of a run.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Counts by claim and loss.
    pub counts: BTreeMap<(&'static str, &'static str), Count>,
    /// All violations.
    pub findings: Vec<Finding>,
    /// Number of combinations refused by linsep.
    pub refused: u64,
}

/// Limit of a run.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Number of cases.
    Cases(u64),
    /// Duration.
    Time(Duration),
    /// First gross violation, or a duration.
    FirstGross(Duration),
}

/// Reason for missing claims.
enum Failure {
    /// The settings were refused.
    Refused,
    /// A panic, which is a violation of its own.
    Panicked(String),
}

/// Whether code of linsep is running; its panics are counted, not printed.
static IN_LINSEP: AtomicBool = AtomicBool::new(false);

/// Installs a panic hook that prints only panics of the tool itself.
pub fn print_own_panics_only() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IN_LINSEP.load(Ordering::Relaxed) {
            print(panic);
        }
    }));
}

/// Computes claims, and catches panics.
fn attempt<T>(claims: impl FnOnce() -> Result<T, String>) -> Result<T, Failure> {
    IN_LINSEP.store(true, Ordering::Relaxed);
    let ended = catch_unwind(AssertUnwindSafe(claims));
    IN_LINSEP.store(false, Ordering::Relaxed);
    match ended {
        Ok(claims) => claims.map_err(|_| Failure::Refused),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Failure::Panicked(text.unwrap_or_default()))
        }
    }
}

impl Table {
    /// Runs cases from a seed on, with all claims or a comma-separated list of claims.
    pub fn run(seed: u64, limit: Limit, claim: Option<&str>) -> Self {
        let mut table = Self::default();
        let start = Instant::now();
        for case in 0.. {
            let over = match limit {
                Limit::Cases(most) => case >= most,
                Limit::Time(most) => start.elapsed() >= most,
                Limit::FirstGross(most) => {
                    start.elapsed() >= most || table.findings.iter().any(|f| f.violation.is_gross())
                }
            };
            if over {
                break;
            }
            table.case(seed.wrapping_add(case), claim);
        }
        table
    }

    /// Runs one case.
    pub fn case(&mut self, seed: u64, claim: Option<&str>) {
        let wanted =
            |name: &str| claim.is_none_or(|claims| claims.split(',').any(|claim| claim == name));
        let fits = ["objective", "bounds", "radius", "certified"];
        if fits.iter().any(|name| wanted(name)) {
            self.fit(seed, &wanted);
        }
        let case = Case::draw(seed);
        self.model(&case, &wanted);
        if wanted("separation") && seed.is_multiple_of(4) {
            let label = if case.rows.k == 2 { "two classes" } else { "more classes" };
            let claims = attempt(|| claims::rows::separated(&case));
            let compare = |claims| check::separation::check(&case, &claims);
            self.compare("separation", label, seed, claims.map(compare));
        }
        if wanted("existence") && seed % 4 == 1 {
            let mut case = case.clone();
            case.settings.penalty = "none";
            case.settings.solver = "auto";
            let claims = attempt(|| claims::rows::existence(&case));
            let compare = |claims: Option<Vec<_>>| {
                claims.map_or_else(Report::default, |all| check::existence::check(&case, &all))
            };
            self.compare("existence", case.label(), seed, claims.map(compare));
        }
        if wanted("novikoff") && seed % 4 == 2 {
            let methods = ["perceptron", "averaged-perceptron", "pocket", "batch-perceptron"];
            let method = methods[(seed / 4 % 4) as usize];
            let scheme = check::novikoff::scheme_name(case.settings.scheme);
            let perceptron = claims::perceptron::Perceptron { method, scheme };
            let claims = attempt(|| claims::perceptron::updates(&case, perceptron));
            let compare = |claims: Vec<_>| check::novikoff::check(&case, &claims);
            self.compare("novikoff", method, seed, claims.map(compare));
        }
    }

    /// Compares claims about models of any origin.
    fn model(&mut self, case: &Case, wanted: &dyn Fn(&str) -> bool) {
        let seed = case.seed;
        let hyperplanes = case.hyperplanes();
        if wanted("scorecard") && case.rows.k == 2 {
            let bits = 2 + (seed % 12) as u32;
            let claims = attempt(|| claims::model::scorecard(case, &hyperplanes, bits));
            let compare = |card| check::scorecard::check(case, &card, bits);
            self.compare("scorecard", "two classes", seed, claims.map(compare));
        }
        if wanted("explanation") {
            let label = if case.rows.k == 2 { "two classes" } else { case.settings.scheme.name() };
            let row = &case.rows.x[seed as usize % case.rows.x.len()];
            let claims = attempt(|| claims::model::counterfactuals(case, &hyperplanes, row));
            let compare = |claims| check::explanation::check(case, &hyperplanes, row, &claims);
            self.compare("explanation", label, seed, claims.map(compare));
        }
    }

    /// Counts a report, a refusal or a panic.
    fn compare(
        &mut self,
        claim: &'static str,
        label: &'static str,
        seed: u64,
        report: Result<Report, Failure>,
    ) {
        match report {
            Ok(report) => self.count(claim, label, seed, report),
            Err(Failure::Refused) => self.refused += 1,
            Err(Failure::Panicked(text)) => {
                let message = format!("linsep panicked: {text}");
                let violations = vec![Violation { size: 1.0, message }];
                self.count(claim, label, seed, Report { compared: 1, violations, skipped: 0 });
            }
        }
    }

    fn fit(&mut self, seed: u64, wanted: &dyn Fn(&str) -> bool) {
        let case = Case::draw(seed);
        let label = case.label();
        let claims = match attempt(|| claims::fit::claims(&case)) {
            Ok(claims) => claims,
            Err(failure) => return self.compare("bounds", label, seed, Err(failure)),
        };
        let optima = case.optima();
        if wanted("objective") {
            let report = check::bounds::check_objective(&claims, &optima);
            self.count("objective", label, seed, report);
        }
        if wanted("bounds") {
            self.count("bounds", label, seed, check::bounds::check(&claims, &optima));
        }
        if wanted("radius") {
            self.count("radius", label, seed, check::radius::check(&claims, &optima));
        }
        if wanted("certified") {
            let report = check::certified::check(&case, &claims, &optima);
            self.count("certified", label, seed, report);
        }
    }

    fn count(&mut self, claim: &'static str, label: &'static str, seed: u64, report: Report) {
        let count = self.counts.entry((claim, label)).or_default();
        count.cases += u64::from(report.compared > 0);
        count.compared += report.compared;
        count.skipped += report.skipped;
        count.violations += report.violations.len() as u64;
        for violation in report.violations {
            count.gross += u64::from(violation.is_gross());
            count.largest = count.largest.max(violation.size);
            self.findings.push(Finding { claim, label, seed, violation });
        }
    }

    /// Formats the counts as a text table.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:<12} {:<20} {:>9} {:>10} {:>8} {:>10} {:>7} {:>9}\n",
            "claim", "loss", "cases", "compared", "skipped", "violations", "gross", "largest"
        );
        for ((claim, loss), c) in &self.counts {
            text.push_str(&format!(
                "{claim:<12} {loss:<20} {:>9} {:>10} {:>8} {:>10} {:>7} {:>9.1e}\n",
                c.cases, c.compared, c.skipped, c.violations, c.gross, c.largest
            ));
        }
        text
    }
}
