//! Settings as options of the command line.

pub use linsep::labels::field;

use linsep::diagnostics::Finding;
use std::borrow::Cow;

/// Options that take several names, separated by commas.
const LISTS: [&str; 6] = ["categorical", "columns", "drop", "label-map", "numeric", "text"];

/// Returns the settings of a finding as command-line flags.
pub fn flags(finding: &Finding) -> String {
    const SHOWN: usize = 6;
    let flag = |(name, value): &(Cow<'static, str>, String)| {
        let value = &if LISTS.contains(&&**name) { field(value) } else { value.clone() };
        let plain = |c: char| c.is_alphanumeric() || "_-.,=".contains(c);
        match value {
            value if value.is_empty() => format!("--{name}"),
            value if value.chars().all(plain) => format!("--{name} {value}"),
            value => format!("--{name} '{}'", value.replace('\'', "'\\''")),
        }
    };
    let shown: Vec<String> = finding.settings.iter().take(SHOWN).map(flag).collect();
    let more = if finding.settings.len() > SHOWN { " …" } else { "" };
    if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(" ")) }
}
