//! Columns of very different scale, and columns with little variation about a large number.
//!
//! A penalty treats all coefficients alike only if the features have one scale. The number of
//! iterations of gradient methods grows with about the square of the ratio of scales. A column with
//! standard deviation σ about a mean μ keeps only σ/|μ| of the precision of doubles. If |μ|/σ is
//! 10ᵖ, about p of 16 digits are lost.

use super::finding::figure;
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;

pub(super) const CHECK: Check = Check {
    name: "scales",
    about: "columns of very different scales, or with a small variation about a large mean",
    run,
};

/// Ratio of scales that is reported.
const FAR: f64 = 1e3;
/// Offsets in standard deviations that give a note, and a warning.
const OFFSET: f64 = 1e4;
const HUGE: f64 = 1e8;

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let all = subject.summaries();
    let numbers: Vec<usize> =
        (0..all.len()).filter(|&j| !all[j].is_constant() && !subject.is_encoded(j)).collect();
    let by_size = |a: &&usize, b: &&usize| all[**a].deviation.total_cmp(&all[**b].deviation);
    if let (Some(&small), Some(&large)) =
        (numbers.iter().min_by(by_size), numbers.iter().max_by(by_size))
    {
        let ratio = all[large].deviation / all[small].deviation;
        if ratio >= FAR {
            let what = format!(
                "scales differ by a factor of {}: column {} has standard deviation {}, column {} has {}",
                figure(ratio),
                subject.name(large),
                figure(all[large].deviation),
                subject.name(small),
                figure(all[small].deviation)
            );
            let (severity, advice) = if subject.layout.standardized {
                (Severity::Note, "no action needed: training standardizes the features by default")
            } else {
                (
                    Severity::Warning,
                    "the features are not standardized: scale the columns first, or the penalty \
                     affects them unevenly",
                )
            };
            report.add(
                Finding::new(CHECK.name, severity, what)
                    .columns([subject.name(large), subject.name(small)])
                    .number("ratio", ratio)
                    .advice(advice),
            );
        }
    }
    for j in numbers {
        let offset = all[j].mean.abs() / all[j].deviation;
        if offset < OFFSET {
            continue;
        }
        let digits = offset.log10().floor();
        let what = format!(
            "column {} has standard deviation {} about mean {}: the first {digits} digits of its \
             values are constant",
            subject.name(j),
            figure(all[j].deviation),
            figure(all[j].mean)
        );
        let severity = if offset < HUGE { Severity::Note } else { Severity::Warning };
        report.add(
            Finding::new(CHECK.name, severity, what)
                .columns([subject.name(j)])
                .number("offset", offset)
                .advice("subtract the mean from the column first, to preserve precision"),
        );
    }
}
