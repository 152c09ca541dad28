//! Time, memory and processor time of this process; those of the kernel are 0 if not available.

use serde::Serialize;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Measurements that every job prints.
#[derive(Serialize)]
pub(crate) struct Usage {
    version: &'static str,
    threads: usize,
    pub(crate) seconds: f64,
    /// Processor time of all threads.
    cpu_seconds: f64,
    /// Resident bytes before the job, and the peak until its end.
    start_bytes: u64,
    peak_bytes: u64,
}

/// Start of a job.
pub(crate) struct Meter {
    start_bytes: u64,
    cpu: f64,
    clock: Instant,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self { start_bytes: resident(), cpu: cpu_seconds(), clock: Instant::now() }
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    pub(crate) fn stop(&self, threads: usize) -> Usage {
        Usage {
            version: env!("CARGO_PKG_VERSION"),
            threads,
            seconds: self.seconds(),
            cpu_seconds: cpu_seconds() - self.cpu,
            start_bytes: self.start_bytes,
            peak_bytes: peak(),
        }
    }
}

/// Returns a pool of threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, String> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| e.to_string())
}

/// Writes numbers as little-endian doubles.
pub(crate) fn write(path: &Path, numbers: impl Iterator<Item = f64>) -> Result<(), String> {
    let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// Resets the peak to the present resident size; without effect if the kernel does not support it.
pub(crate) fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Peak resident bytes since the start or the last reset.
fn peak() -> u64 {
    status("VmHWM")
}

/// Resident bytes.
fn resident() -> u64 {
    status("VmRSS")
}

/// Processor time of all threads, ended threads included, in seconds with a resolution of 0.01 s.
fn cpu_seconds() -> f64 {
    ticks(&fs::read_to_string("/proc/self/stat").unwrap_or_default()) as f64 / 100.0
}

/// User and system ticks: fields 14 and 15. Field 2 is a name in parentheses, which may contain
/// spaces.
fn ticks(text: &str) -> u64 {
    let behind = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    behind.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum()
}

fn status(key: &str) -> u64 {
    field(&fs::read_to_string("/proc/self/status").unwrap_or_default(), key)
}

fn field(text: &str, key: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kib = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_match_by_the_whole_name() {
        let text = "VmPeak:\t  9 kB\nVmHWM:\t  120 kB\nThreads:\t1\n";
        assert_eq!(field(text, "VmHWM"), 120 * 1024);
        assert_eq!(field(text, "Vm"), 0);
        assert_eq!(field(text, "Threads"), 0, "not a size");
    }

    #[test]
    fn ticks_are_found_for_any_process_name() {
        assert_eq!(ticks("7 (a) b) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20"), 42);
        assert_eq!(ticks(""), 0);
    }
}
