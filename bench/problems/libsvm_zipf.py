"""About 300 MB of LIBSVM text: 22 million pairs in 100 000 columns, distributed as in text.

Column j has probability proportional to 1/(j + 10) (Zipf's law). A row has about 75 pairs; its
values have norm 1 and four significant digits. The label is the side of a hyperplane. Rows are
generated up to the number of pairs.
"""

from collections.abc import Iterator
from typing import Any

from harness.kinds import TextFile

PAIRS = 22_200_000
COLUMNS = 100_000
CHUNK = 2_000


def make(scale: float) -> Iterator[bytes]:
    import numpy as np

    rng = np.random.default_rng(40_000)
    mass = np.cumsum(1 / (np.arange(COLUMNS) + 10))
    numbers = rng.permutation(COLUMNS) + 1  # frequent columns have random indices
    plane = rng.standard_normal(COLUMNS + 1)
    left = max(200, round(PAIRS * scale))
    while left > 0:
        lengths = np.maximum(1, rng.lognormal(np.log(72), 0.5, CHUNK)).astype(int)
        rows = np.repeat(np.arange(CHUNK), lengths)
        drawn = numbers[np.searchsorted(mass, rng.random(len(rows)) * mass[-1])]
        pairs = np.unique(rows * (COLUMNS + 1) + drawn)  # distinct, ascending within a row
        rows, index = np.divmod(pairs, COLUMNS + 1)
        value = rng.lognormal(0, 0.7, len(rows))
        value /= np.sqrt(np.bincount(rows, value**2))[rows]
        score = np.bincount(rows, value * plane[index])
        yield text(score, np.bincount(rows), index.tolist(), value.tolist())
        left -= len(rows)


def text(score: Any, lengths: Any, index: list[int], value: list[float]) -> bytes:
    """Formats rows."""
    lines, at = [], 0
    for z, n in zip(score.tolist(), lengths.tolist(), strict=True):
        both = zip(index[at : at + n], value[at : at + n], strict=True)
        pairs = [item for pair in both for item in pair]
        lines.append(("+1" if z > 0 else "-1") + (" %d:%.4g" * n) % tuple(pairs))
        at += n
    return ("\n".join(lines) + "\n").encode()


PROBLEM = TextFile("libsvm-zipf", "22 M pairs in 100 000 columns, about 300 MB", "libsvm", make)
