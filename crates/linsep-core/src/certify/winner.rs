//! The class that wins at every optimum of a multiclass problem, with bounds on its lead.

use crate::model::{Abstain, Decision, DecisionRule, LinearModel, Link};

/// The class that every optimum predicts for a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Winner {
    pub(crate) class: u32,
    /// Lower and upper bound on the lead of its score over the runner-up.
    lead: [f32; 2],
    /// Lower and upper bound on its probability; informative only for softmax scores.
    probability: [f32; 2],
}

impl Winner {
    /// Builds a winner whose lead has no known bounds.
    pub(crate) fn of(class: u32) -> Self {
        Self { class, lead: [0.0, f32::INFINITY], probability: [0.0, 1.0] }
    }

    /// Sets bounds on the lead.
    pub(crate) fn with_lead(self, least: f64, largest: f64) -> Self {
        Self { lead: [(least as f32).next_down().max(0.0), (largest as f32).next_up()], ..self }
    }

    /// Sets bounds on the probability.
    pub(crate) fn with_probability(self, least: f64, largest: f64) -> Self {
        Self { probability: [(least as f32).next_down(), (largest as f32).next_up()], ..self }
    }

    /// Returns the prediction of a model of these classes at every optimum, with its abstention
    /// threshold; `None` if the bounds do not determine it.
    pub(crate) fn decision(&self, model: &LinearModel) -> Option<Decision> {
        let verdict = |abstained| Decision { class: self.class, ambiguous: false, abstained };
        let [least, largest] = match model.operating_point().abstain {
            // The bounds of a single score determine only its sign.
            _ if model.decision_rule() == DecisionRule::Sign
                && model.operating_point().is_some() =>
            {
                return None;
            }
            None => return Some(verdict(false)),
            Some(Abstain::Margin(_)) if model.decision_rule() == DecisionRule::ArgMax => self.lead,
            Some(Abstain::Probability(_)) if *model.link() == Link::Softmax => self.probability,
            Some(_) => return None,
        }
        .map(f64::from);
        let below = model.operating_point().abstain.map_or(0.0, Abstain::below);
        let room = 1e-12 * (1.0 + below);
        match (least >= below + room, largest < below - room) {
            (true, _) => Some(verdict(false)),
            (_, true) => Some(verdict(true)),
            _ => None,
        }
    }
}
