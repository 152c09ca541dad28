//! Options of tuning, calibration, threshold and abstention.

use crate::failure::Failure;
use crate::folds::FoldArgs;
use crate::method::values::{long, spelled};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use linsep::core::calibrate::Calibration;
use linsep::jobs::Fit;
use linsep::jobs::fit::Tune;
use linsep::validate::{AbstainRule, LambdaRule, ThresholdRule};

/// The group of these options in the help.
const DECISION: &str = "Decision";

/// Tuning, calibration and threshold
#[derive(Args)]
#[command(next_help_heading = "Validation and tuning")]
pub(super) struct PostProcessingArgs {
    /// Select λ by cross-validation from N values
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", long_help = "Select λ by cross-validation from N values [default: 20]; for least-squares by leave-one-out",
        value_parser = clap::value_parser!(u16).range(2..), conflicts_with_all = ["lambda", "c", "loo", "path", "start"])]
    tune: Option<u16>,

    /// Selection rule: the best λ, or the largest λ within one standard error [default: best]
    #[arg(long, hide_short_help = true, value_name = "RULE", value_parser = LambdaRule::ALL.map(LambdaRule::name), requires = "tune")]
    choose: Option<String>,

    /// Calibration: platt, isotonic or temperature
    #[arg(long, value_name = "METHOD", help_heading = DECISION, value_parser = PossibleValuesParser::from(calibrations()), hide_possible_values = true, long_help = long("Calibration of probabilities by out-of-fold scores", &calibrations()))]
    calibrate: Option<String>,

    /// Decision threshold: a number, or a rule such as f1
    #[arg(long_help = "Decision threshold of two classes: a number (a probability if the model has probabilities, else a score), or the out-of-fold optimum of a rule: f1, youden, cost:FP,FN, precision>=P, recall>=R", long, value_name = "RULE", value_parser = spelled::<ThresholdRule>, help_heading = DECISION, allow_negative_numbers = true)]
    threshold: Option<ThresholdRule>,

    /// Abstain below this probability, or at an error rate: error<=SHARE
    #[arg(long, value_name = "LIMIT", value_parser = spelled::<AbstainRule>, help_heading = DECISION, hide_short_help = true)]
    abstain: Option<AbstainRule>,

    #[command(flatten)]
    folds: FoldArgs,
}

fn calibrations() -> Vec<PossibleValue> {
    let value = |one: Calibration| PossibleValue::new(one.name()).help(one.about());
    Calibration::ALL.map(value).to_vec()
}

impl PostProcessingArgs {
    /// Adds the options to the request of a fit.
    pub(super) fn add_to(&self, fit: &mut Fit) -> Result<(), Failure> {
        let rule = self.choose.as_deref().map_or(Ok(LambdaRule::default()), LambdaRule::by_name)?;
        fit.tune = self.tune.map(|points| Tune { points: usize::from(points), rule });
        fit.calibrate = self.calibrate.as_deref().map(str::parse).transpose()?;
        (fit.threshold, fit.abstain) = (self.threshold, self.abstain);
        let seed = fit.method.options.seed.unwrap_or_default();
        fit.folds = self.folds.is_some().then(|| self.folds.cutting(None, seed));
        Ok(())
    }
}
