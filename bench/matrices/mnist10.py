"""Handwritten digits, ten classes: pixels from 0 to 1, dense, in 64 bits."""

from typing import Any

from matrices import mnist_even
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    digits, x = mnist_even.read_digits(every)
    return x.toarray().astype("float64"), digits


MATRIX = Matrix("mnist10", "digits, 10 classes, 784 columns, dense; real", make)
