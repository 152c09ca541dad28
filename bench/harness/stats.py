"""Statistics of timings.

A noisy machine slows down whole rounds, so contenders are compared **within** a round: the ratio of
their times, one per round, and of these the median. Whether a ratio r lies above a bound is decided
by a sign test: by chance k or more of n rounds would do so with probability Σ_{i≥k} C(n,i)/2ⁿ.
"""

import math
from collections.abc import Sequence
from statistics import median

__all__ = ["median", "ratios", "sign_test"]


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """above ÷ below, round by round."""
    return [a / b for a, b in zip(above, below, strict=True)]


def sign_test(successes: int, rounds: int) -> float:
    """Probability of at least `successes` heads in fair coin tosses."""
    ways = sum(math.comb(rounds, i) for i in range(successes, rounds + 1))
    return ways / 2**rounds
