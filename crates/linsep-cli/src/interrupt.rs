//! Ctrl-C and requests to terminate.
//!
//! While a job runs that can end early ([`guard`]), the first signal sets its token: the job ends
//! with the best result so far. The second signal, or the first one elsewhere, ends the program at
//! once. Either way no temporary file stays behind, and the exit code is 130.

use linsep::Cancel;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The usual exit code of a program that was interrupted.
pub const EXIT: u8 = 130;

/// How long the best result so far may be certified after a signal.
const CERTIFY: Duration = Duration::from_millis(500);

/// The token of the job that runs.
static JOB: Mutex<Option<Cancel>> = Mutex::new(None);

/// Whether a signal has come.
static CAME: AtomicBool = AtomicBool::new(false);

/// Installs the handler, which runs on a thread of its own.
pub fn listen() {
    // Without a handler a signal ends the program as it ends any other.
    let _ = ctrlc::set_handler(|| {
        let again = CAME.swap(true, Ordering::Relaxed);
        let job = JOB.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match job.filter(|_| !again) {
            Some(token) => {
                token.interrupt();
                thread::spawn(move || {
                    thread::sleep(CERTIFY);
                    token.cancel_certification();
                });
                crate::output::note(
                    "interrupted: ending with the best result so far; interrupt again to quit",
                );
            }
            None => linsep_io::atomic::remove_temporary_files(|| {
                // stderr may be closed; that is no reason to stay.
                let _ = writeln!(io::stderr(), "error: interrupted");
                process::exit(EXIT.into())
            }),
        }
    });
}

/// Whether the program was interrupted.
pub fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// Lets the first signal set this token, as long as the guard lives.
pub fn guard(token: &Cancel) -> Guard {
    if came() {
        token.interrupt();
        token.cancel_certification();
    }
    let mut job = JOB.lock().unwrap_or_else(PoisonError::into_inner);
    Guard(job.replace(token.clone()))
}

/// Gives the job before it back its token when it is dropped.
pub struct Guard(Option<Cancel>);

impl Drop for Guard {
    fn drop(&mut self) {
        *JOB.lock().unwrap_or_else(PoisonError::into_inner) = self.0.take();
    }
}
