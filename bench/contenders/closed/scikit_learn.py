"""scikit-learn: LinearDiscriminantAnalysis with each of its solvers, RidgeClassifier."""

from collections.abc import Callable
from typing import Any

from contenders.closed.process import Job, PythonComputer
from matrices.kinds import read

PACKAGES = ["scikit-learn", "scipy", "numpy"]


def prepare(job: Job) -> Callable[[], Any]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import RidgeClassifier

    x, y = read(job.folder)
    kind, _, solver = job.variant.partition(" ")
    if kind == "lda":
        model = LinearDiscriminantAnalysis(solver=solver)
    else:
        model = RidgeClassifier(alpha=job.alpha, solver=solver)
    return lambda: model.fit(x, y)


def planes(value: Any, job: Job) -> Any:
    import numpy as np

    return np.column_stack([value.coef_, value.intercept_])


def contender(variant: str, threads: int, **more: Any) -> PythonComputer:
    kind, _, solver = variant.partition(" ")
    about = {"lda": "LinearDiscriminantAnalysis", "ridge": "RidgeClassifier"}[kind]
    return PythonComputer(
        f"sklearn-{kind}-{solver}-{threads}",
        f"{about}, solver {solver}, BLAS on {threads} thread{'s'[: threads - 1]}",
        threads,
        module=__name__,
        variant=variant,
        methods=["gaussian" if kind == "lda" else "ridge"],
        packages=PACKAGES,
        **more,
    )


CONTENDERS = [
    contender(variant, threads, sparse=sparse)
    for variant, sparse in [
        ("lda svd", False),
        ("lda lsqr", False),
        ("lda eigen", False),
        ("ridge auto", True),
        ("ridge cholesky", False),
        ("ridge svd", False),
        ("ridge sparse_cg", True),
    ]
    for threads in (1, 2)
]
