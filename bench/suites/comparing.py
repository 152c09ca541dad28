"""Comparing: methods by cross-validation, from a file to accuracies, preprocessing in each fold.

Goals: linsep takes at most 5 seconds for four methods on five folds of adult with one thread. It is
at least three times as fast as the same comparison in scikit-learn with as many threads.
"""

from collections.abc import Sequence
from typing import Any

from contenders.comparing import ALL
from contenders.comparing.kinds import METHODS
from harness.kinds import Column, Contender, File, Goal, Problem, Race, Record, Runs
from harness.stats import median, ratios
from problems import ADULT_ONCE

LEAST = 3.0
"""Minimum speedup."""
MOST = 5.0
"""Seconds."""
SAME = 0.005
"""Tolerance of the differences between mean accuracies."""


def accuracy(name: str) -> Column:
    key = f"accuracy {name}"
    return Column(name, lambda s: "–" if s.get(key) is None else f"{s[key]:.4f}")


class Comparing:
    name = "comparing"
    title = "Comparing methods by folds"
    problems: Sequence[Problem] = [ADULT_ONCE]
    contenders: Sequence[Contender] = ALL
    figure_label = "seconds"
    panels_across = 1
    agreed = "All mean accuracies of a method agree to 0.005"
    columns: Sequence[Column] = [accuracy(name) for name in METHODS]
    notes = """\
Every run is a fresh process that reads the file, forms five stratified folds, and fits preprocessing
and four methods in each; test folds give accuracy and AUC. Everything but the import of libraries is
timed. Folds differ between programs, so accuracies differ slightly.
"""

    def figure(self, record: Record) -> float:
        return record["seconds"]

    def races(
        self, files: Sequence[File], contenders: Sequence[Contender], limit: float
    ) -> list[Race]:
        return [
            Race(file.problem.name, file.problem.about, file, list(contenders)) for file in files
        ]

    def checked(self, record: Record) -> bool:
        return all(f"accuracy {name}" in record for name in METHODS)

    def faults(self, records: list[Record], race: dict[str, Any]) -> list[str]:
        found = []
        for method in METHODS:
            key = f"accuracy {method}"
            shares = {r["contender"]: r[key] for r in records if key in r}
            if not shares:
                continue
            middle = median(list(shares.values()))
            found += [
                f"{name}, {method}: accuracy {share:.4f}, median of all {middle:.4f}"
                for name, share in shares.items()
                if abs(share - middle) > SAME
            ]
        return found

    def goals(self, runs: Runs, races: dict[str, Any]) -> list[Goal]:
        goals = []
        for race in races:
            for threads in (1, 2):
                ours = good(runs, race, f"linsep-{threads}")
                theirs = good(runs, race, f"sklearn-{threads}")
                seconds = [r["seconds"] for r in ours.values()]
                if seconds and threads == 1:
                    goals.append(
                        Goal(f"{race}: linsep-1 at most {MOST:g} s", seconds, at_most=MOST)
                    )
                rounds = sorted(ours.keys() & theirs.keys())
                if not rounds:
                    continue
                values = ratios(
                    [theirs[i]["seconds"] for i in rounds], [ours[i]["seconds"] for i in rounds]
                )
                wanted = [threads + max(ours[i]["others"], theirs[i]["others"]) for i in rounds]
                text = f"{race}: linsep-{threads} at least {LEAST:g}× as fast as sklearn-{threads}"
                goals.append(Goal(text, values, at_least=LEAST, wanted=wanted))
        return goals


def good(runs: Runs, race: str, name: str) -> dict[int, Record]:
    """Successful runs, by round."""
    return {r["round"]: r for r in runs.of(race, name) if "error" not in r}


SUITE = Comparing()
