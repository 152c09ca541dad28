//! The options that say how rows are cut into folds, and the bar that shows how many are done.

use crate::progress::{JOBS, Progress, bar};
use clap::Args;
use indicatif::ProgressBar;
use linsep::Cancel;
use linsep_io::validate::{FoldSettings, Jobs};

/// How rows are cut into those to learn from and those to judge on
#[derive(Args)]
#[command(next_help_heading = "Validation and tuning")]
pub struct FoldArgs {
    /// Cross-validation folds [default: 5]
    #[arg(long, visible_alias = "cv", value_name = "N")]
    folds: Option<usize>,

    /// Rows with the same value in this column stay in one fold; the column is no feature (LIBSVM:
    /// qid)
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    groups: Option<String>,

    /// Each fold is tested on models of the rows before it in the order of this column; the column
    /// is no feature
    #[arg(long, value_name = "COLUMN", hide_short_help = true, conflicts_with = "groups")]
    time: Option<String>,
}

impl FoldArgs {
    /// How to cut.
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

    /// Whether anything was asked for.
    pub fn is_some(&self) -> bool {
        self.folds.is_some() || self.groups.is_some() || self.time.is_some()
    }
}

/// A bar that counts jobs, on a terminal.
pub struct Bar<'a> {
    bar: ProgressBar,
    /// The time limit and Ctrl-C, and how many jobs' worth of work comes after these.
    limit: Option<(&'a Progress, usize)>,
}

impl<'a> Bar<'a> {
    pub fn new(what: &'static str, jobs: usize) -> Self {
        let bar = bar(JOBS, what);
        bar.set_length(jobs as u64);
        Self { bar, limit: None }
    }

    /// The same, where each job gets an equal share of the time that remains for these jobs and so
    /// many more.
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
