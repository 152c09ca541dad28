//! Notes, and the notation of settings in messages.
//!
//! A message names a setting in backticks, `` `drop` ``, or with a value, `` `drop=Name` ``. An
//! interface replaces this by its own spelling, such as `--drop Name`. Text of users may contain
//! backticks, so a message [doubles](literal) them: text is never taken for a setting.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Doubles the backticks of a text of users.
pub fn literal(text: &str) -> Cow<'_, str> {
    if text.contains('`') { text.replace('`', "``").into() } else { text.into() }
}

/// A setting with a value, as a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingValue {
    /// Name, the same in every interface.
    pub name: Cow<'static, str>,
    /// Value; empty if the setting has none.
    pub value: String,
}

/// A fact about data or a run that a user should know, although nothing failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Name of the kind of note, in hyphenated words.
    pub code: Cow<'static, str>,
    /// The column, class or file concerned, if it is one.
    pub subject: Option<String>,
    /// The fact in a sentence, in the notation of messages.
    pub text: String,
    /// The remedy, if there is one.
    pub settings: Vec<SettingValue>,
}

impl Note {
    /// Creates a note without subject and remedy.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code: code.into(), subject: None, text: text.into(), settings: Vec::new() }
    }

    /// Sets the column, class or file concerned.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Adds a setting to the remedy.
    #[must_use]
    pub fn setting(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push(SettingValue { name: name.into(), value: value.into() });
        self
    }
}
