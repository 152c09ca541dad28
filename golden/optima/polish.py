"""Optimum to full precision. The method of newton.py finds the zero coefficients, the signs of the
others, and, for the hinge, the rows at the kink. With these fixed the optimality conditions are
smooth equations, solved by Newton's method with residuals in extended precision. For the hinge they
are

    (1/S) Σ −sᵢaᵢzᵢ + λ(ρ sign w + (1−ρ)w, 0) = 0,   mᵢ = 1 at the kink,   aᵢ = 1 below, 0 above,
    unknown at it.

The hinge is approached through smoothed hinges of decreasing width.
"""

import numpy as np
from optima.losses import ALL, SmoothHinge
from optima.newton import minimize

LONG = np.longdouble


def solve(problem):
    """(v, a, step): the optimum, rounded to double; for the hinge the slopes −a of all rows (else
    None); and the largest coefficient of the last Newton step, an estimate of the error of v before
    rounding."""
    z, s, place = problem.merged()
    share = s / s.sum()
    l1 = problem.lam * problem.rho * problem.penalized
    l2 = problem.lam * (1 - problem.rho) * problem.penalized
    v = np.zeros(z.shape[1])
    if problem.loss != "hinge":
        loss = ALL[problem.loss]
        v = minimize(z, share, loss, l1, l2, v)
        v, step = smooth(z.astype(LONG), share, loss, l1, l2, v)
        return v, None, step
    width = 1.0
    while width > 1e-9:
        v = minimize(z, share, SmoothHinge(width), l1, l2, v)
        if width < 1e-2:
            polished = kink(z, share, width, l1, l2, v)
            if polished is not None:
                v, a, step = polished
                return v, a[place], step
        width /= 4
    return v, None, np.inf


def smooth(z, share, loss, l1, l2, v):
    held = (v != 0) | (l1 == 0)
    z, signs = z[:, held], l1[held] * np.sign(v[held])
    u = v[held].astype(LONG)
    share, l2 = share.astype(LONG), l2[held].astype(LONG)
    for _ in range(12):
        m = z @ u
        rest = z.T @ (share * loss.slope(m)) + l2 * u + signs
        zd = z.astype(float)
        h = (zd.T * (share * loss.curvature(m)).astype(float)) @ zd + np.diag(l2.astype(float))
        step = np.linalg.lstsq(h, -rest.astype(float), rcond=1e-15)[0]
        u = u + step
        if abs(step).max(initial=0) <= 1e-19 * abs(u).max(initial=1):
            break
    full = np.zeros(len(v))
    full[held] = u.astype(float)
    return full, float(abs(step).max(initial=0))


def kink(z, share, width, l1, l2, v):
    """None if the assumed rows at the kink are inconsistent."""
    held = (v != 0) | (l1 == 0)
    a = -SmoothHinge(width).slope(z @ v)
    on = (a > 0) & (a < 1)
    zl, u, al = z[:, held].astype(LONG), v[held].astype(LONG), a.astype(LONG)
    signs, l2 = (l1 * np.sign(v))[held].astype(LONG), l2[held].astype(LONG)
    k, rows = int(held.sum()), int(on.sum())
    # # Unknowns (u, share·a at the kink), divided by the mean share, so that both blocks are of the
    # size of z.
    unit = share.mean()
    zon = z[np.ix_(on, held)]
    matrix = np.block([[np.diag(l2.astype(float) / unit), -zon.T], [zon, np.zeros((rows, rows))]])
    inverse = np.linalg.pinv(matrix, rcond=1e-12)
    for _ in range(12):
        first = (-(zl.T @ (share * al)) + l2 * u + signs) / unit
        second = zl[on] @ u - 1
        step = -(inverse @ np.r_[first, second].astype(float))
        u = u + step[:k]
        al[on] += step[k:] * unit / share[on]
        if abs(step).max() <= 1e-18 * max(1, abs(u).max()):
            break
    m = zl @ u
    slack = 1e-15
    holds = (
        (al >= -slack).all() and (al <= 1 + slack).all()
        and (m[~on & (a == 0)] >= 1 - slack).all() and (m[~on & (a == 1)] <= 1 + slack).all()
        and abs(m[on] - 1).max(initial=0) < 1e-13
        and ((signs == 0) | (np.sign(u) == np.sign(signs))).all()
    )
    if not holds:
        return None
    full = np.zeros(len(v))
    full[held] = u.astype(float)
    return full, np.clip(al, 0, 1), float(abs(step[:k]).max(initial=0))
