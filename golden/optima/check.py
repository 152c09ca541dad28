"""Checks of a recorded optimum: optimality conditions, uniqueness, and an error bound of the
coefficients. All are computed from the original rows in extended precision, at the rounded numbers
that are recorded."""

import numpy as np
from optima.losses import ALL

LONG = np.longdouble


def residual(problem, v, a):
    """Largest violation of the optimality conditions: the distance of −(slope of the mean loss)
    from λ·(subgradients of the penalty), coefficient by coefficient. For the hinge, with the slopes
    −a of the rows, also the distance of rows with 0 < a < 1 from m = 1, and of rows with a = 0 or 1
    on its wrong side."""
    z, s = problem.z_long, problem.s.astype(LONG)
    v = v.astype(LONG)
    m = z @ v
    breach = LONG(0)
    if problem.loss == "hinge":
        slope = -a
        breach = np.where(a < 1, np.maximum(1 - m, 0), 0).max()
        breach = max(breach, np.where(a > 0, np.maximum(m - 1, 0), 0).max())
    else:
        slope = ALL[problem.loss].slope(m)
    g = z.T @ (s * slope) / s.sum()
    l1 = problem.lam * LONG(problem.rho) * problem.penalized
    l2 = problem.lam * (1 - LONG(problem.rho)) * problem.penalized
    rest = g + l2 * v
    distance = np.where(v != 0, abs(rest + l1 * np.sign(v)), np.maximum(abs(rest) - l1, 0))
    return float(max(breach, distance.max()))


def unique(problem, v, a):
    """Whether the conditions imply that the optimum is unique."""
    m = (problem.z_long @ v.astype(LONG)).astype(float)
    l1 = problem.lam * problem.rho * problem.penalized
    l2 = problem.lam * (1 - problem.rho) * problem.penalized
    held = (v != 0) | (l1 == 0)
    if problem.loss == "hinge":
        slope = -a.astype(float)
        on = abs(m - 1) < 1e-12
        firm = on & (a > 1e-9) & (a < 1 - 1e-9)
        rows = problem.z[np.ix_(firm, held)]
        bend = rows.T @ rows + np.diag(l2[held] > 0)
    else:
        loss = ALL[problem.loss]
        slope = loss.slope(m)
        share = problem.s / problem.s.sum()
        rows = problem.z[:, held]
        bend = (rows.T * (share * loss.curvature(m))) @ rows + np.diag(l2[held])
    # # Zero coefficients need strict complementarity, unless λ(1−ρ) > 0, which alone makes w
    # unique.
    g = problem.z.T @ (problem.s * slope) / problem.s.sum() + l2 * v
    firmly = (abs(g) < l1 * (1 - 1e-9)) | held | (l2 > 0)
    size = np.sqrt(np.maximum(bend.diagonal(), 1e-300))
    return bool(firmly.all() and np.linalg.eigvalsh(bend / np.outer(size, size)).min(initial=1) > 1e-11)
