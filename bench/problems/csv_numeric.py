"""About 300 MB of numbers as CSV: 1 050 000 rows, 30 features and a class.

Literals have the lengths of those in real files, from one digit to all seventeen:

| columns | kind | example |
|---|---|---|
| 3 | binary | 1 |
| 5 | integers of 1 to 9 digits, one column with signs | -48213 |
| 6 | two or three decimals, such as prices and temperatures | 103.25 |
| 6 | four to six decimals, such as standardized columns | -0.734106 |
| 4 | six significant digits over many magnitudes, some with an exponent | 3.0518e-05 |
| 6 | computed doubles, in full precision | 0.8391203848123847 |
| 1 | the class, 0 or 1 | 0 |
"""

from collections.abc import Iterator
from typing import Any

from harness.kinds import TextFile

ROWS = 1_050_000
CHUNK = 10_000
FORMATS = (
    ["%d"] * 8
    + ["%.2f", "%.2f", "%.2f", "%.3f", "%.3f", "%.2f"]
    + ["%.4f", "%.5f", "%.6f", "%.6f", "%.6f", "%.6f"]
    + ["%.6g"] * 4
    + ["%r"] * 6
    + ["%d"]
)


def make(scale: float) -> Iterator[bytes]:
    import numpy as np

    rng = np.random.default_rng(20_000)
    yield (",".join([*(f"x{j}" for j in range(1, 31)), "class"]) + "\n").encode()
    left = max(20, round(ROWS * scale))
    line = ",".join(FORMATS) + "\n"
    while left > 0:
        n = min(left, CHUNK)
        rows = [value for row in zip(*columns(rng, n), strict=True) for value in row]
        yield ((line * n) % tuple(rows)).encode()
        left -= n


def columns(rng: Any, n: int) -> list[list[float]]:
    """Returns the columns of n rows."""
    import numpy as np

    z = rng.standard_normal((22, n))
    return [
        *(rng.random((3, n)) < np.array([[0.5], [0.1], [0.8]])).astype(int).tolist(),
        *(rng.integers(0, most, n).tolist() for most in (100, 5_000, 1_000_000, 1_000_000_000)),
        np.round(40_000 * z[20]).astype(int).tolist(),
        *(np.exp(z[j] * 0.8 + at).tolist() for j, at in enumerate((1.0, 3.0, 4.5, 2.0, 6.0))),
        (z[5] * 12 + 9).tolist(),
        *z[6:12].tolist(),
        *np.exp(z[12:16] * 4).tolist(),
        *(1 / (1 + np.exp(-z[16:20]))).tolist(),
        (z[0] * z[6] * 100).tolist(),
        (z[21] * 1e4).tolist(),
        (z[6] + z[7] - z[8] > 0).astype(int).tolist(),
    ]


PROBLEM = TextFile("csv-numeric", "1.05 M × 31 numbers of all lengths, about 300 MB", "csv", make)
