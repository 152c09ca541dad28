"""Losses of the margin m = y(w·x + b), with slope and curvature, for any floating-point type.

The hinge has a kink; `SmoothHinge(width)` is smoothed over that width, and tends to the hinge as
the width tends to 0.
"""

import numpy as np


class Logistic:
    name = "logistic"

    def value(self, m):
        return np.log1p(np.exp(-np.abs(m))) + np.maximum(-m, 0)

    def slope(self, m):
        small = np.exp(-np.abs(m))
        return -np.where(m > 0, small, 1) / (1 + small)

    def curvature(self, m):
        small = np.exp(-np.abs(m))
        return small / (1 + small) ** 2


class SquaredHinge:
    name = "squared_hinge"

    def value(self, m):
        return np.maximum(1 - m, 0) ** 2

    def slope(self, m):
        return -2 * np.maximum(1 - m, 0)

    def curvature(self, m):
        return 2.0 * (m < 1)


class Squared:
    name = "squared"

    def value(self, m):
        return (1 - m) ** 2

    def slope(self, m):
        return -2 * (1 - m)

    def curvature(self, m):
        return 2.0 * np.ones_like(m)


class SmoothHinge:
    """0 for m ≥ 1, (1−m)²/(2h) down to m = 1−h, linear with slope −1 below; h = 1: the smooth
    hinge."""

    name = "smooth_hinge"

    def __init__(self, width=1.0):
        self.width = width

    def value(self, m):
        t, h = 1 - m, self.width
        return np.where(t >= h, t - h / 2, np.maximum(t, 0) ** 2 / (2 * h))

    def slope(self, m):
        return -np.clip((1 - m) / self.width, 0, 1)

    def curvature(self, m):
        return ((m < 1) & (m > 1 - self.width)) / self.width


class Hinge:
    name = "hinge"

    def value(self, m):
        return np.maximum(1 - m, 0)


ALL = {loss.name: loss for loss in [Logistic(), SquaredHinge(), Hinge(), Squared(), SmoothHinge()]}
