//! Why a command did not succeed, and with which exit code.

use std::fmt;
use std::io;

/// What went wrong.
#[derive(Debug)]
pub enum Failure {
    /// In reading or writing.
    Io(linsep_io::Error),
    /// In the mathematics' door.
    Core(linsep::Error),
    /// In how the command was put.
    Usage(String),
    /// In what was asked of this data.
    Refused(String),
    /// Writing to stdout.
    Stdout(io::Error),
    /// What was looked for was found, and has been said.
    Found,
    /// The reader of stdout has gone away; that is its right.
    Silent,
}

impl Failure {
    /// Writing to stdout failed. A reader that has seen enough is no failure.
    pub fn stdout(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Silent,
            _ => Self::Stdout(error),
        }
    }

    /// 1: failed, 2: usage. Every variant of every error is mapped here, and none by default.
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
                    linsep_io::Error::Core { source, .. } => near(source, f, " Did", "?"),
                    _ => Ok(()),
                }
            }
            Self::Core(error) => {
                error.fmt(f)?;
                near(error, f, "; did", "?")
            }
            Self::Usage(text) | Self::Refused(text) => f.write_str(text),
            Self::Stdout(error) => write!(f, "writing to stdout failed: {error}"),
            Self::Found | Self::Silent => Ok(()),
        }
    }
}

/// Appends the known name that is most like an unknown one, if it differs in few enough letters to
/// be a slip.
fn near(error: &linsep::Error, f: &mut fmt::Formatter<'_>, start: &str, end: &str) -> fmt::Result {
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
    let likeness =
        |name: &String| strsim::normalized_damerau_levenshtein(&got, &name.to_lowercase());
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match best.filter(|name| likeness(name) >= SIMILAR) {
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
