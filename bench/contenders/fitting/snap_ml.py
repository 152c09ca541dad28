"""Snap ML: LogisticRegression and SupportVectorMachine, with data in 32 bits, as required."""

from collections.abc import Callable
from typing import Any

from contenders.fitting.process import Job, PythonFitter
from matrices.kinds import read


def prepare(job: Job) -> Callable[[], Any]:
    import snapml

    x, y = read(job.folder)
    x = x.astype("float32")
    settings = {
        "regularizer": 1 / job.c,
        "tol": job.tol,
        "max_iter": 1_000_000,
        "n_jobs": job.threads,
        "fit_intercept": False,
        "random_state": 0,
    }
    if job.loss == "logistic":
        dual = job.penalty == "l2"
        model = snapml.LogisticRegression(penalty=job.penalty, dual=dual, **settings)
    else:
        loss = job.loss.replace("-", "_")
        model = snapml.SupportVectorMachine(loss=loss, **settings)
    return lambda: model.fit(x, y)


def weights(value: Any, job: Job) -> Any:
    return value.coef_


CONTENDERS = [
    PythonFitter(
        f"snapml-{threads}",
        f"Snap ML on {threads} thread{'s'[: threads - 1]}",
        threads,
        objectives=[
            ("logistic", "l2"),
            ("logistic", "l1"),
            ("squared-hinge", "l2"),
            ("hinge", "l2"),
        ],
        module=__name__,
        packages=["snapml"],
    )
    for threads in (1, 2)
]
