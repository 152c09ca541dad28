"""Optima of convex problems, to full double precision, of

    F(w, b) = (1/S) Σ sᵢ ℓ(yᵢ(w·xᵢ + b)) + λ(ρ‖w‖₁ + (1−ρ)‖w‖²/2),   S = Σ sᵢ,   b unpenalized.

Each is found by the method in optima/polish.py. It is checked against the optimality conditions in
extended precision (optima/check.py) and against other programs (optima/peers.py). Optima that fail
a check are not recorded.

    python golden/convex.py [NAME…]   only these data sets, printed and not written
"""

import sys
import time
import warnings

import numpy as np
from certificate import write
from optima.check import residual, unique
from optima.losses import ALL
from optima.newton import minimize
from optima.peers import peers
from optima.polish import solve
from optima.problem import Problem
from optima.sets import load

RESIDUAL = 1e-13  # the largest violation of the optimality conditions that is recorded
STEP = 1e-12  # the longest last step of Newton's method, largest coefficient
AGREE = 1e-8  # maximum relative difference of the best other program's objective from ours
PACKAGES = ["numpy", "scipy", "scikit-learn", "statsmodels", "liblinear-official", "clarabel", "pandas"]
warnings.filterwarnings("ignore")

L2 = [("l2", 0.0, c) for c in (0.1, 1.0, 10.0)]
SPARSE = [("l1", 1.0, 10), ("l1", 1.0, 100), ("elastic_net", 0.5, 100)]
EACH = {"intercept": "free", "ones": False, "weights": "none"}
TOO_SLOW = [("a9a", "hinge", "l1"), ("a9a", "hinge", "elastic_net")]  # the first: over 13 minutes
THREE = ["logistic", "squared_hinge", "hinge"]


def plan(name):
    """(loss, penalty, options) of the cases of a data set."""
    for loss in ALL:
        for penalty in L2 + SPARSE:
            yield loss, penalty, EACH
    if name == "heart_scale":
        for loss in ALL:
            for penalty in [L2[1], SPARSE[1]]:
                yield loss, penalty, {**EACH, "intercept": "none"}
            yield loss, L2[1], {**EACH, "weights": "sample"}
        for loss in THREE:
            yield loss, SPARSE[1], {**EACH, "weights": "sample and class"}
    if name in ("heart_scale", "a9a"):
        for loss in THREE:
            yield loss, L2[1], {**EACH, "intercept": "none", "ones": True}
            yield loss, L2[1], {**EACH, "weights": "balanced"}
    if name in ("heart_scale", "iris_versicolor_virginica"):
        yield "logistic", ("none", 0.0, None), EACH


WEIGHTS = {
    "none": "none",
    "balanced": "class weight n/(2 n_k), n_k rows of the class; s_i = class weight",
    "sample": "sample weight 1 + (i mod 3), rows counted from i = 0; s_i = sample weight",
    "sample and class": "sample weight 1 + (i mod 3), rows counted from i = 0; class weight 2 for the positive "
    "class, 0.5 for the other; s_i = sample weight * class weight",
}


def weights(kind, y):
    sample, classes = np.ones(len(y)), {1: 1.0, -1: 1.0}
    if kind == "balanced":
        classes = {k: float(len(y) / (2 * (y == k).sum())) for k in (1, -1)}
    if kind.startswith("sample"):
        sample = 1.0 + np.arange(len(y)) % 3
    if kind == "sample and class":
        classes = {1: 2.0, -1: 0.5}
    return sample, classes


def null_slope(problem):
    """Largest slope of the mean loss in a coefficient at w = 0 and the best b: the smallest λρ with
    w = 0.
    For the hinge the slopes of the heavier class are taken as equal, which gives an upper bound."""
    share = problem.s / problem.s.sum()
    m = np.zeros(len(share))
    if problem.loss == "hinge":
        up = share[problem.y > 0].sum()
        ratio = min(up, 1 - up) / max(up, 1 - up) if problem.intercept else 1.0
        slope = -np.where((problem.y > 0) == (up > 0.5), ratio, 1.0)
    else:
        loss = ALL[problem.loss]
        if problem.intercept:
            b = minimize(problem.y[:, None], share, loss, np.zeros(1), np.zeros(1), np.zeros(1))
            m = problem.y * b
        slope = loss.slope(m)
    return abs(problem.x.T @ (share * slope * problem.y)).max()


