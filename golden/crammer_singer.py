"""Optima of the Crammer–Singer SVM: objective values of LIBLINEAR (-s 4), each with a lower bound.

F(W) = (1/n) Σ max_j (z_ij + [j != c_i]) − z_ic + (λ/2) Σ ||w_j||², without intercepts, as in
LIBLINEAR with -B -1: its objective is F/λ with C = 1/(λ n). The stopping rule of LIBLINEAR gives no
bound, so beside its value a lower bound is recorded, from dual ascent in numpy: the optimum lies
between the two.
"""

import csv
import pathlib

import numpy as np
from liblinear.liblinearutil import parameter, problem, train

import certificate

ROOT = pathlib.Path(__file__).parent.parent


def iris():
    with open(ROOT / "examples" / "iris.csv") as file:
        rows = list(csv.reader(file))[1:]
    x = np.array([[float(v) for v in row[:4]] for row in rows])
    names = sorted({row[4] for row in rows})
    return x, np.array([names.index(row[4]) for row in rows])


def value(w, x, y, lam):
    z = x @ w.T
    z = z + 1.0
    z[np.arange(len(y)), y] -= 1.0
    loss = z.max(1) - z[np.arange(len(y)), y]
    return loss.mean() + 0.5 * lam * (w**2).sum()


def polished(w, x, y, lam):
    """Lower bound by row-wise dual ascent, until its relative gap to the value at w is 1e-7."""
    n, k = len(y), w.shape[0]
    own = np.zeros((n, k))
    own[np.arange(n), y] = 1.0
    p = own.copy()
    q = (x**2).sum(1) / (lam * n)
    planes = (own - p).T @ x / (lam * n)
    rng = np.random.default_rng(0)
    for _ in range(4000):
        for i in rng.permutation(n):
            v = planes @ x[i] + 1.0 - own[i]
            t = np.sort(q[i] * p[i] + v)[::-1]
            theta = (np.cumsum(t) - q[i]) / np.arange(1, k + 1)
            theta = theta[np.nonzero(t > theta)[0][-1]]
            new = np.maximum(q[i] * p[i] + v - theta, 0.0) / q[i]
            planes += np.outer(p[i] - new, x[i]) / (lam * n)
            p[i] = new
        planes = (own - p).T @ x / (lam * n)
        dual = (1.0 - p[np.arange(n), y]).mean() - 0.5 * lam * (planes**2).sum()
        if value(w, x, y, lam) - dual < 1e-7 * dual:
            break
    return dual


def main():
    x, y = iris()
    n = len(y)
    cases = []
    for c in [0.01, 0.1, 1.0, 10.0]:
        lam = 1.0 / (c * n)
        data = problem(y.tolist(), [dict(enumerate(row, 1)) for row in x.tolist()])
        model = train(data, parameter(f"-s 4 -c {c} -e 1e-10 -B -1 -q"))
        order = [model.get_labels().index(label) for label in range(3)]
        w = np.array([[model.get_decfun_coef(j + 1, label) for j in range(4)] for label in order])
        primal, dual = value(w, x, y, lam), polished(w, x, y, lam)
        cases.append({"c": c, "lambda": lam, "objective": primal, "lower_bound": dual, "w": w.tolist()})
        print(c, primal, dual, (primal - dual) / primal)
    certificate.write(
        "crammer_singer", ["liblinear-official", "numpy"], "examples/iris.csv", {"cases": cases}
    )


main()
