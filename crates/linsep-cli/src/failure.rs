//! Failure of a command, with its exit code.

use std::fmt;
use std::io;

/// The reason of a failed command.
#[derive(Debug)]
pub enum Failure {
    /// Reading or writing failed.
    Io(linsep_io::Error),
    /// The core rejected an argument, or had no result.
    Core(linsep::Error),
    /// Invalid usage.
    Usage(String),
    /// The request is not possible with these data.
    Refused(String),
    /// Writing to stdout failed.
    Stdout(io::Error),
    /// The command reported findings that it is to fail on.
    Found,
    /// stdout is a closed pipe.
    Silent,
}

impl Failure {
    /// The failure of writing to stdout. A closed pipe is not an error.
    pub fn stdout(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Silent,
            _ => Self::Stdout(error),
        }
    }

    /// Exit code: 1 for a failure, 2 for usage. Every variant of every error is listed here.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Refused(_) | Self::Stdout(_) | Self::Found => 1,
            Self::Silent => 0,
            Self::Core(error) => core_code(error),
            Self::Io(error) => io_code(error),
        }
    }
}

fn core_code(error: &linsep::Error) -> u8 {
    use linsep::Error as E;
    match error {
        E::Setting { .. }
        | E::UnmetRequirement { .. }
        | E::JointSolver { .. }
        | E::Scheme { .. }
        | E::SynonymousSettings { .. }
        | E::NoSuchSetting { .. }
        | E::InapplicableSetting { .. }
        | E::NoSchemeChoice { .. }
        | E::UnknownName { .. }
        | E::UnknownContender { .. }
        | E::NoClassScores { .. }
        | E::NoProbabilities { .. }
        | E::TwoClasses { .. }
        | E::Expression { .. }
        | E::TableLength { .. }
        | E::UnknownClass { .. } => 2,
        E::Shape { .. }
        | E::TooLarge { .. }
        | E::EmptyDesign { .. }
        | E::NotFinite { .. }
        | E::Sparse { .. }
        | E::Weight { .. }
        | E::WeightlessClass { .. }
        | E::Range { .. }
        | E::TooWide { .. }
        | E::Unreachable { .. }
        | E::OneClass { .. }
        | E::Ended { .. }
        | E::Model { .. } => 1,
    }
}

fn io_code(error: &linsep_io::Error) -> u8 {
    use linsep_io::Error as E;
    match error {
        E::Setting { .. }
        | E::IncompatibleSettings { .. }
        | E::NoColumn { .. }
        | E::LabelMap { .. }
        | E::OverwritesInput { .. }
        | E::SameOutput { .. } => 2,
        E::Core { source, .. } => core_code(source),
        E::Missing { .. }
        | E::Folder { .. }
        | E::Denied { .. }
        | E::Read { .. }
        | E::Empty { .. }
        | E::NoRows { .. }
        | E::Binary { .. }
        | E::UnsupportedFormat { .. }
        | E::TooLong { .. }
        | E::OpenQuote { .. }
        | E::AfterQuote { .. }
        | E::Ragged { .. }
        | E::DuplicateColumn { .. }
        | E::NonNumericCell { .. }
        | E::NotFinite { .. }
        | E::Label { .. }
        | E::Pair { .. }
        | E::Value { .. }
        | E::Index { .. }
        | E::Order { .. }
        | E::DuplicateIndex { .. }
        | E::NotStrict { .. }
        | E::TooManyLevels { .. }
        | E::Changed { .. }
        | E::Write { .. }
        | E::Unsynced { .. }
        | E::OtherFile { .. }
        | E::HeaderSize { .. }
        | E::NotSaved { .. }
        | E::NotAModel { .. }
        | E::NotACertificate { .. }
        | E::CertificateRejected { .. }
        | E::ModelVersion { .. }
        | E::MissingCell { .. }
        | E::Negative { .. }
        | E::Extreme { .. }
        | E::NoWeight { .. }
        | E::ExpectedNumeric { .. }
        | E::ExpectedCategorical { .. }
        | E::NoFeatures { .. }
        | E::OneRow { .. }
        | E::NoRowLeft { .. }
        | E::OtherLength { .. }
        | E::Truncated { .. }
        | E::Damaged { .. }
        | E::Window { .. }
        | E::Broken { .. }
        | E::Unreadable { .. }
        | E::TooLarge { .. }
        | E::Memory { .. }
        | E::Temporary { .. }
        | E::OtherColumns { .. }
        | E::OtherFormat { .. }
        | E::NoTime { .. }
        | E::Folds { .. }
        | E::ClassMissingFromFold { .. }
        | E::NoScorecard { .. }
        | E::Machine { .. }
        | E::TruthTable { .. }
        | E::InexactClasses { .. }
        | E::ManyValues { .. }
        | E::OtherKind { .. } => 1,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => {
                error.fmt(f)?;
                match error {
                    linsep_io::Error::Core { source, .. } => suggest(source, f, " Did", "?"),
                    _ => Ok(()),
                }
            }
            Self::Core(error) => {
                error.fmt(f)?;
                suggest(error, f, "; did", "?")
            }
            Self::Usage(text) | Self::Refused(text) => f.write_str(text),
            Self::Stdout(error) => write!(f, "standard output: writing failed: {error}"),
            Self::Found | Self::Silent => Ok(()),
        }
    }
}

/// Appends the known name that is most similar to an unknown one, if the similarity suggests a
/// typo.
fn suggest(
    error: &linsep::Error,
    f: &mut fmt::Formatter<'_>,
    start: &str,
    end: &str,
) -> fmt::Result {
    const SIMILAR: f64 = 0.6;
    use linsep::Error as E;
    let (got, known): (String, Vec<String>) = match error {
        E::UnknownClass { got, known } => {
            (got.to_string(), known.iter().map(ToString::to_string).collect())
        }
        E::UnknownName { got, known, .. } => {
            (got.clone(), known.iter().map(|&name| name.to_owned()).collect())
        }
        E::UnknownContender { got, known } => (got.clone(), known.clone()),
        _ => return Ok(()),
    };
    let got = got.to_lowercase();
    let similarity =
        |name: &String| strsim::normalized_damerau_levenshtein(&got, &name.to_lowercase());
    let best = known.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match best.filter(|name| similarity(name) >= SIMILAR) {
        Some(name) => write!(f, "{start} you mean {name}{end}"),
        None => Ok(()),
    }
}

impl From<linsep_io::Error> for Failure {
    fn from(error: linsep_io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<linsep::Error> for Failure {
    fn from(error: linsep::Error) -> Self {
        Self::Core(error)
    }
}
