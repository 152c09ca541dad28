"""celer: prox-Newton on working sets, for the L1 penalty."""

from collections.abc import Callable
from typing import Any

from contenders.fitting.process import Job, PythonFitter
from matrices.kinds import read


def prepare(job: Job) -> Callable[[], Any]:
    from celer import LogisticRegression

    x, y = read(job.folder)
    x = x.astype("float64")  # supports only 64 bits
    model = LogisticRegression(C=job.c, tol=job.tol, fit_intercept=False, max_iter=10_000)
    return lambda: model.fit(x, y)


def weights(value: Any, job: Job) -> Any:
    return value.coef_


CONTENDERS = [
    PythonFitter(
        "celer",
        "celer's LogisticRegression, solver celer-pn",
        objectives=[("logistic", "l1")],
        reference={("logistic", "l1"): 1e-9},
        module=__name__,
        packages=["celer"],
    )
]
