//! Panics that are caught and told as errors: their own text shall not reach the terminal too.
//!
//! What a panic prints is up to one hook for the whole program. So that hook is wrapped, once, when it is first needed,
//! and asks the thread that panics whether it wants to be quiet; every other panic goes to the hook that was there.
//! A program that sets a hook of its own later hears everything again. A fuzzer hears every panic: to it a decoder's panic
//! is a finding.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The result of a call, or `None` if it panics, which nobody hears. What the call has half done must be
/// seen by nobody.
pub(crate) fn quietly<T>(call: impl FnOnce() -> T) -> Option<T> {
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
    fn a_panic_is_none_and_the_thread_is_heard_again() {
        assert_eq!(quietly(|| 3), Some(3));
        let inner = quietly(|| {
            let inner = quietly(|| panic!("on purpose"));
            assert!(QUIET.get(), "still inside");
            inner
        });
        assert_eq!(inner, Some(None::<()>));
        assert!(!QUIET.get());
    }
}
