//! Settings in the spelling of the command line.
//!
//! Messages of the libraries name settings in backticks: `` `drop=Name` ``. The command line has
//! flags: `--drop Name`. Backticks of other text are doubled in messages, and single here.

pub use linsep::labels::field;

use linsep::core::control::{Note, SettingValue};
use linsep::diagnostics::Finding;
use linsep::io::location::shell_argument;
use linsep::recipe::DroppedColumn;

/// Settings whose flag is not their name.
const OTHERS: [(&str, &str); 4] = [
    ("c", "-C"),
    ("header=false", "--no-header"),
    ("intercept=false", "--no-intercept"),
    ("standardize=false", "--no-standardize"),
];

/// Replaces every setting in a message by its flag, and doubled backticks by single ones.
pub fn spell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('`') {
            out.push('`');
            rest = after;
        } else if let Some((setting, after)) = quoted(rest) {
            let (name, value) = setting.split_once('=').unwrap_or((&setting, ""));
            out.push_str(&flag(name, value));
            rest = after;
        } else {
            out.push('`');
        }
    }
    out.push_str(rest);
    out
}

/// Returns a setting as a flag, with its value, if it has one.
fn flag(name: &str, value: &str) -> String {
    let is = |own: &str| own == name || own.split_once('=') == Some((name, value));
    match OTHERS.iter().find(|(own, _)| is(own)) {
        Some((own, flag)) if own.contains('=') || value.is_empty() => (*flag).to_owned(),
        Some((_, flag)) => format!("{flag} {}", shell_argument(value)),
        None if value.is_empty() => format!("--{name}"),
        None => format!("--{name} {}", shell_argument(value)),
    }
}

/// Returns the setting up to the closing backtick, and the text after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let name = text.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-')?;
    if name == 0 || !text[name..].starts_with(['=', '`']) {
        return None;
    }
    let mut setting = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('`')?;
        setting.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        let Some(after) = rest.strip_prefix('`') else { return Some((setting, rest)) };
        setting.push('`');
        rest = after;
    }
}

/// The sentences of notes.
pub fn sentences(notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| spell(&note.text)).collect()
}

/// Dropped columns with their reasons.
pub fn dropped(columns: &[DroppedColumn]) -> Vec<DroppedColumn> {
    let spelled =
        |own: &DroppedColumn| DroppedColumn { name: own.name.clone(), why: spell(&own.why) };
    columns.iter().map(spelled).collect()
}

/// Options that take several names, separated by commas.
const LISTS: [&str; 6] = ["categorical", "columns", "drop", "label-map", "numeric", "text"];

/// Returns the settings of a finding as command-line flags.
pub fn flags(finding: &Finding) -> String {
    const SHOWN: usize = 6;
    let flag = |SettingValue { name, value }: &SettingValue| {
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
    fn settings_are_spelled_as_flags() {
        let text = "use `drop=two words`, `c`, `header=false` or `method=svm` with `c=0.5`";
        let want = "use --drop 'two words', -C, --no-header or --method svm with -C 0.5";
        assert_eq!(spell(text), want);
        assert_eq!(spell("`drop=it's`; `delimiter=|`"), "--drop 'it'\\''s'; --delimiter '|'");
    }

    #[test]
    fn backticks_of_users_are_not_settings() {
        assert_eq!(spell("a``drop``b.csv: `drop=x``y```"), "a`drop`b.csv: --drop 'x`y`'");
        for text in ["`", "a ` b", "`Drop`", "` drop`", "`drop", "`=x`"] {
            assert_eq!(spell(text), text);
        }
    }
}
