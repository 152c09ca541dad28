"""DuckDB's `read_csv` into a DuckDB table in memory."""

from collections.abc import Callable
from typing import Any

from harness import fingerprint
from harness.python import Job, PythonContender


def prepare(job: Job) -> Callable[[], Any]:
    import duckdb

    database = duckdb.connect(config={"threads": job.threads})
    missing = ", nullstr = '?'" if job.mixed else ""
    path = job.path.replace("'", "''")

    def run() -> Any:
        database.execute(f"create table t as select * from read_csv('{path}'{missing})")
        return database

    return run


def describe(value: Any, job: Job) -> tuple[None, dict[str, Any]]:
    kinds = [(row[0], row[1]) for row in value.execute("describe t").fetchall()]

    def column(name: str) -> Any:
        return value.execute(f'select "{name}" from t').fetchnumpy()[name]

    if not job.mixed:
        numbers = (column(name) for name, _ in kinds[:-1])
        return None, fingerprint.of_columns(numbers, column(kinds[-1][0]))
    words = [name for name, kind in kinds if kind == "VARCHAR"]
    lengths = "".join(f' + coalesce(strlen("{name}"), 0)' for name in words)
    counts = "".join(f' + ("{name}" is not null)::int' for name in words)
    query = f"select sum(0{counts})::bigint, sum(0{lengths})::bigint from t"
    count, bytes_ = map(int, value.execute(query).fetchone())
    numbers = (column(name) for name, kind in kinds if kind != "VARCHAR")
    return None, fingerprint.of_table(numbers, (count, bytes_), len(kinds))


CONTENDERS = [
    PythonContender(
        f"duckdb-{threads}",
        f"read_csv into a table on {threads} thread{'s'[: threads - 1]}",
        threads,
        module=__name__,
        formats=["csv"],
        packages=["duckdb"],
    )
    for threads in (1, 2)
]