def case(name, data, loss, penalty, special):
    file, how, positive, x, y = data
    kind, rho, number = penalty
    if special["ones"]:
        x = np.hstack([x, np.ones((len(y), 1))])
        how = (how + "; " if how != "none" else "") + "a last column of ones (a penalized bias)"
    sample, classes = weights(special["weights"], y)
    problem = Problem(x, y, sample, classes, loss, 1.0, rho, special["intercept"] == "free")
    # 1. λ.
    if kind == "l2":
        problem.lam, rule = float(1 / (problem.s.sum() * number)), f"1/(S C), C = {number:g}"
    elif kind == "none":
        problem.lam, rule = 0.0, "0"
    else:
        problem.lam = float(f"{null_slope(problem) / (rho * number):.6g}")
        rule = f"lambda_max/{number}, to six digits"
    # # 2. Our optimum, and its check.
    v, a, step = solve(problem)
    if loss == "hinge" and a is None:
        return None, "no rows on the kink found"
    breach = residual(problem, v, a)
    if not (breach <= RESIDUAL and step <= STEP):
        return None, f"residual {breach:.1e}, last step {step:.1e}"
    # 3. Other programs.
    best = problem.objective(v)
    sources = []
    for peer, run in peers(problem).items():
        other = np.asarray(run(problem), dtype=float)
        far = problem.objective(other) - best
        sources.append({"source": peer, "objective": float(best + far), "difference": float(f"{far:.2e}"),
                        "coefficients": float(f"{abs(other - v).max():.2e}")})
    nearest = min((abs(source["difference"]) for source in sources), default=np.inf)
    if nearest > AGREE * float(best):
        return None, f"no other program came closer than {nearest:.1e}"
    w, b = problem.split(v)
    return {
        "data": name, "file": file, "preprocessing": how, "positive": positive,
        "loss": loss, "penalty": kind, "lambda": problem.lam, "lambda_rule": rule, "l1_ratio": rho,
        "intercept": special["intercept"], "weights": WEIGHTS[special["weights"]],
        "n": len(y), "d": x.shape[1], "objective": float(best), "w": w.tolist(), "b": float(b),
        "kkt_residual": float(f"{breach:.2e}"), "last_step": float(f"{step:.2e}"),
        "unique": unique(problem, v, a), "sources": sources,
    }, ""


def main(only):
    sets, standard = load()
    cases, left_out = [], []
    for name, data in sets.items():
        if only and name not in only:
            continue
        for loss, penalty, special in plan(name):
            start = time.time()
            if (name, loss, penalty[0]) in TOO_SLOW:
                found, fault = None, "not tried, our method is too slow there"
            else:
                found, fault = case(name, data, loss, penalty, special)
            title = f"{name} {loss} {penalty[0]} {penalty[2]} " + " ".join(map(str, special.values()))
            took = f"{time.time() - start:5.1f} s"
            if found is None:
                left_out.append(f"{title}: {fault}")
                print(f"{took}  {title}: left out, {fault}", flush=True)
                continue
            cases.append(found)
            gaps = " ".join(f"{s['difference']:.0e}/{s['coefficients']:.0e}" for s in found["sources"])
            mark = "" if found["unique"] else "  NOT UNIQUE"
            print(f"{took}  {title}: {found['kkt_residual']:.0e} {found['last_step']:.0e}  {gaps}{mark}", flush=True)
    print(f"{len(cases)} recorded, {len(left_out)} left out")
    if not only:
        values = {"command": "python golden/convex.py", "standardization": {"wdbc": standard},
                  "left_out": left_out, "cases": cases}
        write("convex", PACKAGES, "../shared/data", values)


if __name__ == "__main__":
    main(sys.argv[1:])
