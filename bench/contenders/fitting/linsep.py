"""linsep, through its library, with automatic choice of solver and a relative-gap tolerance."""

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
"""Relative gap of the reference fit, which determines the least objective."""
NEAR = 1e-7
"""Relative gap of the reference fit if the smaller one takes too long."""


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
        # # The gap is at most F, so a tolerance above 1 has no effect.
        ladder=tuple(tol for tol in DECADES if tol <= 1),
        objectives={(problem.loss, problem.penalty) for problem in ALL},
        # # The lower bound is certified, so the least objective is known without other contenders.
        reference={
            (p.loss, p.penalty): NEAR if p.loss == "crammer-singer" else TIGHT
            for p in ALL
            if p.levels and threads == 2
        },
    )
    for threads in (1, 2)
]
