"""One problem: min over (w, b) of

    F(w, b) = (1/S) Σ sᵢ ℓ(yᵢ(w·xᵢ + b)) + λ(ρ‖w‖₁ + (1−ρ)‖w‖²/2),   S = Σ sᵢ.

The rows zᵢ = yᵢ(xᵢ, 1) give mᵢ = zᵢ·v with v = (w, b); without an intercept the 1 is omitted.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from optima.losses import ALL


@dataclass
class Problem:
    x: np.ndarray
    y: np.ndarray  # ±1
    sample: np.ndarray  # sample weights
    classes: dict  # class weights, {1: …, -1: …}
    loss: str
    lam: float
    rho: float
    intercept: bool

    @cached_property
    def s(self):
        """Effective sample weights: sample weight times class weight."""
        return self.sample * np.where(self.y > 0, self.classes[1], self.classes[-1])

    @cached_property
    def z(self):
        ones = np.ones((len(self.y), int(self.intercept)))
        return self.y[:, None] * np.hstack([self.x, ones])

    @cached_property
    def z_long(self):
        return self.z.astype(np.longdouble)

    @cached_property
    def penalized(self):
        """1 for each coefficient, 0 for the intercept."""
        return np.r_[np.ones(self.x.shape[1]), np.zeros(int(self.intercept))]

    @property
    def c(self):
        """C of other programs."""
        return np.inf if self.lam == 0 else float(1 / (self.s.sum() * self.lam))

    def split(self, v):
        d = self.x.shape[1]
        return v[:d], (v[d] if self.intercept else 0.0)

    def objective(self, v):
        """F in extended precision."""
        v = np.asarray(v, dtype=np.longdouble)
        s = self.s.astype(np.longdouble)
        w, _ = self.split(v)
        mean = (s * ALL[self.loss].value(self.z_long @ v)).sum() / s.sum()
        rho = np.longdouble(self.rho)
        return mean + np.longdouble(self.lam) * (rho * abs(w).sum() + (1 - rho) * (w * w).sum() / 2)

    def merged(self):
        """Merges equal rows and adds their weights; also returns the merged index of every row."""
        z, place = np.unique(self.z, axis=0, return_inverse=True)
        place = place.reshape(-1)
        return z, np.bincount(place, weights=self.s), place
