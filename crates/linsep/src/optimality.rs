//! The certificate of a model in words. A bound is rounded outward, so that it holds as printed.

use crate::model_file::{CertificateRecord, CertifiedRecord, Header};
use crate::number::{
    lower_apart, lower_sum, number, share_floor, small, upper_apart, upper_percent, upper_small,
    upper_sum,
};
use std::fmt;

/// The suboptimality in words; `None` without a lower bound.
pub fn suboptimality(records: &[CertificateRecord]) -> Option<String> {
    let (bound, gap) = bound_and_gap(records)?;
    // Relative to the lower bound: an upper bound of the share of the optimum.
    let above = if bound > 0.0 { upper_percent((gap / bound).next_up()) } else { upper_small(gap) };
    let whose = if records.len() == 1 { "the" } else { "its" };
    Some(format!("{} at most {above} above {whose} optimum", objective(records)))
}

/// The lower bound and the gap of all hyperplanes together, rounded toward the safe side.
fn bound_and_gap(records: &[CertificateRecord]) -> Option<(f64, f64)> {
    let (bounds, gaps) = (all(records, |one| one.dual)?, all(records, |one| one.gap)?);
    (!records.is_empty()).then(|| (lower_sum(&bounds), upper_sum(&gaps)))
}

/// The values of all records; `None` if one of them has none.
fn all(
    records: &[CertificateRecord],
    of: fn(&CertificateRecord) -> Option<f64>,
) -> Option<Vec<f64>> {
    records.iter().map(of).collect()
}

fn objective(records: &[CertificateRecord]) -> String {
    match records.len() {
        1 => "objective".to_owned(),
        n => format!("sum of the {n} objectives"),
    }
}

/// What is known about the optimality of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The claims, one per line; none for a method without an objective.
    pub claims: Vec<String>,
    /// The numbers that they follow from.
    pub numbers: Option<String>,
}

impl Certificate {
    /// A claim without numbers.
    pub(crate) fn new(claim: String) -> Self {
        Self { claims: vec![claim], numbers: None }
    }

    /// The certificate of a saved model.
    pub fn of(header: &Header) -> Self {
        let records = &header.training.certificates;
        if records.is_empty() {
            return Self::default();
        }
        let value = upper_sum(&records.iter().map(|one| one.primal).collect::<Vec<f64>>());
        let objective = objective(records);
        if let Some(gradients) = all(records, |one| one.gradient) {
            let most = gradients.into_iter().fold(0.0, f64::max);
            return Self::new(format!(
                "no lower bound without a penalty; gradient norm {} relative to zero \
                 coefficients; {objective} {}",
                small(most),
                number(value)
            ));
        }
        let Some((bound, gap)) = bound_and_gap(records) else {
            return Self::new(format!("no lower bound; {objective} {}", number(value)));
        };
        let mut claims = vec![suboptimality(records).expect("it has a lower bound")];
        if let Some(certified) = &header.training.certified {
            claims[0] += ";";
            claims.push(rows(certified));
        }
        let mut numbers = format!(
            "{objective} {}, lower bound {} (gap {})",
            upper_apart(value, gap),
            lower_apart(bound, gap),
            upper_small(gap)
        );
        if let Some(radii) = all(records, |one| one.radius) {
            let most = radii.into_iter().fold(0.0, f64::max);
            let scaled = header.recipe.standardized;
            let units = if scaled { "standardized features" } else { "raw units" };
            let whose = if records.len() == 1 { "coefficients" } else { "coefficients of each" };
            numbers +=
                &format!("; {whose} within {} of the optimum's, in {units}", upper_small(most));
        }
        Self { claims, numbers: Some(numbers) }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.claims.is_empty() {
            return f.write_str("no certificate: the method minimizes no objective");
        }
        f.write_str(&self.claims.join("\n"))
    }
}

/// The certified predictions, and their share of the sample weight if that differs.
fn rows(certified: &CertifiedRecord) -> String {
    let CertifiedRecord { rows, of, share } = *certified;
    // Exact if all sample weights are equal.
    let by_count = rows * 10_000 / of.max(1);
    let even = (share - rows as f64 / of.max(1) as f64).abs() < 1e-12;
    let share = match (rows == of, even) {
        (true, _) => "100 %".to_owned(),
        (_, true) => format!("{}.{:02} %", by_count / 100, by_count % 100),
        _ => format!("{} of the sample weight", share_floor(share)),
    };
    let which = if rows == of {
        format!("{share} of training predictions")
    } else {
        format!("{rows} of {of} training predictions ({share})")
    };
    format!("{which} certified equal to the optimum's")
}
