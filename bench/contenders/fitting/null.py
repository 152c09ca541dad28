"""Null contender: all coefficients are zero. The cost of a fresh process and of timing."""

from collections.abc import Callable
from typing import Any

from contenders.fitting.process import Job, PythonFitter
from fitting.objective import joint
from fitting.problems import ALL
from matrices.kinds import read, read_meta


def prepare(job: Job) -> Callable[[], Any]:
    import numpy as np

    read(job.folder)
    meta = read_meta(job.folder)
    weights = meta["d"] * (meta["k"] if joint(job.loss) else 1)
    return lambda: np.zeros(weights)


def weights(value: Any, job: Job) -> Any:
    return value


CONTENDERS = [
    PythonFitter(
        "null",
        "returns zeros at once",
        ladder=(),
        objectives={(problem.loss, problem.penalty) for problem in ALL},
        module=__name__,
    )
]
