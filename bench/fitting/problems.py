"""Problems of the fitting suite: pairs of a matrix and an objective; see `fitting/objective.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import matrices
from fitting import objective
from harness.kinds import File, Problem
from matrices.kinds import Matrix, read, read_meta

LEVELS = (1e-3, 1e-6)
"""Levels: F − F_least ≤ level · F_least."""


@dataclass(frozen=True)
class Fit(Problem):
    matrix: Matrix
    loss: str
    penalty: str = "l2"
    c: float = 1.0
    """1/(nλ), as in LIBLINEAR and scikit-learn; 0 without a penalty."""
    levels: Sequence[float] = LEVELS
    epochs: int | None = None
    """Number of epochs, in place of a level."""

    def prepare(self, scale: float) -> File:
        folder = self.matrix.prepare(scale)
        meta = read_meta(folder)
        return File(self, folder, meta["bytes"], meta["sha256"])

    def weight(self, folder: Path) -> float:
        """λ."""
        return 1 / (read_meta(folder)["n"] * self.c) if self.c else 0.0

    def columns(self, folder: Path) -> int:
        """Number of coefficients."""
        meta = read_meta(folder)
        return meta["d"] * (meta["k"] if objective.joint(self.loss) else 1)

    def judge(self, folder: Path, w: Any, bound: bool = False) -> dict[str, float | None]:
        """The objective at w; with `bound` also an upper bound on its suboptimality."""
        x, y = matrix(folder)
        rest = (w, self.loss, self.penalty, self.weight(folder))
        found = {"objective": objective.value(x, y, *rest)}
        return found | ({"slack": objective.slack(x, y, *rest)} if bound else {})


@lru_cache(1)
def matrix(folder: Path) -> tuple[Any, Any]:
    """The matrix in 64 bits, and its labels."""
    x, y = read(folder)
    return x.astype("float64", copy=False), y


def fit(matrix: Matrix, loss: str, penalty: str = "l2", **more: Any) -> Fit:
    name = f"{loss}-{penalty}-{matrix.name}"
    return Fit(name, f"{loss}, {penalty}, {matrix.about}", matrix, loss, penalty, **more)


ALL = [
    *(
        fit(matrix, "logistic")
        for matrix in (matrices.IMDB, matrices.A9A, matrices.COVTYPE2, matrices.MNIST_EVEN)
    ),
    *(
        fit(matrix, "softmax")
        for matrix in (matrices.MNIST, matrices.COVTYPE7, matrices.LETTER, matrices.NEWS20)
    ),
    *(fit(matrices.NEWS20, loss) for loss in ("one-vs-rest-squared-hinge", "crammer-singer")),
    *(fit(m, "squared-hinge") for m in (matrices.IMDB, matrices.A9A, matrices.COVTYPE2)),
    *(fit(m, "hinge") for m in (matrices.IMDB, matrices.A9A)),
    *(fit(m, "logistic", "l1") for m in (matrices.IMDB, matrices.A9A)),
    Fit(
        "perceptron-imdb",
        f"perceptron, 5 epochs, rows in their order, {matrices.IMDB.about}",
        matrices.IMDB,
        "perceptron",
        c=0.0,
        levels=(),
        epochs=5,
    ),
]
