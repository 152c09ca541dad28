"""Description of the machine of the measurements."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from harness import paths


def describe() -> dict[str, Any]:
    """Processor, memory, system and tools."""
    cpu = _field("/proc/cpuinfo", "model name") or platform.processor()
    memory = _field("/proc/meminfo", "MemTotal").split()
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory[0]) / 2**20, 1) if memory else None,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "rustc": _output("rustc", "--version"),
        "commit": _output("git", "rev-parse", "--short", "HEAD") + _changes(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def _changes() -> str:
    changed = _output("git", "status", "--porcelain", "--", "crates")
    return " and changes" if changed else ""


def _field(path: str, key: str) -> str:
    if Path(path).exists():
        for line in Path(path).read_text().splitlines():
            if line.startswith(key):
                return line.split(":", 1)[1].strip()
    return ""


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, cwd=paths.PROJECT, capture_output=True, text=True)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip()
