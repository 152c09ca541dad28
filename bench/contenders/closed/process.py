"""Contenders in Python. `python -m contenders.closed.process MODULE JOB` is the process of one run.

A contender's module has two functions:

    prepare(job) -> run         imports, loads and converts; `run()` is timed
    planes(value, job)          coefficients and intercept of each class, from the result of `run`
"""

import importlib
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from contenders.closed.kinds import Computer
from harness.kinds import File
from harness.python import threading, timed


@dataclass(frozen=True)
class Job:
    """Job of a contender."""

    folder: str
    alpha: float
    variant: str
    out: str


@dataclass(frozen=True)
class PythonComputer(Computer):
    """Runs a module of this folder in a fresh interpreter."""

    module: str = ""
    variant: str = ""
    packages: Sequence[str] = ()

    def command(self, file: File) -> list[str]:
        job = Job(str(file.path), file.problem.alpha, self.variant, str(self.planes(file)))
        words = [self.module, json.dumps(asdict(job))]
        return [sys.executable, "-m", "contenders.closed.process", *words]

    def environment(self) -> dict[str, str]:
        return threading(self.threads)

    def version(self) -> dict[str, str]:
        return {package: version(package) for package in self.packages}


def main() -> None:
    import numpy as np

    warnings.simplefilter("ignore")  # collinearity warnings are expected
    module = importlib.import_module(sys.argv[1])
    job = Job(**json.loads(sys.argv[2]))
    value, record = timed(module.prepare(job))
    np.asarray(module.planes(value, job), dtype="<f8").ravel().tofile(job.out)
    print(json.dumps(record))


if __name__ == "__main__":
    main()
