//! The class that wins at every optimum of a multiclass problem, and what is known of its lead.

use crate::model::{Abstain, Decide, LinearModel, Link, Verdict};

/// The class that every optimum gives a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Winner {
    pub(crate) class: u32,
    /// The least and the largest lead of its score over the next.
    lead: [f32; 2],
    /// The least and the largest probability, where a score is the logarithm of one.
    probability: [f32; 2],
}

impl Winner {
    /// A class that wins by a lead of which nothing is known.
    pub(crate) fn of(class: u32) -> Self {
        Self { class, lead: [0.0, f32::INFINITY], probability: [0.0, 1.0] }
    }

    /// The same with bounds of its lead.
    pub(crate) fn with_lead(self, least: f64, largest: f64) -> Self {
        Self { lead: [(least as f32).next_down().max(0.0), (largest as f32).next_up()], ..self }
    }

    /// The same with bounds of its probability.
    pub(crate) fn with_probability(self, least: f64, largest: f64) -> Self {
        Self { probability: [(least as f32).next_down(), (largest as f32).next_up()], ..self }
    }

    /// What a model of these classes says at every optimum, under its own limit; `None` where the
    /// limit asks for what is not known.
    pub(crate) fn verdict(&self, model: &LinearModel) -> Option<Verdict> {
        let verdict = |abstained| Verdict { class: self.class, ambiguous: false, abstained };
        let [least, largest] = match model.cut().abstain {
            // Of one score only the sign is known.
            _ if model.decide() == Decide::Sign && model.cut().is_some() => return None,
            None => return Some(verdict(false)),
            Some(Abstain::Margin(_)) if model.decide() == Decide::ArgMax => self.lead,
            Some(Abstain::Probability(_)) if *model.link() == Link::Softmax => self.probability,
            Some(_) => return None,
        }
        .map(f64::from);
        let below = model.cut().abstain.map_or(0.0, Abstain::below);
        let room = 1e-12 * (1.0 + below);
        match (least >= below + room, largest < below - room) {
            (true, _) => Some(verdict(false)),
            (_, true) => Some(verdict(true)),
            _ => None,
        }
    }
}
