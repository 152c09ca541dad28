//! Panics of decoders, caught and returned as errors.
//!
//! The message of a panic is printed by the panic hook of the program, which is not a library's to
//! change. A program that wants no such messages calls [`install`] once, at its start.

use std::cell::Cell;
use std::panic::{set_hook, take_hook};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Wraps the panic hook of the program, so that a panic that is returned as an error prints
/// nothing. All other panics reach the hook that was set before. Under fuzzing every message is
/// printed, because a panic of a decoder is a finding there.
pub fn install() {
    let before = take_hook();
    set_hook(Box::new(move |info| {
        if cfg!(fuzzing) || !CATCHING.get() {
            before(info);
        }
    }));
}

/// Returns the result of a call, or `None` if the call panics. No state that the call has partially
/// changed may be used afterwards.
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    let outer = CATCHING.replace(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
    CATCHING.set(outer);
    result.ok()
}

#[cfg(all(test, any(feature = "arrow", feature = "parquet")))]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_none_and_later_messages_are_printed() {
        assert_eq!(caught(|| 3), Some(3));
        let inner = caught(|| {
            let inner = caught(|| panic!("on purpose"));
            assert!(CATCHING.get(), "still inside");
            inner
        });
        assert_eq!(inner, Some(None::<()>));
        assert!(!CATCHING.get());
    }
}
