"""Contenders in Python. `python -m harness.python MODULE JOB` is the process that runs one.

A contender's module has two functions:

    prepare(job) -> run         imports packages; `run()` is timed
    describe(value, job)        size in bytes of the result of `run`, and its fingerprint
"""

import contextlib
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

from harness.kinds import Contender, File, Problem


@dataclass(frozen=True)
class Job:
    """Job of a contender."""

    path: str
    format: str
    threads: int
    mixed: bool
    variant: str


@dataclass(frozen=True)
class PythonContender(Contender):
    """Runs a module of this folder in a fresh interpreter."""

    module: str = ""
    variant: str = ""
    formats: Sequence[str] = ()
    mixed: bool = True
    """Whether tables with categorical columns are supported."""
    packages: Sequence[str] = ()
    variables: dict[str, str] = field(default_factory=dict)

    def takes(self, problem: Problem) -> bool:
        return problem.format in self.formats and (self.mixed or not problem.mixed)

    def command(self, file: File) -> list[str]:
        problem = file.problem
        job = Job(str(file.path), problem.format, self.threads, problem.mixed, self.variant)
        return [sys.executable, "-m", "harness.python", self.module, json.dumps(asdict(job))]

    def environment(self) -> dict[str, str]:
        return {**threading(self.threads), **self.variables}

    def version(self) -> dict[str, str]:
        return {package: version(package) for package in self.packages}


def threading(threads: int) -> dict[str, str]:
    """Environment variables that set the number of threads of the libraries."""
    names = ["OMP", "OPENBLAS", "NUMBA"]
    found = {f"{name}_NUM_THREADS": str(threads) for name in names}
    return {**found, "POLARS_MAX_THREADS": str(threads)}


def memory(key: str) -> int:
    """VmHWM (peak) or VmRSS (now) of this process, in bytes."""
    with open("/proc/self/status") as lines:
        found = next((line for line in lines if line.startswith(key + ":")), "0 0 kB")
    return int(found.split()[1]) * 1024


def forget_peak() -> None:
    """Resets the peak to the present resident size; no effect if the kernel does not support it."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def timed(run: Callable[[], Any]) -> tuple[Any, dict[str, Any]]:
    """Runs `run`; returns its result and the measurements."""
    forget_peak()
    start_bytes = memory("VmRSS")
    cpu, start = time.process_time(), time.perf_counter()
    value = run()
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    record = {"seconds": seconds, "cpu_seconds": cpu, "start_bytes": start_bytes}
    return value, record | {"peak_bytes": memory("VmHWM")}


def main() -> None:
    module = importlib.import_module(sys.argv[1])
    job = Job(**json.loads(sys.argv[2]))
    value, record = timed(module.prepare(job))
    record["threads"] = job.threads
    record["result_bytes"], record["fingerprint"] = module.describe(value, job)
    print(json.dumps(record))


if __name__ == "__main__":
    main()
