"""LIBLINEAR through its Python package; the conversion to its rows of nodes is not timed.

`liblinear-multicore`, by the same authors, is the same with OpenMP. Both packages name their module
`liblinear`, so the multicore package is installed into a separate folder.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contenders.fitting.process import Job, PythonFitter
from fitting.objective import joint
from harness import paths
from harness.kinds import Absent
from matrices.kinds import read

MULTICORE = "liblinear-multicore==2.50.0"


def prepare(job: Job) -> Callable[[], Any]:
    from liblinear.liblinear import parameter, problem
    from liblinear.liblinearutil import train
    from scipy.sparse import csr_matrix

    x, y = read(job.folder)
    rows = problem(y, csr_matrix(x), bias=-1)
    cores = f" -m {job.threads}" if job.threads > 1 else ""
    options = parameter(f"-s {job.variant} -c {job.c!r} -e {job.tol!r} -B -1 -q{cores}")
    return lambda: train(rows, options)


def weights(value: Any, job: Job) -> Any:
    import numpy as np

    if joint(job.loss):
        # # A column for each class, in the order of first occurrence in the data.
        k = value.nr_class
        columns = np.ctypeslib.as_array(value.w, (value.nr_feature * k,)).reshape(-1, k)
        return columns[:, np.argsort([value.label[j] for j in range(k)])].T
    # # The coefficients are those of the first class in the data.
    sign = 1.0 if value.label[0] > 0 else -1.0
    return sign * np.ctypeslib.as_array(value.w, (value.nr_feature,))


@dataclass(frozen=True)
class Multicore(PythonFitter):
    def build(self) -> None:
        folder = paths.BUILDS / MULTICORE
        if not (folder / "liblinear").exists():
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
            done = subprocess.run([*pip, "--target", folder, MULTICORE], capture_output=True)
            if done.returncode != 0:
                raise Absent(f"{MULTICORE} cannot be installed")

    def environment(self) -> dict[str, str]:
        path = f"{paths.BUILDS / MULTICORE}:{paths.BENCH}"
        return {**super().environment(), "PYTHONPATH": path}

    def version(self) -> dict[str, str]:
        return dict([MULTICORE.split("==")])


LOGISTIC, SQUARED, REST = "logistic", "squared-hinge", "one-vs-rest-squared-hinge"
SOLVERS = [
    # # -s, description, losses, penalty
    (0, "trust-region Newton", [LOGISTIC], "l2"),
    (7, "dual coordinate descent", [LOGISTIC], "l2"),
    (2, "trust-region Newton", [SQUARED, REST], "l2"),
    (1, "dual coordinate descent", [SQUARED, REST], "l2"),
    (3, "dual coordinate descent", ["hinge"], "l2"),
    (4, "Crammer and Singer's dual", ["crammer-singer"], "l2"),
    (6, "coordinate-wise Newton", [LOGISTIC], "l1"),
]
LONG = [0, 2, 6]
"""Solvers of the reference fits. After 300 passes 1 and 7 continue as 2 and 0, and 3 stops."""
CONTENDERS = [
    kind(
        f"{name}-s{number}" + (f"-{threads}" if threads > 1 else ""),
        f"LIBLINEAR -s {number}, {about}" + (f", on {threads} threads" if threads > 1 else ""),
        threads,
        objectives=[(loss, penalty) for loss in losses],
        reference={(loss, penalty): 1e-9 for loss in losses if threads == 1 and number in LONG},
        module=__name__,
        variant=str(number),
        packages=packages,
    )
    for kind, name, threads, packages in [
        (PythonFitter, "liblinear", 1, ["liblinear-official"]),
        (Multicore, "liblinear-multicore", 2, []),
    ]
    for number, about, losses, penalty in SOLVERS
    if threads == 1 or number not in (4, 7)  # solvers without threads
]
