"""Handwritten digits, ten classes: pixels from 0 to 1 in 32 bits, sparse (80 % zeros)."""

from typing import Any

from matrices import mnist_even
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    digits, x = mnist_even.read_digits(every)
    return x, digits


MATRIX = Matrix("mnist", "digits, all ten, 32 bits, sparse; real", make)
