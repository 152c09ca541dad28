"""BLAS' symmetric rank-k update through numpy: a lower bound on the time of forming XᵀX."""

from collections.abc import Callable
from typing import Any

from contenders.closed.process import Job, PythonComputer
from matrices.kinds import read


def prepare(job: Job) -> Callable[[], Any]:
    x, _ = read(job.folder)
    return lambda: x.T @ x  # numpy detects that both operands are the same matrix


def planes(value: Any, job: Job) -> Any:
    return value[:1]


CONTENDERS = [
    PythonComputer(
        f"syrk-{threads}",
        f"XᵀX by BLAS on {threads} thread{'s'[: threads - 1]}: a yardstick",
        threads,
        module=__name__,
        methods=["gaussian", "ridge"],
        sparse=False,
        evaluated=False,
        packages=["numpy"],
    )
    for threads in (1, 2)
]
