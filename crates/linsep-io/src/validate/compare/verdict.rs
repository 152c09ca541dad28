//! Who is best, and is that more than chance?
//!
//! The best mean of a measure is a winner only if it is more than chance. All other methods are tested against it on the pairs
//! of folds ([`paired`]), and their p are made larger for their number ([`holm`]); who is not below 5 % is as good, for all
//! that these folds can tell.
//!
//! The baseline is another question, asked once and before anything is seen: was anything learned at all? So it is not one
//! of those whose number counts. Otherwise fifteen methods of which each is right about five rows in six could not be told
//! from always naming the same class, only because there are fifteen.

use super::{Compared, Comparison, Measure};
use linsep::validate::{BASELINE, holm, mean, paired};

/// The share of verdicts that may be wrong.
const LEVEL: f64 = 0.05;

/// How many of those that are as good are named.
const SHOWN: usize = 4;

/// Who is best, and who is as good.
pub(super) fn verdict(mut contenders: Vec<Compared>, by: Measure, share: f64) -> Comparison {
    // 1. Who has the best mean? Of equals, one that learned something before the baseline, then the first.
    let worth: Vec<Option<Vec<f64>>> = contenders.iter().map(|one| one.worth(by)).collect();
    let of = |i: usize| worth[i].as_ref().and_then(|w| mean(w)).map(|m| m.mean);
    let is_baseline: Vec<bool> = contenders.iter().map(|one| one.name == BASELINE).collect();
    let better = |a: usize, b: usize| {
        if of(b) > of(a) || (of(b) == of(a) && is_baseline[a]) { b } else { a }
    };
    let best = (0..contenders.len()).filter(|&i| of(i).is_some()).reduce(better);

    // 2. Who cannot be told from it? The methods together, the baseline on its own.
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

    // 3. What to take.
    let baseline = is_baseline.iter().position(|is| *is);
    let better_than_baseline =
        best.is_some() && baseline.is_none_or(|b| best != Some(b) && !as_good.contains(&b));
    let advice = advice(&contenders, by, best, &as_good, better_than_baseline);
    Comparison { contenders, by: by.name(), best, as_good, better_than_baseline, advice }
}

/// What to take, in one sentence.
fn advice(
    all: &[Compared],
    measure: Measure,
    best: Option<usize>,
    as_good: &[usize],
    better_than_baseline: bool,
) -> String {
    let by = measure.words();
    let Some(best) = best else {
        return format!("Nothing to take: no contender has a value of {by} on every fold.");
    };
    let name = &all[best].name;
    if !better_than_baseline {
        return format!(
            "Nothing to take yet: {name} has the best {by}, but on these folds that cannot be told from always naming \
             the most common class."
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
            format!("Take {name}: its {by} is better than that of all others, by more than chance.")
        }
        [one] => format!(
            "Take {name} or {one}: {name} has the best {by}, and on these folds {one} cannot be told from it."
        ),
        [some @ .., last] => format!(
            "Take {name} or one of those that these folds cannot tell from it, which are {} and {last}: {name} has the \
             best {by}, but not by more than chance.",
            some.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::Measured;

    fn contender(name: &str, accuracies: &[f64]) -> Compared {
        let fold = |&accuracy: &f64| Measured {
            accuracy,
            balanced_accuracy: None,
            log_loss: None,
            auc: None,
            fit_seconds: 0.0,
            predict_seconds: 0.0,
            nonzero: 0,
            stop: "closed-form",
            relative_gap: None,
        };
        Compared::new(name, Ok(accuracies.iter().map(fold).collect()))
    }

    /// Accuracies of heart disease: far above the baseline in all folds but one.
    const HEART: [f64; 5] = [0.889, 0.685, 0.852, 0.815, 0.944];

    #[test]
    fn many_contenders_do_not_make_the_baseline_as_good() {
        let mut all = vec![contender(BASELINE, &[0.556; 5])];
        all.extend((0..15).map(|i| contender(&format!("m{i}"), &HEART)));
        let found = verdict(all, Measure::Accuracy, 0.25);
        assert!(found.better_than_baseline, "{}", found.advice);
        assert_eq!((found.best, found.as_good.len()), (Some(1), 14));
        assert!(found.advice.contains("m1, m2, m3, m4 and 10 more: m0"), "{}", found.advice);
        // The same p as if there were one method.
        let one = [contender(BASELINE, &[0.556; 5]), contender("m0", &HEART)];
        let one = verdict(one.into(), Measure::Accuracy, 0.25);
        assert_eq!(one.contenders[0].p, found.contenders[0].p);
        assert!(one.advice.starts_with("Take m0: its accuracy is better than"), "{}", one.advice);
    }

    #[test]
    fn what_is_no_better_than_the_baseline_is_not_taken() {
        let all = [contender(BASELINE, &[0.5; 4]), contender("m", &[0.4, 0.7, 0.45, 0.55])];
        let found = verdict(all.into(), Measure::Accuracy, 0.3);
        assert!(!found.better_than_baseline && found.advice.starts_with("Nothing to take yet"));
        // None has probabilities.
        let all = [contender("m", &[0.5; 4])];
        let found = verdict(all.into(), Measure::LogLoss, 0.3);
        assert_eq!(
            found.advice,
            "Nothing to take: no contender has a value of log-loss on every fold."
        );
    }

    #[test]
    fn names_are_joined_as_in_a_sentence() {
        let near = |by: f64| HEART.map(|v| v - by);
        let all = [contender("a", &HEART), contender("b", &near(0.0)), contender("c", &near(0.0))];
        let found = verdict(all.into(), Measure::Auc, 0.25);
        assert_eq!(found.best, None);
        let all = [contender("a", &HEART), contender("b", &near(0.0)), contender("c", &near(0.0))];
        let found = verdict(all.into(), Measure::Accuracy, 0.25);
        assert!(
            found.advice.contains("which are b and c: a has the best accuracy"),
            "{}",
            found.advice
        );
        // The same difference on every fold is more than chance.
        let all = [contender("a", &HEART), contender("b", &near(0.1))];
        let found = verdict(all.into(), Measure::Accuracy, 0.25);
        assert!(found.as_good.is_empty(), "{}", found.advice);
    }
}
