//! Settings as options of the command line.

use linsep::diagnostics::Finding;
use std::borrow::Cow;

/// Returns a text as a CSV field, quoted if necessary.
pub fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_separators_quotes_or_outer_blanks_are_quoted() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" blank"), "\" blank\"");
    }
}
