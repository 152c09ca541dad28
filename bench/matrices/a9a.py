"""a9a: income above 50 000 dollars; 123 binary columns, every value 1, about 14 per row."""

from typing import Any

from harness.shared import real
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    from sklearn.datasets import load_svmlight_file

    x, y = load_svmlight_file(str(real("a9a/a9a.txt")), n_features=123)
    return x[::every], y[::every]


MATRIX = Matrix("a9a", "who earns much, flags, 64 bits, sparse; real", make)
