"""A contender that computes coefficients by a closed form and returns them in a file."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness import paths
from harness.kinds import Contender, File, Problem, Record
from matrices.kinds import Matrix, read, read_meta


@dataclass(frozen=True)
class Closed(Problem):
    """A matrix with classes, and the closed form to compute."""

    matrix: Matrix
    method: str
    """gaussian or ridge."""
    alpha: float = 0.0
    """Ridge penalty relative to the sum of squares: α‖w‖², as in scikit-learn."""

    def prepare(self, scale: float) -> File:
        folder = self.matrix.prepare(scale)
        meta = read_meta(folder)
        return File(self, folder, meta["bytes"], meta["sha256"])


@lru_cache(1)
def matrix(folder: Path) -> tuple[Any, Any]:
    return read(folder)


@dataclass(frozen=True)
class Computer(Contender):
    methods: Collection[str] = ()
    """Forms that the contender supports."""
    sparse: bool = True
    """Whether sparse matrices are supported."""
    evaluated: bool = True
    """Whether there are coefficients to score."""

    def takes(self, problem: Problem) -> bool:
        dense = problem.matrix.name != "news20"
        return problem.method in self.methods and (self.sparse or dense)

    def planes(self, file: File) -> Path:
        """Output file of the coefficients: weights and intercept of one class after another."""
        name = f"{file.problem.name}-{self.name}-{os.getpid()}.f64"
        return paths.ready(paths.CACHE / "bench-fits" / "planes" / name)

    def examine(self, file: File, record: Record) -> Record:
        """Training accuracy of the coefficients."""
        import numpy as np

        path = self.planes(file)
        found = np.fromfile(path, dtype="<f8")
        path.unlink()
        if not self.evaluated:
            return {}
        x, y = matrix(file.path)
        classes = np.unique(y)
        wide = x.shape[1] + 1
        if len(found) != wide * len(classes) or not np.isfinite(found).all():
            return {"error": f"{len(found)} numbers for {len(classes)} planes, or not all finite"}
        planes = found.reshape(-1, wide)
        scores = x @ planes[:, :-1].T + planes[:, -1]
        return {"accuracy": float(np.mean(classes[scores.argmax(axis=1)] == y))}
