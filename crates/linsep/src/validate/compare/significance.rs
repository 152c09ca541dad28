//! Significance of the differences between contenders.
//!
//! The contender with the best mean is compared with each other method by a paired test over the
//! folds ([`paired`]). The p-values are adjusted for the number of tests ([`holm`]). Methods with p
//! ≥ 5 % are not significantly different from the best.
//!
//! The comparison with the baseline is a separate question, fixed in advance: whether the best
//! method learned anything at all. This comparison is therefore not part of the adjusted family.
//! Otherwise fifteen methods with an accuracy of 5/6 would not differ significantly from the most
//! common class, only because there are fifteen.

use super::{Comparison, ContenderResult};
use linsep_core::metric::Metric;
use linsep_core::validate::{BASELINE, holm, mean, paired};

/// Significance level.
const LEVEL: f64 = 0.05;

/// Maximum number of equivalent contenders named in the advice.
const SHOWN: usize = 4;

/// Determines the best contender and those not significantly different from the best.
pub(super) fn significance(
    mut contenders: Vec<ContenderResult>,
    by: &'static Metric,
    share: f64,
) -> Comparison {
    // 1. The best mean. Ties are broken against the baseline, then by order.
    let worth: Vec<Option<Vec<f64>>> = contenders.iter().map(|one| one.worth(by)).collect();
    let of = |i: usize| worth[i].as_ref().and_then(|w| mean(w)).map(|m| m.mean);
    let is_baseline: Vec<bool> = contenders.iter().map(|one| one.name == BASELINE).collect();
    let better = |a: usize, b: usize| {
        if of(b) > of(a) || (of(b) == of(a) && is_baseline[a]) { b } else { a }
    };
    let best = (0..contenders.len()).filter(|&i| of(i).is_some()).reduce(better);

    // 2. Contenders not significantly different from the best. The methods are one family of tests,
    //    the baseline another.
    let mut as_good = Vec::new();
    if let Some(best) = best {
        let own = worth[best].clone().unwrap_or_default();
        let others = |baseline: bool| {
            let wanted = |&i: &usize| i != best && is_baseline[i] == baseline;
            let tested = |i: usize| Some((i, paired(&own, worth[i].as_ref()?, share)?.p));
            (0..is_baseline.len()).filter(wanted).filter_map(tested).collect::<Vec<_>>()
        };
        let methods = others(false);
        let adjusted = holm(&methods.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        let methods = methods.into_iter().zip(adjusted).map(|((i, _), p)| (i, p));
        contenders[best].p = Some(1.0);
        for (i, p) in others(true).into_iter().chain(methods) {
            contenders[i].p = Some(p);
            if p >= LEVEL {
                as_good.push(i);
            }
        }
    }

    // 3. The recommendation.
    let baseline = is_baseline.iter().position(|is| *is);
    let better_than_baseline =
        best.is_some() && baseline.is_none_or(|b| best != Some(b) && !as_good.contains(&b));
    let advice = advice(&contenders, by, best, &as_good, better_than_baseline);
    Comparison { contenders, by: by.name.into(), best, as_good, better_than_baseline, advice }
}

/// Returns the recommendation, in one sentence.
fn advice(
    all: &[ContenderResult],
    measure: &Metric,
    best: Option<usize>,
    as_good: &[usize],
    better_than_baseline: bool,
) -> String {
    let by = measure.title;
    let Some(best) = best else {
        return format!("No contender has a value of {by} on every fold.");
    };
    let name = &all[best].name;
    if !better_than_baseline {
        return format!(
            "No contender has a significantly better {by} than the majority class (5 %); the best is \
             {name}."
        );
    }
    // The best of them first.
    let worth = |i: usize| all[i].worth(measure).and_then(|w| mean(&w)).map_or(0.0, |m| m.mean);
    let mut others = as_good.to_vec();
    others.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
    let mut names: Vec<String> = others.iter().take(SHOWN).map(|&i| all[i].name.clone()).collect();
    if others.len() > SHOWN {
        names.push(format!("{} more", others.len() - SHOWN));
    }
    match &names[..] {
        [] => {
            format!("{name} has the best {by}; all differences are significant (5 %).")
        }
        [one] => format!("{name} has the best {by}; {one} is not significantly different (5 %)."),
        [some @ .., last] => format!(
            "{name} has the best {by}; {} and {last} are not significantly different (5 %).",
            some.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::FoldResult;
    use linsep_core::control::StopReason;
    use linsep_core::metric::{Measured, compared};

    fn by(name: &str) -> &'static Metric {
        compared().into_iter().find(|metric| metric.name == name).unwrap()
    }

    fn contender(name: &str, accuracies: &[f64]) -> ContenderResult {
        let fold = |&accuracy: &f64| FoldResult {
            metrics: vec![Measured {
                name: "accuracy".into(),
                value: Some(accuracy),
                interval: None,
            }],
            fit_seconds: 0.0,
            predict_seconds: 0.0,
            nonzero: 0,
            stop: StopReason::ClosedForm,
            relative_gap: None,
        };
        ContenderResult::new(name, Ok(accuracies.iter().map(fold).collect()))
    }

    /// Accuracies on heart disease data: far above the baseline in all folds but one.
    const HEART: [f64; 5] = [0.889, 0.685, 0.852, 0.815, 0.944];

    #[test]
    fn significance_against_the_baseline_is_independent_of_the_number_of_contenders() {
        let mut all = vec![contender(BASELINE, &[0.556; 5])];
        all.extend((0..15).map(|i| contender(&format!("m{i}"), &HEART)));
        let found = significance(all, by("accuracy"), 0.25);
        assert!(found.better_than_baseline, "{}", found.advice);
        assert_eq!((found.best, found.as_good.len()), (Some(1), 14));
        assert!(
            found.advice.contains("m0 has the best accuracy; m1, m2, m3, m4 and 10 more are"),
            "{}",
            found.advice
        );
        // The p-value is the same as with one method.
        let one = [contender(BASELINE, &[0.556; 5]), contender("m0", &HEART)];
        let one = significance(one.into(), by("accuracy"), 0.25);
        assert_eq!(one.contenders[0].p, found.contenders[0].p);
        assert!(one.advice.starts_with("m0 has the best accuracy; all"), "{}", one.advice);
    }

    #[test]
    fn contender_no_better_than_the_baseline_is_not_recommended() {
        let all = [contender(BASELINE, &[0.5; 4]), contender("m", &[0.4, 0.7, 0.45, 0.55])];
        let found = significance(all.into(), by("accuracy"), 0.3);
        assert!(
            !found.better_than_baseline
                && found.advice.starts_with(
                    "No contender has a \
            significantly better"
                )
        );
        // No contender has probabilities.
        let all = [contender("m", &[0.5; 4])];
        let found = significance(all.into(), by("log-loss"), 0.3);
        assert_eq!(found.advice, "No contender has a value of log-loss on every fold.");
    }

    #[test]
    fn equivalent_contenders_are_listed_in_the_advice() {
        let near = |by: f64| HEART.map(|v| v - by);
        let all = [contender("a", &HEART), contender("b", &near(0.0)), contender("c", &near(0.0))];
        let found = significance(all.into(), by("auc"), 0.25);
        assert_eq!(found.best, None);
        let all = [contender("a", &HEART), contender("b", &near(0.0)), contender("c", &near(0.0))];
        let found = significance(all.into(), by("accuracy"), 0.25);
        assert!(
            found.advice.contains("a has the best accuracy; b and c are not"),
            "{}",
            found.advice
        );
        // The same difference on every fold is significant.
        let all = [contender("a", &HEART), contender("b", &near(0.1))];
        let found = significance(all.into(), by("accuracy"), 0.25);
        assert!(found.as_good.is_empty(), "{}", found.advice);
    }
}
