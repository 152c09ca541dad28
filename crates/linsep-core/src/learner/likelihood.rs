//! Logistic regression by maximum likelihood, with inference on its coefficients.
//!
//! The objective is that of `logistic` without a penalty, or with Firth's. It is minimized to the
//! limit of rounding, and [`infer`](crate::infer::infer()) computes the uncertainty of the
//! coefficients. Two classes.

use super::memory::Size;
use super::parts::model_of;
use super::{FitResult, Learner, no_start};
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::infer::{Settings, infer};
use crate::model::Link;
use crate::options::Setting;

/// Maximum likelihood, with inference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogisticInference {
    /// Settings of the inference.
    pub settings: Settings,
}

impl Learner for LogisticInference {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        let penalty = if self.settings.firth { "firth" } else { "none" };
        vec![("penalty", Setting::Word(penalty.into()))]
    }

    fn check(&self) -> Result<(), Error> {
        self.settings.check()
    }

    fn memory(&self, problem: &Problem<'_>) -> u64 {
        Size::of(problem).squares(4)
    }

    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Hyperplane]>,
        positive: Option<usize>,
        watch: &mut dyn Observer,
    ) -> Result<FitResult, Error> {
        no_start(self.name(), starts)?;
        watch.hyperplane(0, 1);
        let found = infer(problem, positive, &self.settings, watch)?;
        let model = model_of(problem, positive.or(Some(1)), vec![found.hyperplane])?;
        // The mean loss, as in other methods. Firth's objective differs, and its value depends on
        // units.
        let known = found.inference.as_ref().filter(|known| !known.firth);
        Ok(FitResult {
            objective: known.map(|known| -known.log_likelihood / known.n),
            stop: found.stop,
            epochs: found.steps,
            inference: found.inference,
            ..FitResult::of_model(problem, model.with_link(Link::Logistic))?
        })
    }
}
