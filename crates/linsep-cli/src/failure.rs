//! Failure of a command, with its exit code.

use linsep_report::flags::spell;
use std::fmt;
use std::io;

/// The reason of a failed command.
#[derive(Debug)]
pub enum Failure {
    /// A job failed.
    Job(linsep::Error),
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

    /// Exit code: 1 for a failure, 2 for usage.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Refused(_) | Self::Stdout(_) | Self::Found => 1,
            Self::Silent => 0,
            Self::Job(error) => 1 + u8::from(error.is_usage()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(error) => {
                f.write_str(&spell(&error.to_string()))?;
                match error {
                    linsep::Error::Core { source, .. } => suggest(source, f, " Did", "?"),
                    linsep::Error::Math(error) => suggest(error, f, "; did", "?"),
                    _ => Ok(()),
                }
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
    error: &linsep::core::Error,
    f: &mut fmt::Formatter<'_>,
    start: &str,
    end: &str,
) -> fmt::Result {
    const SIMILAR: f64 = 0.6;
    use linsep::core::Error as E;
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

impl<E: Into<linsep::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Job(error.into())
    }
}
