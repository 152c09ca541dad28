"""pandas' `read_csv` with its C engine, on one thread."""

from collections.abc import Callable
from typing import Any

from harness import fingerprint
from harness.python import Job, PythonContender


def prepare(job: Job) -> Callable[[], Any]:
    import pandas

    return lambda: pandas.read_csv(job.path, engine="c", na_values=["?"] if job.mixed else None)


def describe(value: Any, job: Job) -> tuple[int, dict[str, Any]]:
    size = int(value.memory_usage(deep=True).sum())
    names = list(value.columns)
    if not job.mixed:
        numbers = (value[name].to_numpy() for name in names[:-1])
        return size, fingerprint.of_columns(numbers, value[names[-1]].to_numpy())
    numeric = set(value.select_dtypes("number").columns)
    words = [value[name].dropna() for name in names if name not in numeric]
    count = sum(len(column) for column in words)
    bytes_ = sum(int(column.str.len().sum()) for column in words)  # adult is plain ASCII
    numbers = (value[name].to_numpy() for name in names if name in numeric)
    return size, fingerprint.of_table(numbers, (count, bytes_), len(names))


CONTENDERS = [
    PythonContender(
        "pandas",
        "read_csv, C engine",
        module=__name__,
        formats=["csv"],
        packages=["pandas"],
    )
]
