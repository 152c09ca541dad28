//! Which column of a table is the target, the one with the classes?

/// Names by which the target is known.
const TARGETS: [&str; 4] = ["target", "label", "class", "y"];

/// The column with the classes, as readers are told it: so that they read its cells as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClassColumn {
    /// There is none, or nobody knows which.
    #[default]
    None,
    /// The column called target, label, class or y, else the last.
    Usual,
    /// The column of this name.
    Named(String),
}

impl ClassColumn {
    /// The column of this name, or the usual one.
    pub fn of(name: Option<&str>) -> Self {
        name.map_or(Self::Usual, |name| Self::Named(name.to_owned()))
    }

    /// Its place among columns of these names.
    pub(crate) fn among<S: AsRef<str>>(&self, names: &[S]) -> Option<usize> {
        let find = |f: &dyn Fn(&str) -> bool| names.iter().position(|name| f(name.as_ref()));
        match self {
            Self::None => None,
            Self::Named(own) => find(&|name| name == own),
            Self::Usual => {
                let known = |t: &&str| find(&|name| name.eq_ignore_ascii_case(t));
                TARGETS.iter().find_map(known).or(names.len().checked_sub(1))
            }
        }
    }
}

/// Is this one of the names by which the target is known?
pub(crate) fn is_known(name: &str) -> bool {
    TARGETS.iter().any(|target| name.eq_ignore_ascii_case(target))
}
