"""Which tolerance of a contender is the loosest that reaches a level?

    reached     F(w) − F_least ≤ level · F_least

A contender climbs its ladder, a factor of ten a rung, until it reaches the last level or is cut
off; then it tries one rung more, halfway below each that it needs, so that the steps of the ladder
cost it little. F_least is the least objective ever seen, after long fits of those who are good at
it. What is cut off at a limit may be tried again with a higher one.
"""

import math
from collections.abc import Sequence

from contenders.fitting.kinds import Fitter
from fitting.store import Store

LONG = 10
"""So many times the limit have the fits that look for the least objective."""


def reference(store: Store, contenders: Sequence[Fitter], limit: float) -> None:
    """The long fits."""
    for contender in contenders:
        tol = contender.long(store.file.problem)
        if tol is not None:
            store.fit(contender.at(tol), LONG * limit)


def climb(store: Store, contender: Fitter, levels: Sequence[float], limit: float) -> None:
    """Makes the fits that `rung` chooses from."""
    for tol in contender.ladder:
        record = store.fit(contender.at(tol), limit)
        if "error" in record or reached(store, record, min(levels)):
            break
    for level in levels:
        tol = rung(store, contender, level, limit)
        if tol is not None and tol != contender.ladder[0]:
            store.fit(contender.at(halfway(tol)), limit)


def rung(store: Store, contender: Fitter, level: float, limit: float) -> float | None:
    """The loosest tolerance so far that reaches the level within the limit, if there is one."""
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
    """Half a rung looser, to two digits."""
    return float(f"{tol * math.sqrt(10):.1e}")
