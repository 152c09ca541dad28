//! Notation of settings in messages.
//!
//! A message names a setting in backticks, `` `drop` ``, or with a value, `` `drop=Name` ``. An
//! interface replaces this by its own spelling, such as `--drop Name`. Text of users may contain
//! backticks, so a message [doubles](literal) them: text is never taken for a setting.

use std::borrow::Cow;

/// Doubles the backticks of a text of users.
pub fn literal(text: &str) -> Cow<'_, str> {
    if text.contains('`') { text.replace('`', "``").into() } else { text.into() }
}
