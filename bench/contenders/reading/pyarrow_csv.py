"""pyarrow's CSV reader."""

from collections.abc import Callable
from typing import Any

from harness import fingerprint
from harness.python import Job, PythonContender


def prepare(job: Job) -> Callable[[], Any]:
    import pyarrow
    from pyarrow import csv

    pyarrow.set_cpu_count(job.threads)
    reading = csv.ReadOptions(use_threads=job.threads > 1)
    missing = {"null_values": ["?"], "strings_can_be_null": True} if job.mixed else {}
    converting = csv.ConvertOptions(**missing)
    return lambda: csv.read_csv(job.path, read_options=reading, convert_options=converting)


def describe(value: Any, job: Job) -> tuple[int, dict[str, Any]]:
    import pyarrow
    from pyarrow import compute

    columns = value.columns
    if not job.mixed:
        numbers = (column.to_numpy() for column in columns[:-1])
        return value.nbytes, fingerprint.of_columns(numbers, columns[-1].to_numpy())
    words = [column for column in columns if pyarrow.types.is_string(column.type)]
    count = sum(len(column) - column.null_count for column in words)
    bytes_ = sum(compute.sum(compute.binary_length(column)).as_py() for column in words)
    numbers = (c.to_numpy() for c in columns if not pyarrow.types.is_string(c.type))
    return value.nbytes, fingerprint.of_table(numbers, (count, bytes_), len(columns))


CONTENDERS = [
    PythonContender(
        f"pyarrow-{threads}",
        f"csv.read_csv on {threads} thread{'s'[: threads - 1]}",
        threads,
        module=__name__,
        formats=["csv"],
        packages=["pyarrow"],
    )
    for threads in (1, 2)
]
