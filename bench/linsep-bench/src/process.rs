//! Memory and processor time of this process, as reported by the kernel; 0 if not available.

use std::fs;

/// Resets the peak to the present resident size; without effect if the kernel does not support it.
pub(crate) fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Peak resident bytes since the start or the last reset.
pub(crate) fn peak() -> u64 {
    status("VmHWM")
}

/// Resident bytes.
pub(crate) fn resident() -> u64 {
    status("VmRSS")
}

/// Processor time of all threads, ended threads included, in seconds with a resolution of 0.01 s.
pub(crate) fn cpu_seconds() -> f64 {
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
