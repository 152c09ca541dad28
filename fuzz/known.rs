//! Known panics of decoders, with their locations in `known_panics.txt`.
//!
//! Programs turn every panic of a decoder into an error. A fuzzer stops at every panic, which
//! reveals new ones; without this exception the known panics would hide all others.

use std::panic::{set_hook, take_hook};

/// Ignores the listed panics in the panic hook, so that the program can catch them. An uncaught
/// panic is a finding all the same.
pub(crate) fn ignore_known_panics() {
    let known = include_str!("known_panics.txt");
    let before = take_hook();
    set_hook(Box::new(move |info| {
        let at = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        let mut lines = known.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        if !at.is_some_and(|at| lines.any(|line| at.ends_with(line))) {
            before(info);
        }
    }));
}
