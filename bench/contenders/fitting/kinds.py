"""A contender that fits at a tolerance of its own and returns coefficients in a file."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from harness import paths
from harness.kinds import Contender, File, Problem, Record

DECADES = tuple(10.0**-k for k in range(-1, 10))


@dataclass(frozen=True)
class Fitter(Contender):
    ladder: tuple[float, ...] = DECADES
    """Tolerances in the contender's definition, in decreasing order; empty without a tolerance."""
    tol: float | None = None
    """Tolerance of the fit."""
    objectives: Collection[tuple[str, str]] = ()
    """Supported losses and penalties."""
    reference: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Loss and penalty of the reference fits, with their tolerance."""
    suits: Callable[[str], bool] | None = None
    """Whether the contender is suitable for a matrix."""

    def takes(self, problem: Problem) -> bool:
        able = (problem.loss, problem.penalty) in self.objectives
        return able and (self.suits is None or self.suits(problem.matrix.name))

    def at(self, tol: float) -> Self:
        """Returns the contender at another tolerance."""
        return replace(self, tol=tol)

    def long(self, problem: Problem) -> float | None:
        """Tolerance of the reference fit of this problem, if the contender makes one."""
        return self.reference.get((problem.loss, problem.penalty))

    def stamp(self) -> str:
        """Key of the implementation; changes whenever the results may have changed."""
        return " ".join(f"{name} {version}" for name, version in sorted(self.version().items()))

    def weights(self, file: File) -> Path:
        """Output file of the coefficients, as 64-bit numbers."""
        name = f"{file.problem.name}-{self.name}-{os.getpid()}.f64"
        return paths.ready(paths.CACHE / "bench-fits" / "weights" / name)

    def examine(self, file: File, record: Record) -> Record:
        import numpy as np

        path = self.weights(file)
        found = np.fromfile(path, dtype="<f8")
        path.unlink()
        columns = file.problem.columns(file.path)
        w = found[:columns]  # an intercept, if any, follows the coefficients
        if len(found) - columns not in (0, 1) or not np.isfinite(w).all():
            return {"error": f"{len(found)} weights for {columns} columns, or not all finite"}
        bound = self.tol is not None and self.tol == self.long(file.problem)
        return {"tol": self.tol, **file.problem.judge(file.path, w, bound)}
