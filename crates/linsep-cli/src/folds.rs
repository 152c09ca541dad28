//! Options of cross-validation folds, and the progress bar of jobs.

use crate::progress::{JOBS, Progress, bar};
use clap::Args;
use indicatif::ProgressBar;
use linsep::Cancel;
use linsep::validate::{FoldSettings, Jobs};

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

/// The progress bar of jobs, on a terminal.
pub struct Bar<'a> {
    bar: ProgressBar,
    /// Time limit and Ctrl-C, and the number of jobs that follow.
    limit: Option<(&'a Progress, usize)>,
}

impl<'a> Bar<'a> {
    pub fn new(label: &'static str, jobs: usize) -> Self {
        let bar = bar(JOBS, label);
        bar.set_length(jobs as u64);
        Self { bar, limit: None }
    }

    /// Gives each job an equal share of the remaining time, of which `more` later jobs take part.
    pub fn within(mut self, progress: &'a Progress, more: usize) -> Self {
        progress.pause();
        self.limit = Some((progress, more));
        self
    }
}

impl Jobs for Bar<'_> {
    fn done(&self, jobs: usize) {
        self.bar.set_position(jobs as u64);
    }

    fn share(&self, left: usize, lanes: usize) -> Cancel {
        let share = |(progress, more): (&Progress, usize)| progress.share_of(left + more, lanes);
        self.limit.map_or_else(Cancel::default, share)
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if let Some((progress, _)) = self.limit {
            progress.resume();
        }
    }
}
