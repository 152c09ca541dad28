//! Names of options in other programs.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names in lower case with hyphens, and the equivalent option.
const PEERS: [(&str, &str); 24] = [
    (
        "alpha",
        "--lambda (alpha of SGDClassifier is λ; for alpha of Ridge, λ = 2·alpha/rows), or --l1-ratio (alpha of glmnet)",
    ),
    ("categorical-features", "--categorical"),
    ("cpus", "--threads"),
    ("dual", "--solver dual-cd"),
    ("epoch", "--max-iter"),
    ("epochs", "--max-iter"),
    ("eta0", "--eta"),
    ("fit-intercept", "--no-intercept to omit the intercept"),
    ("label", "--target"),
    ("learning-rate", "--eta, with --schedule"),
    ("max-epochs", "--max-iter"),
    ("multi-class", "--multiclass"),
    ("n-components", "--dims"),
    ("n-folds", "--folds"),
    ("n-jobs", "--threads"),
    ("n-splits", "--folds"),
    ("nfolds", "--folds"),
    ("out", "--output"),
    ("probability", "--calibrate, or predict --proba"),
    ("sample-weight", "--weights"),
    ("scoring", "compare --by"),
    ("standardize", "--no-standardize to keep raw features; they are standardized by default"),
    ("test-size", "--holdout"),
    ("warm-start", "--start"),
];

/// The equivalent of an unknown option that another program has, or that is written with
/// underscores.
pub fn answer(error: &clap::Error, command: &Command) -> Option<String> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(given))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let name = given.split('=').next()?.trim_start_matches('-');
    let plain = name.to_lowercase().replace('_', "-");
    let known = |name: &str| all(command).any(|long| long == name);
    let equivalent = match PEERS.iter().find(|(peer, _)| *peer == plain) {
        Some((_, equivalent)) => (*equivalent).to_owned(),
        None if plain != name && known(&plain) => format!("--{plain}"),
        None => return None,
    };
    Some(format!("--{name} is not an option of this command; use {equivalent}"))
}

/// The long names of all options of all commands.
fn all(command: &Command) -> Box<dyn Iterator<Item = &str> + '_> {
    let own = command.get_arguments().filter_map(|arg| arg.get_long());
    Box::new(own.chain(command.get_subcommands().flat_map(all)))
}
