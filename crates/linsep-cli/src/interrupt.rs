//! Ctrl-C and termination signals.
//!
//! During a job that can end early ([`guard`]), the first signal sets the token of the job, which
//! ends with the best result so far. The second signal, or the first one outside such a job, ends
//! the program at once. In both cases temporary files are removed, and the exit code is 130.

use linsep::core::Cancel;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Exit code of an interrupted program: 128 + SIGINT.
pub const EXIT: u8 = 130;

/// Time limit of certification after a signal.
const CERTIFY: Duration = Duration::from_millis(500);

/// Token of the running job.
static JOB: Mutex<Option<Cancel>> = Mutex::new(None);

/// Whether a signal was received.
static RECEIVED: AtomicBool = AtomicBool::new(false);

/// Installs the signal handler, which runs on its own thread.
pub fn listen() {
    // If the installation fails, a signal ends the program by default.
    let _ = ctrlc::set_handler(|| {
        let again = RECEIVED.swap(true, Ordering::Relaxed);
        let job = JOB.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match job.filter(|_| !again) {
            Some(token) => {
                token.interrupt();
                thread::spawn(move || {
                    thread::sleep(CERTIFY);
                    token.cancel_certification();
                });
                crate::output::note(
                    "interrupted: finishing with the best result so far; interrupt again to quit",
                );
            }
            None => linsep::io::atomic::remove_temporary_files(|| {
                // stderr may be closed; the program exits nevertheless.
                let _ = writeln!(io::stderr(), "error: interrupted");
                process::exit(EXIT.into())
            }),
        }
    });
}

/// Whether the program was interrupted.
pub fn received() -> bool {
    RECEIVED.load(Ordering::Relaxed)
}

/// Makes the first signal set this token during the lifetime of the guard.
pub fn guard(token: &Cancel) -> Guard {
    if received() {
        token.interrupt();
        token.cancel_certification();
    }
    let mut job = JOB.lock().unwrap_or_else(PoisonError::into_inner);
    Guard(job.replace(token.clone()))
}

/// Restores the token of the previous job when dropped.
pub struct Guard(Option<Cancel>);

impl Drop for Guard {
    fn drop(&mut self) {
        *JOB.lock().unwrap_or_else(PoisonError::into_inner) = self.0.take();
    }
}
