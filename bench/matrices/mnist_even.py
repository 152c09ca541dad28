"""Handwritten digits, even against odd: pixels from 0 to 1 in 32 bits, sparse (80 % zeros)."""

import gzip
from typing import Any

from harness.shared import real
from matrices.kinds import Matrix


def read_digits(every: int) -> tuple[Any, Any]:
    """Digits, and their pixels."""
    import numpy as np
    from scipy.sparse import csr_matrix

    def body(name: str, head: int) -> Any:
        with gzip.open(real(f"mnist/train-{name}-ubyte.gz")) as file:
            return np.frombuffer(file.read(), dtype=np.uint8, offset=head)

    digits = body("labels-idx1", 8)[::every]
    pixels = body("images-idx3", 16).reshape(-1, 784)[::every]
    return digits, csr_matrix(pixels / np.float32(255))


def make(every: int) -> tuple[Any, Any]:
    import numpy as np

    digits, x = read_digits(every)
    return x, np.where(digits % 2 == 0, 1.0, -1.0)


MATRIX = Matrix("mnist-even", "digits, even or odd, 32 bits, sparse; real", make)
