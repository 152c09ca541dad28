"""scikit-learn's `load_svmlight_file`."""

from collections.abc import Callable
from typing import Any

from harness import fingerprint
from harness.python import Job, PythonContender


def prepare(job: Job) -> Callable[[], Any]:
    from sklearn.datasets import load_svmlight_file

    return lambda: load_svmlight_file(job.path)


def describe(value: Any, job: Job) -> tuple[int, dict[str, Any]]:
    x, y = value
    size = x.data.nbytes + x.indices.nbytes + x.indptr.nbytes + y.nbytes
    return size, fingerprint.of_csr(x, y)


CONTENDERS = [
    PythonContender(
        "scikit-learn",
        "load_svmlight_file",
        module=__name__,
        formats=["libsvm"],
        packages=["scikit-learn", "scipy", "numpy"],
    )
]
