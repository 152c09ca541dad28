"""linsep, through its library, with the solver it chooses; its tolerance is the relative gap."""

import functools
import hashlib
import subprocess
from dataclasses import dataclass
from pathlib import Path

from contenders.fitting.kinds import DECADES, Fitter
from contenders.program import program, version
from fitting.problems import ALL
from harness.kinds import Absent, File


TIGHT = 1e-9
"""The relative gap of the fit that settles the least objective."""
NEAR = 1e-7
"""The same where that takes too long."""


@functools.cache
def digest() -> str:
    return hashlib.sha256(Path(program()).read_bytes()).hexdigest()


@dataclass(frozen=True)
class Linsep(Fitter):
    def build(self) -> None:
        asked = subprocess.run([program(), "fit", "--help"], capture_output=True)
        if asked.returncode != 0:
            raise Absent("this linsep-bench has no job `fit`")

    def command(self, file: File) -> list[str]:
        problem = file.problem
        options = {
            "matrix": file.path,
            "loss": problem.loss,
            "penalty": problem.penalty,
            "lambda": repr(problem.weight(file.path)),
            "solver": "auto",
            "threads": self.threads,
            "out": self.weights(file),
        }
        if self.tol is not None:
            options["tol"] = repr(self.tol)
        if problem.epochs:
            options["max-iter"] = problem.epochs
        words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
        return [program(), "fit", *words, "--no-intercept"]

    def version(self) -> dict[str, str]:
        return version()

    def stamp(self) -> str:
        return digest()


CONTENDERS = [
    Linsep(
        f"linsep-{threads}",
        f"linsep on {threads} thread{'s'[: threads - 1]}",
        threads,
        ours=True,
        # The gap is never more than F: the first rung is where every run begins.
        ladder=tuple(tol for tol in DECADES if tol <= 1),
        objectives={(problem.loss, problem.penalty) for problem in ALL},
        # Its bound is proved, so whoever else runs, the least objective is known.
        reference={
            (p.loss, p.penalty): NEAR if p.loss == "crammer-singer" else TIGHT
            for p in ALL
            if p.levels and threads == 2
        },
    )
    for threads in (1, 2)
]
