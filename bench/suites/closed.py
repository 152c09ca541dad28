"""Closed forms: Gaussian classes and ridge regression to classes, from a matrix to coefficients.

Goals: linsep is at least five times as fast as scikit-learn's fastest solver with as many threads.
It takes at most 1.5 times as long as BLAS takes for XᵀX alone.
"""

from collections.abc import Sequence
from typing import Any

import matrices
from contenders.closed import ALL
from contenders.closed.kinds import Closed
from harness.kinds import Column, Contender, File, Goal, Problem, Race, Record, Runs
from harness.stats import median, ratios

LEAST = 5.0
"""Minimum speedup over scikit-learn's fastest solver."""
MOST = 1.5
"""Maximum time as a multiple of XᵀX alone."""
SAME = 0.005
"""Tolerance of the differences between training accuracies."""

PROBLEMS = [
    *(
        Closed(f"gaussian-{matrix.name}", f"Gaussian classes, {matrix.about}", matrix, "gaussian")
        for matrix in (matrices.COVTYPE7, matrices.MNIST10)
    ),
    *(
        Closed(f"ridge-{matrix.name}", f"ridge with α = 1, {matrix.about}", matrix, "ridge", 1.0)
        for matrix in (matrices.COVTYPE7, matrices.MNIST10, matrices.NEWS20)
    ),
]


def cell(key: str, scale: float, form: str, head: str) -> Column:
    return Column(head, lambda s: "–" if s.get(key) is None else f"{s[key] / scale:{form}}")


class ClosedForms:
    name = "closed"
    title = "Closed forms"
    problems: Sequence[Problem] = PROBLEMS
    contenders: Sequence[Contender] = ALL
    figure_label = "seconds"
    panels_across = 2
    agreed = "All training accuracies agree to 0.005"
    columns: Sequence[Column] = [
        cell("accuracy", 1, ".4f", "accuracy"),
        cell("cpu_seconds", 1, ".2f", "CPU s"),
        cell("peak_bytes", 1e6, ".0f", "peak MB"),
        cell("start_bytes", 1e6, ".0f", "before MB"),
    ]
    notes = """\
Every run is a fresh process that loads the matrix and times only the fit, from the matrix to the
coefficients. *accuracy*: training accuracy of the coefficients, computed by the benchmark. `syrk`
and `gram` only compute XᵀX; they are references, not peers.
*p*: p-value of the agreement of rounds (sign test). *crowded*: rounds in which the two contenders
and other programs used more processors than exist.
"""

    def figure(self, record: Record) -> float:
        return record["seconds"]

    def races(
        self, files: Sequence[File], contenders: Sequence[Contender], limit: float
    ) -> list[Race]:
        return [
            Race(
                file.problem.name,
                file.problem.about,
                file,
                [c for c in contenders if c.takes(file.problem)],
            )
            for file in files
        ]

    def checked(self, record: Record) -> bool:
        return "accuracy" in record

    def faults(self, records: list[Record], race: dict[str, Any]) -> list[str]:
        shares = {r["contender"]: r["accuracy"] for r in records if "accuracy" in r}
        if not shares:
            return []
        middle = median(list(shares.values()))
        return [
            f"{name}: accuracy {share:.4f}, median of all {middle:.4f}"
            for name, share in shares.items()
            if abs(share - middle) > SAME
        ]

    def goals(self, runs: Runs, races: dict[str, Any]) -> list[Goal]:
        goals = []
        for name in races:
            for threads in (1, 2):
                us = f"linsep-{threads}"
                peers = [c.name for c in ALL if c.name.startswith("sklearn") and c.threads <= threads]
                goals += against(runs, name, us, peers, at_least=LEAST)
                goals += against(runs, name, us, [f"syrk-{threads}"], at_most=MOST)
        return goals


def against(runs: Runs, race: str, us: str, them: list[str], **bound: float) -> list[Goal]:
    """Ratio of the fastest time of `them` to ours, or the reverse for an upper bound."""
    ours = good(runs, race, us)
    theirs = {name: good(runs, race, name) for name in them}
    theirs = {name: records for name, records in theirs.items() if records}
    if not ours or not theirs:
        return []
    best = min(theirs, key=lambda name: median([r["seconds"] for r in theirs[name].values()]))
    rounds = sorted(ours.keys() & theirs[best].keys())
    pairs = [(theirs[best][i], ours[i]) for i in rounds]
    if not pairs:
        return []
    seconds = [a["seconds"] for a, _ in pairs], [b["seconds"] for _, b in pairs]
    if "at_least" in bound:
        text, values = f"at least {LEAST:g}× as fast as {best}", ratios(*seconds)
    else:
        text, values = f"at most {MOST:g}× as long as {best}", ratios(*reversed(seconds))
    wanted = [max(r.get("threads", 1) + r["others"] for r in pair) for pair in pairs]
    return [Goal(f"{race}: {us} {text}", values, wanted=wanted, **bound)]


def good(runs: Runs, race: str, name: str) -> dict[int, Record]:
    """Successful runs, by round."""
    return {r["round"]: r for r in runs.of(race, name) if "error" not in r}


SUITE = ClosedForms()
