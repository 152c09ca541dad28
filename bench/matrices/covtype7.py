"""Forest cover types, all seven; standardized columns."""

from typing import Any

from matrices import covtype2
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    x, kinds = covtype2.read_cover(every)
    return x, kinds - 1


MATRIX = Matrix("covtype7", "forest cover, all seven classes, standardized, dense; real", make)
