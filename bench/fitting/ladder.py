"""Calibration of tolerances: the largest tolerance of a contender that reaches a level.

    reached     F(w) − F_least ≤ level · F_least

A contender's tolerances decrease by a factor of ten until the last level is reached or the time
limit is exceeded. Then a tolerance halfway above each required one is tried, so that the coarse
grid costs the contender little. F_least is the least objective of all fits, including long
reference fits. A fit that exceeded its time limit may be repeated with a larger limit.
"""

import math
from collections.abc import Sequence

from contenders.fitting.kinds import Fitter
from fitting.store import Store

LONG = 10
"""Time limit of the reference fits, as a multiple of the limit."""


def reference(store: Store, contenders: Sequence[Fitter], limit: float) -> None:
    """Makes the reference fits."""
    for contender in contenders:
        tol = contender.long(store.file.problem)
        if tol is not None:
            store.fit(contender.at(tol), LONG * limit)


def climb(store: Store, contender: Fitter, levels: Sequence[float], limit: float) -> None:
    """Makes the fits among which `rung` selects."""
    for tol in contender.ladder:
        record = store.fit(contender.at(tol), limit)
        if "error" in record or reached(store, record, min(levels)):
            break
    for level in levels:
        tol = rung(store, contender, level, limit)
        if tol is not None and tol != contender.ladder[0]:
            store.fit(contender.at(halfway(tol)), limit)


def rung(store: Store, contender: Fitter, level: float, limit: float) -> float | None:
    """Largest tolerance so far that reaches the level within the limit, or None."""
    for whole in contender.ladder:
        for tol in (halfway(whole), whole):
            record = store.kept(contender.at(tol))
            if record and record.get("seconds", limit) < limit and reached(store, record, level):
                return tol
    return None


def reached(store: Store, record: dict, level: float) -> bool:
    least = store.least()[0]
    return record.get("objective", math.inf) - least <= level * least


def halfway(tol: float) -> float:
    """Tolerance larger by half a step of the ladder, rounded to two digits."""
    return float(f"{tol * math.sqrt(10):.1e}")
