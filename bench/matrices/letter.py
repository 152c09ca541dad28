"""Letters A to Z from sixteen features; standardized columns."""

from typing import Any

from harness.shared import real
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    import numpy as np
    import pandas

    table = pandas.read_csv(real("letter/letter.csv"))[::every]
    x = table.drop(columns="class").to_numpy(dtype=np.float64)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    return x, table["class"].map(ord).to_numpy(dtype=np.float64) - ord("A")


MATRIX = Matrix("letter", "letters A to Z, standardized, dense; real", make)
