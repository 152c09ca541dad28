"""Proximal Newton method for smooth losses, from v = 0. Each step minimizes the quadratic model of
the mean loss plus the penalty, exactly, by a search for the signs of the coefficients. A
backtracking line search on F follows.

The search for signs is Lee, Battle, Raina and Ng (2006), "Efficient sparse coding algorithms".
"""

import numpy as np


def signs_search(h, c, l1, z):
    """min ½ zᵀHz − c·z + Σ l1ⱼ|zⱼ|, from z."""
    free = l1 == 0
    theta = np.where(free, 0, np.sign(z))
    active = free | (z != 0)
    value = lambda z: z @ (h @ z) / 2 - c @ z + l1 @ abs(z)
    for _ in range(20 * len(c) + 100):
        a = np.flatnonzero(active)
        target = np.zeros_like(z)
        if len(a):
            target[a] = np.linalg.solve(h[np.ix_(a, a)], c[a] - l1[a] * theta[a])
        crossing = active & ~free & (target * theta < 0)
        if crossing.any():
            # # 1a. A sign would change: the best point of the segment, crossings included.
            at = {1.0: None}
            for j in np.flatnonzero(crossing & (z != 0)):
                at.setdefault(z[j] / (z[j] - target[j]), j)
            t, j = min(at.items(), key=lambda step: value(z + step[0] * (target - z)))
            z = z + t * (target - z)
            if j is not None:
                z[j] = 0
            theta = np.where(free, 0, np.sign(z))
            active = free | (z != 0)
            continue
        # # 1b. Optimal for these signs: activate the coefficient with the largest violation.
        z = target
        g = h @ z - c
        excess = np.where(active, -1, abs(g) - l1)
        j = excess.argmax()
        if excess[j] <= 1e-9 * l1[j]:
            return z
        active[j], theta[j] = True, -np.sign(g[j])
    return z


def minimize(z, s, loss, l1, l2, v, steps=300):
    """min Σ sᵢ ℓ(zᵢ·v) + Σ l1ⱼ|vⱼ| + l2ⱼvⱼ²/2, with Σ sᵢ = 1."""
    value = lambda v: s @ loss.value(z @ v) + l1 @ abs(v) + l2 @ (v * v) / 2
    now = value(v)
    for _ in range(steps):
        # # 1. Slope and curvature at v, with damping that decreases towards the optimum.
        m = z @ v
        g = z.T @ (s * loss.slope(m)) + l2 * v
        h = (z.T * (s * loss.curvature(m))) @ z + np.diag(l2)
        u = v - g
        rest = abs(v - np.sign(u) * np.maximum(abs(u) - l1, 0)).max()
        h += np.eye(len(v)) * (1e-3 * rest + 1e-13 * h.diagonal().max())
        # 2. The step.
        step = (signs_search(h, h @ v - g, l1, v) if l1.any() else v - np.linalg.solve(h, g)) - v
        promised = g @ step + l1 @ (abs(v + step) - abs(v))
        if promised > -1e-18:
            break
        # # 3. Halve the step until F decreases by a fraction of the predicted decrease.
        t = 1.0
        while t > 1e-12 and value(v + t * step) > now + 1e-4 * t * promised:
            t /= 2
        if t <= 1e-12:
            break
        v = v + t * step
        now = value(v)
    return v
