"""Forest cover types, the second class against the rest; standardized columns."""

from typing import Any

from harness.shared import real
from matrices.kinds import Matrix


def read_cover(every: int) -> tuple[Any, Any]:
    """Columns, and classes from 1 to 7."""
    import numpy as np
    import pandas

    table = pandas.read_csv(real("covtype/covtype.csv.gz"), dtype=np.float64).to_numpy()[::every]
    x, kinds = table[:, :-1], table[:, -1]
    spread = x.std(axis=0)
    x = (x - x.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return x, kinds


def make(every: int) -> tuple[Any, Any]:
    import numpy as np

    x, kinds = read_cover(every)
    return x, np.where(kinds == 2, 1.0, -1.0)


MATRIX = Matrix("covtype2", "forest cover, class 2 or not, standardized, dense; real", make)
