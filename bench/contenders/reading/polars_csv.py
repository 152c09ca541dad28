"""polars' `read_csv`: to its own frame, or to a numpy matrix, the input of a learner."""

from collections.abc import Callable
from typing import Any

from harness import fingerprint
from harness.python import Job, PythonContender


def prepare(job: Job) -> Callable[[], Any]:
    import polars

    def frame() -> Any:
        return polars.read_csv(job.path, null_values=["?"] if job.mixed else None)

    return frame if job.variant == "frame" else lambda: frame().to_numpy()


def describe(value: Any, job: Job) -> tuple[int, dict[str, Any]]:
    if job.variant == "numpy":
        return value.nbytes, fingerprint.of_columns(value.T[:-1], value[:, -1])
    columns = value.get_columns()
    size = value.estimated_size()
    if not job.mixed:
        numbers = (column.to_numpy() for column in columns[:-1])
        return size, fingerprint.of_columns(numbers, columns[-1].to_numpy())
    words = [column for column in columns if not column.dtype.is_numeric()]
    count = sum(column.count() for column in words)
    bytes_ = sum(column.str.len_bytes().sum() for column in words)
    numbers = (column.to_numpy() for column in columns if column.dtype.is_numeric())
    return size, fingerprint.of_table(numbers, (count, bytes_), len(columns))


CONTENDERS = [
    PythonContender(
        f"polars{suffix}-{threads}",
        f"read_csv{about} on {threads} thread{'s'[: threads - 1]}",
        threads,
        module=__name__,
        variant=variant,
        formats=["csv"],
        mixed=variant == "frame",
        packages=["polars"],
    )
    for variant, suffix, about in [("frame", "", ""), ("numpy", "-numpy", " and to_numpy")]
    for threads in (1, 2)
]
