//! Options of cross-validation folds.

use clap::Args;
use linsep::validate::FoldSettings;

/// Cross-validation folds
#[derive(Args)]
#[command(next_help_heading = "Validation and tuning")]
pub struct FoldArgs {
    /// Cross-validation folds [default: 5]
    #[arg(long, visible_alias = "cv", value_name = "N")]
    folds: Option<usize>,

    /// Keep rows with the same value of this column in one fold (LIBSVM: qid); the column is
    /// dropped
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    groups: Option<String>,

    /// Time-series folds: train on earlier values of this column only; the column is dropped
    #[arg(long, value_name = "COLUMN", hide_short_help = true, conflicts_with = "groups")]
    time: Option<String>,
}

impl FoldArgs {
    /// The settings of the folds.
    pub fn cutting(&self, repeats: Option<usize>, seed: u64) -> FoldSettings {
        let own = FoldSettings::default();
        FoldSettings {
            folds: self.folds.unwrap_or(own.folds),
            repeats: repeats.unwrap_or(own.repeats),
            seed,
            groups: self.groups.clone(),
            time: self.time.clone(),
        }
    }

    /// Whether any option of the folds is given.
    pub fn is_some(&self) -> bool {
        self.folds.is_some() || self.groups.is_some() || self.time.is_some()
    }
}
