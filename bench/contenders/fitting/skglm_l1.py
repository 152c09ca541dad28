"""skglm: prox-Newton on working sets, for the l1 penalty. Its compilation is not timed."""

from collections.abc import Callable
from typing import Any

from contenders.fitting.process import Job, PythonFitter
from matrices.kinds import read


def prepare(job: Job) -> Callable[[], Any]:
    from skglm import SparseLogisticRegression

    x, y = read(job.folder)

    def model() -> Any:
        return SparseLogisticRegression(
            alpha=job.weight, tol=job.tol, max_iter=10_000, fit_intercept=False
        )

    model().fit(x[:100], y[:100])  # compiles
    return lambda: model().fit(x, y)


def weights(value: Any, job: Job) -> Any:
    return value.coef_


CONTENDERS = [
    PythonFitter(
        "skglm",
        "skglm's SparseLogisticRegression",
        objectives=[("logistic", "l1")],
        module=__name__,
        packages=["skglm", "numba"],
    )
]
