//! Memory of the machine and of the control group of the process, from `/proc` and `/sys`.

use std::fs;
use std::path::Path;

/// Returns the memory of the machine, or the limit of the control group if smaller.
pub(super) fn memory() -> Option<u64> {
    installed().into_iter().chain(control_group()).min()
}

/// Returns the installed memory.
fn installed() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Returns the smallest limit of the control groups of the process (version 2 or version 1).
fn control_group() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut limits = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let path = path.trim_start_matches('/');
        limits.extend(Path::new(path).ancestors().filter_map(|group| {
            let text = fs::read_to_string(Path::new(root).join(group).join(file)).ok()?;
            text.trim().parse::<u64>().ok()
        }));
    }
    limits.into_iter().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn the_default_is_less_than_the_installed_memory() {
        let Some(installed) = installed() else { return };
        assert!(Memory::default() < Memory(installed) && Memory::default().0 > 0);
    }
}
