//! Panics caught and returned as errors, without a panic message on the terminal.
//!
//! The panic message is printed by one hook for the whole program. At first use, that hook is
//! wrapped once: the wrapper skips it if the panicking thread has disabled messages, and calls it
//! otherwise. A program that later sets its own hook gets all messages. Under fuzzing every message
//! is printed, because a panic of a decoder is a finding there.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of a call, or `None` if the call panics, without a message. No state that the
/// call has partially changed may be used afterwards.
pub(crate) fn catch_silently<T>(call: impl FnOnce() -> T) -> Option<T> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if cfg!(fuzzing) || !QUIET.get() {
                before(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_none_and_messages_are_restored() {
        assert_eq!(catch_silently(|| 3), Some(3));
        let inner = catch_silently(|| {
            let inner = catch_silently(|| panic!("on purpose"));
            assert!(QUIET.get(), "still inside");
            inner
        });
        assert_eq!(inner, Some(None::<()>));
        assert!(!QUIET.get());
    }
}
