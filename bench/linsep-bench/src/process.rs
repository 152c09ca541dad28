//! What the kernel says this process holds and has used. Where it does not tell, the answer is 0.

use std::fs;

/// Lets the peak begin anew from what is resident now; where the kernel does not, it stays.
pub(crate) fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most bytes that were resident since the start, or since the peak was forgotten.
pub(crate) fn peak() -> u64 {
    status("VmHWM")
}

/// Bytes resident now.
pub(crate) fn resident() -> u64 {
    status("VmRSS")
}

/// Seconds of processor time of all threads, ended ones included, to the hundredth.
pub(crate) fn cpu_seconds() -> f64 {
    ticks(&fs::read_to_string("/proc/self/stat").unwrap_or_default()) as f64 / 100.0
}

/// User and system ticks: words 14 and 15, the second of which is a name in brackets.
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
    fn a_field_is_found_by_its_whole_name() {
        let text = "VmPeak:\t  9 kB\nVmHWM:\t  120 kB\nThreads:\t1\n";
        assert_eq!(field(text, "VmHWM"), 120 * 1024);
        assert_eq!(field(text, "Vm"), 0);
        assert_eq!(field(text, "Threads"), 0, "not a size");
    }

    #[test]
    fn ticks_are_found_whatever_the_name() {
        assert_eq!(ticks("7 (a) b) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20"), 42);
        assert_eq!(ticks(""), 0);
    }
}
