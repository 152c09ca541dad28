"""scikit-learn: LogisticRegression with each of its solvers, LinearSVC, Perceptron."""

from collections.abc import Callable
from typing import Any

from contenders.fitting.process import Job, PythonFitter
from matrices.kinds import read

PACKAGES = ["scikit-learn", "scipy", "numpy"]
MOST = 10_000_000
"""Iteration limit, never reached: only the tolerance ends a fit."""


def prepare(job: Job) -> Callable[[], Any]:
    from sklearn import linear_model, svm

    x, y = read(job.folder)
    kind, _, rest = job.variant.partition(" ")
    if kind == "perceptron":
        model = linear_model.Perceptron(
            max_iter=job.epochs, tol=None, shuffle=False, fit_intercept=False
        )
    elif kind == "svc":
        loss = {"hinge": "hinge", "squared-hinge": "squared_hinge"}[job.loss]
        model = svm.LinearSVC(
            loss=loss, dual=rest == "dual", C=job.c, tol=job.tol, max_iter=MOST, random_state=0
        )
    else:
        if kind == "newton-cholesky":
            x = (x.toarray() if hasattr(x, "toarray") else x).astype("float64")
        model = linear_model.LogisticRegression(
            solver=kind,
            C=job.c,
            l1_ratio=1.0 if job.penalty == "l1" else 0.0,
            tol=job.tol,
            max_iter=MOST,
            random_state=0,
        )
    model.set_params(fit_intercept=False)
    return lambda: model.fit(x, y)


def weights(value: Any, job: Job) -> Any:
    return value.coef_


def narrow(matrix: str) -> bool:
    """Whether the columns are few enough for a Hessian matrix."""
    return matrix not in ("imdb", "news20")


def dense(matrix: str) -> bool:
    """Whether the storage is dense, so that BLAS and its threads are used."""
    return matrix in ("covtype2", "covtype7", "letter")


def contender(name: str, about: str, variant: str, objectives: list[Any], **more: Any) -> Any:
    threads = more.get("threads", 1)
    return PythonFitter(
        f"sklearn-{name}" + (f"-{threads}" if threads > 1 else ""),
        about + (f", BLAS on {threads} threads" if threads > 1 else ""),
        module=__name__,
        variant=variant,
        objectives=objectives,
        packages=PACKAGES,
        **more,
    )


LOGISTIC, L1 = ("logistic", "l2"), ("logistic", "l1")
SMOOTH = [LOGISTIC, ("softmax", "l2")]
ABOUT = "LogisticRegression, solver"
CONTENDERS = [
    contender("lbfgs", f"{ABOUT} lbfgs", "lbfgs", SMOOTH),
    contender("lbfgs", f"{ABOUT} lbfgs", "lbfgs", SMOOTH, threads=2, suits=dense),
    contender("newton-cg", f"{ABOUT} newton-cg", "newton-cg", SMOOTH),
    contender(
        "newton-cholesky", f"{ABOUT} newton-cholesky", "newton-cholesky", SMOOTH, suits=narrow
    ),
    contender(
        "newton-cholesky",
        f"{ABOUT} newton-cholesky",
        "newton-cholesky",
        SMOOTH,
        suits=narrow,
        threads=2,
    ),
    contender("saga", f"{ABOUT} saga", "saga", [*SMOOTH, L1]),
    contender("liblinear", f"{ABOUT} liblinear", "liblinear", [LOGISTIC, L1]),
    contender("svc-primal", "LinearSVC, primal", "svc primal", [("squared-hinge", "l2")]),
    contender(
        "svc-dual",
        "LinearSVC, dual",
        "svc dual",
        [("squared-hinge", "l2"), ("hinge", "l2")],
        reference={("hinge", "l2"): 1e-6},
    ),
    contender("perceptron", "Perceptron", "perceptron", [("perceptron", "l2")], ladder=()),
]
