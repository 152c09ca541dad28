//! Escaping of untrusted names in terminal output.
//!
//! A name in a file may contain escape sequences, characters that change the text direction, and
//! invisible characters. [`safe`] writes them as `\\u{1b}`; `output.rs` applies it to all text.
//! [`one_line`] also escapes line ends and tabs, for names in tables and notes.

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::borrow::Cow;
use std::io;

/// Whether a terminal interprets or hides the character instead of showing it.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Escapes a text of several lines; line ends stay.
pub fn safe(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\n' && is_hidden(c))
}

/// Escapes a name or a text of one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

fn escaped(text: &str, is_unsafe: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Writes a value as JSON, with such characters as `\\u001b`: the same values, safe on a terminal.
pub fn write_safe_json(value: &impl Serialize, out: impl io::Write) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, SafeJson))?)
}

struct SafeJson;

impl Formatter for SafeJson {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_hidden(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

/// Whether a spreadsheet interprets the text as a formula when it opens a CSV file.
pub fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_a_terminal_interprets_or_hides_are_escaped() {
        let hostile = "a\u{1b}[2J\u{9b}\u{7f}\u{8}\r\u{202e}\u{2066}\u{61c}\u{200b}\u{2028}\u{feff}\u{e0041}z";
        let shown = safe(hostile);
        assert!(!shown.contains(is_hidden) && shown.starts_with("a\\u{1b}[2J\\u{9b}"), "{shown}");
        assert_eq!(safe("one\n two"), "one\n two");
        assert_eq!(one_line("one\n\ttwo"), "one\\n\\ttwo");
        for plain in ["größe", "日本語", "e\u{301}", "Ω ≤ 1 → 2", "🙂"] {
            assert!(matches!(one_line(plain), Cow::Borrowed(_)), "{plain}");
        }
        let value = serde_json::json!({ hostile: [hostile, 1] });
        let mut json = Vec::new();
        write_safe_json(&value, &mut json).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert!(!json.contains(is_hidden), "{json}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
    }
}
