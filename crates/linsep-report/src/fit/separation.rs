//! Separable classes, and infinite estimates.

use super::Report;
use linsep::core::certify::SeparationKind;
use linsep::core::learner::SeparationEffect;
use linsep::jobs::fit::{InfiniteEstimates, SeparableProblem, Separated};
use serde_json::{Value, json};

impl Report<'_> {
    /// One line per separable problem.
    pub(super) fn separation(self) -> Vec<String> {
        const SHOWN: usize = 5;
        let Some(Separated { effect, problems, of }) = &self.0.separated else {
            return Vec::new();
        };
        let hyperplanes = self.hyperplane_names();
        let line = |one: &SeparableProblem| match of {
            1 => text(one, *effect),
            _ => format!("class {}: {}", hyperplanes[one.hyperplane], text(one, *effect)),
        };
        let mut lines: Vec<String> = problems.iter().take(SHOWN).map(line).collect();
        let more = problems.len().saturating_sub(SHOWN);
        if more > 0 {
            lines.push(format!("{more} more hyperplanes have separable classes"));
        }
        lines
    }

    /// The kind of separation, or a list by hyperplane.
    pub(super) fn separation_json(self) -> Option<Value> {
        if let Some(InfiniteEstimates { verdict, columns }) = &self.0.infinite {
            let columns: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
            return Some(json!({ "verdict": verdict.name(), "infinite": columns }));
        }
        let Separated { effect, problems, of } = self.0.separated.as_ref()?;
        let mut json = match &problems[..] {
            [one] if *of == 1 => {
                json!({ "verdict": one.verdict.name(), "infinite": one.infinite })
            }
            problems => {
                let hyperplanes = self.hyperplane_names();
                let one = |one: &SeparableProblem| {
                    json!({
                        "plane": hyperplanes[one.hyperplane],
                        "verdict": one.verdict.name(),
                        "infinite": one.infinite,
                    })
                };
                json!({ "planes": problems.iter().map(one).collect::<Vec<_>>() })
            }
        };
        json["optimum"] = json!(match effect {
            SeparationEffect::None => "none",
            SeparationEffect::Many => "many",
        });
        Some(json)
    }

    /// The note about infinite estimates beside Firth's.
    pub(super) fn beside_firth(self) -> Option<String> {
        let infinite = self.0.infinite.as_ref()?;
        let separation = match infinite.verdict {
            SeparationKind::Complete => {
                "complete separation: all maximum-likelihood estimates are infinite".to_owned()
            }
            _ => {
                format!("quasi-complete separation: by maximum likelihood {}", infinite.clause())
            }
        };
        Some(format!("{separation}; Firth's estimates are finite"))
    }
}

/// The separation of a problem, and its effect.
fn text(one: &SeparableProblem, effect: SeparationEffect) -> String {
    let (coefficients, verb) = one.coefficients();
    match (one.verdict, effect) {
        (SeparationKind::Complete, SeparationEffect::None) => {
            "complete separation: the objective has no minimizer; the coefficients diverge"
                .to_owned()
        }
        (SeparationKind::Complete, SeparationEffect::Many) => {
            "complete separation: the minimum is 0, and many hyperplanes attain it".to_owned()
        }
        (_, SeparationEffect::None) => format!(
            "quasi-complete separation: the objective has no minimizer; {coefficients} {verb} infinite (see linsep separable)"
        ),
        (_, SeparationEffect::Many) => format!(
            "quasi-complete separation: the minimizer is not unique; {coefficients} may diverge at no cost"
        ),
    }
}
