"""Fitters in Python. `python -m contenders.fitting.process MODULE JOB` is the process of one fit.

A contender's module has two functions:

    prepare(job) -> run         imports, loads and converts; `run()` is timed
    weights(value, job)         the coefficients in the result of `run`
"""

import importlib
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from contenders.fitting.kinds import Fitter
from harness.kinds import File
from harness.python import threading, timed


@dataclass(frozen=True)
class Job:
    """Job of a contender."""

    folder: str
    loss: str
    penalty: str
    c: float
    weight: float
    epochs: int | None
    tol: float | None
    threads: int
    variant: str
    out: str


@dataclass(frozen=True)
class PythonFitter(Fitter):
    """Runs a module of this folder in a fresh interpreter."""

    module: str = ""
    variant: str = ""
    packages: Sequence[str] = ()

    def job(self, file: File) -> Job:
        problem = file.problem
        return Job(
            folder=str(file.path),
            loss=problem.loss,
            penalty=problem.penalty,
            c=problem.c,
            weight=problem.weight(file.path),
            epochs=problem.epochs,
            tol=self.tol,
            threads=self.threads,
            variant=self.variant,
            out=str(self.weights(file)),
        )

    def command(self, file: File) -> list[str]:
        job = json.dumps(asdict(self.job(file)))
        return [sys.executable, "-m", "contenders.fitting.process", self.module, job]

    def environment(self) -> dict[str, str]:
        return threading(self.threads)

    def version(self) -> dict[str, str]:
        return {package: version(package) for package in self.packages}


def main() -> None:
    import numpy as np

    warnings.simplefilter("ignore")  # convergence warnings are expected at large tolerances
    module = importlib.import_module(sys.argv[1])
    job = Job(**json.loads(sys.argv[2]))
    value, record = timed(module.prepare(job))
    np.asarray(module.weights(value, job), dtype="<f8").ravel().tofile(job.out)
    print(json.dumps(record))


if __name__ == "__main__":
    main()
