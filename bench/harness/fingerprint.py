"""Checksums that compare two readings of one file, defined in `linsep-bench/src/fingerprint.rs`."""

import math
from collections.abc import Iterable
from typing import Any

MOST = 256
"""Maximum number of columns with stored column sums."""


def of_columns(columns: Iterable[Any], labels: Any = None) -> dict[str, Any]:
    """Checksums of numeric columns; missing cells count as 0."""
    import numpy as np

    sums: list[float] = []
    squares, by_row, place = 0.0, 0.0, np.zeros(0)
    for column in columns:
        values = np.nan_to_num(np.asarray(column, dtype=np.float64), nan=0.0)
        if not sums:
            place = np.arange(1, len(values) + 1, dtype=np.float64)
        sums.append(float(values.sum()))
        squares += float(values @ values)
        by_row += float(values @ place) / len(values)
    found: dict[str, Any] = {"rows": len(place), "cols": len(sums)}
    found |= {"sum": math.fsum(sums), "squares": squares, "by_row": by_row, "columns": sums}
    found["by_column"] = math.fsum(j * s for j, s in enumerate(sums, 1))
    if labels is not None:
        found["labels"] = float(np.asarray(labels, dtype=np.float64) @ place) / len(place)
    return found


def of_table(numbers: Iterable[Any], words: tuple[int, int], cols: int) -> dict[str, Any]:
    """Checksums of a table: numeric columns, number of categorical cells and their bytes."""
    return {**of_columns(numbers), "cols": cols, "words": list(words)}


def of_csr(x: Any, y: Any) -> dict[str, Any]:
    """Checksums of a scipy matrix in CSR format, and its labels."""
    import numpy as np

    n, d = x.shape
    place = np.arange(1, n + 1, dtype=np.float64)
    columns = np.asarray(x.sum(axis=0)).ravel()
    found = {"rows": n, "cols": d, "sum": float(columns.sum())}
    found["squares"] = float(x.data @ x.data)
    found["by_column"] = float(columns @ np.arange(1, d + 1))
    found["by_row"] = float(np.asarray(x.sum(axis=1)).ravel() @ place) / n
    found["labels"] = float(y @ place) / n
    return found | ({"columns": columns.tolist()} if d <= MOST else {})


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Common keys whose values differ by more than 1e-9 of their size."""
    return [key for key in found if key in wanted and not _close(found[key], wanted[key])]


def _close(a: Any, b: Any) -> bool:
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_close, a, b))
    return a == b or math.isclose(a, b, rel_tol=1e-9)
