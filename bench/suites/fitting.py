"""Fitting: the time to reach relative distances of 1e-3 and 1e-6 from the least objective.

Goals: linsep is at least twice as fast as its fastest peer with as many threads, on every problem
and at every level, and nowhere slower. A peer without threads runs on one.
"""

import math
from collections.abc import Sequence
from typing import Any

from contenders.fitting import ALL
from contenders.fitting.kinds import Fitter
from fitting import bandwidth, ladder
from fitting import problems as of
from fitting.store import Store
from harness.kinds import Column, Contender, File, Goal, Problem, Race, Record, Runs
from harness.stats import median, ratios
from matrices.kinds import read_meta

LEAST = 2.0
"""Minimum speedup over the fastest peer."""
SAME = 1e-8
"""Relative tolerance of a contender's reported objective to that of its coefficients."""
OURS = ["linsep-1", "linsep-2"]
THREADS = {contender.name: contender.threads for contender in ALL}
PEERS = [c.name for c in ALL if not c.ours and c.name != "null"]


def times(summary: dict[str, Any]) -> str:
    ratio = summary.get("ratio")
    if ratio is None or summary["ours"]:
        return "–"
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.0f}×"


def excess(summary: dict[str, Any]) -> str:
    if "least" not in summary:
        return "–"
    return f"{summary['objective'] / summary['least'] - 1:.1e}"


def passes(summary: dict[str, Any]) -> str:
    """Ratio of the time to that of one pass through the matrix at memory bandwidth."""
    if not summary["ours"]:
        return "–"
    rate = summary["bandwidth"][str(summary["threads"])]
    return f"{summary['seconds'] * rate / summary['matrix_bytes']:.1f}"


def number(key: str, scale: float, form: str) -> Column:
    heads = {"cpu_seconds": "CPU s", "peak_bytes": "peak MB", "start_bytes": "before MB"}
    return Column(heads[key], lambda s: "–" if s.get(key) is None else f"{s[key] / scale:{form}}")


class Fitting:
    name = "fitting"
    title = "Fitting"
    problems: Sequence[Problem] = of.ALL
    contenders: Sequence[Contender] = ALL
    figure_label = "seconds"
    panels_across = len(of.LEVELS)
    agreed = "Every run reached its level"

    def figure(self, record: Record) -> float:
        return record["seconds"]

    columns: Sequence[Column] = [
        Column("tolerance", lambda s: "–" if s.get("tol") is None else f"{s['tol']:.2g}"),
        Column("F over least", excess),
        Column("linsep is", times),
        number("cpu_seconds", 1, ".2f"),
        number("peak_bytes", 1e6, ".0f"),
        number("start_bytes", 1e6, ".0f"),
        Column("passes", passes),
    ]
    notes = """\
F(w) = (1/n) Σ ℓ(yᵢ w·xᵢ) + λ R(w) with C = 1/(nλ) = 1. There is no intercept, as some peers penalize
it and others do not; all solve the same problem. Every run is a fresh process that loads the matrix
by rows and times only the fit. Conversion to LIBLINEAR's nodes, to 32 bits (Snap ML) or 64 bits
(celer), and the compilation of skglm are not timed. The benchmark evaluates the coefficients of each
contender in 64 bits. The tolerance of a contender is the loosest of its ladder that reaches the level:
F − F_least ≤ level · F_least for the least objective known. **> 60**: the run reached this time limit
in seconds. *never*: no tolerance of the ladder reaches the level. *linsep is*: speedup of linsep over
the contender with as many threads, the median of the ratios within a round. *peak*: VmHWM, with
interpreter and libraries; *before*: resident memory before the fit, with the matrix. *passes*: time of
the fit relative to one read of the matrix at memory bandwidth.
*p*: p-value of the agreement of rounds (sign test). *crowded*: rounds in which the two contenders
and other programs used more processors than exist.
"""

    def races(
        self, files: Sequence[File], contenders: Sequence[Contender], limit: float
    ) -> list[Race]:
        """One race per problem and level, after the ladder of every contender."""
        rates = bandwidth.measure()
        races = []
        for file in files:
            fits = [c for c in contenders if c.takes(file.problem)]
            meta = read_meta(file.path)
            facts = {"bandwidth": rates, "limit": limit}
            # # Without the labels. The storage reported by a contender takes precedence.
            facts["matrix_bytes"] = file.bytes - 8 * meta["n"]
            if not file.problem.levels:
                name, about = file.problem.name, file.problem.about
                races.append(Race(name, about, file, fits, facts=facts))
                continue
            store = Store(file)
            ladder.reference(store, fits, limit)
            for contender in fits:
                if contender.ladder:
                    ladder.climb(store, contender, file.problem.levels, limit)
            least, by = store.least()
            facts |= {"least": least, "least_by": by, "least_slack": store.slack()}
            races += [race(file, store, fits, level, facts) for level in file.problem.levels]
        return races

    def checked(self, record: Record) -> bool:
        return record.get("tol") is not None and "objective" in record

    def faults(self, records: list[Record], race: dict[str, Any]) -> list[str]:
        """Contenders that missed the level, or whose reported objective is wrong.

        A race with a fixed number of epochs has no level.
        """
        faults, facts = [], race["facts"]
        for record in records if "level" in facts else []:
            excess = record.get("objective", 0) / facts["least"] - 1
            if record.get("tol") is not None and excess > facts["level"]:
                faults.append(
                    f"{record['contender']} missed the level in round {record['round'] + 1}:"
                    f" {excess:.2e}"
                )
            said = record.get("primal")
            if said is not None and not math.isclose(said, record["objective"], rel_tol=SAME):
                faults.append(f"{record['contender']} says {said}, but it is {record['objective']}")
        return faults

    def goals(self, runs: Runs, races: dict[str, Any]) -> list[Goal]:
        goals, least = [], {}
        for name, about in races.items():
            for us in OURS:
                goal = speed(runs, name, about, us)
                if goal:
                    goals.append(goal)
                    least[name, us] = goal.per_round
        for us in OURS:
            found = [values for (_, who), values in least.items() if who == us]
            if found:
                rounds = [min(values) for values in zip(*found, strict=False)]
                text = f"{us} is nowhere slower than its fastest peer"
                goals.append(Goal(text, rounds, at_least=1.0))
        return goals


def race(
    file: File, store: Store, contenders: Sequence[Fitter], level: float, facts: dict[str, Any]
) -> Race:
    """All contenders at the tolerance that reaches the level; those without one are in `out`."""
    runners, out = [], {}
    for contender in contenders:
        if not contender.ladder:
            runners.append(contender)
            continue
        tol = ladder.rung(store, contender, level, facts["limit"])
        if tol is not None:
            runners.append(contender.at(tol))
        else:
            late = any(
                (store.kept(contender.at(tol)) or {}).get("late") for tol in contender.ladder
            )
            out[contender.name] = f"> {facts['limit']:g}" if late else "never"
    name = f"{file.problem.name} {level:.0e}".replace("e-0", "e-")
    return Race(name, file.problem.about, file, runners, out, {**facts, "level": level})


def speed(runs: Runs, race: str, about: dict[str, Any], us: str) -> Goal | None:
    """Ratio of the time of the fastest peer to ours, by round.

    A peer that exceeded the limit counts with the limit. The ratio is 0 if linsep missed the level.
    """
    ours = good(runs, race, us)
    if not ours and us not in about["out"]:
        return None
    theirs = {name: good(runs, race, name) for name in PEERS if THREADS[name] <= THREADS[us]}
    theirs = {name: records for name, records in theirs.items() if records}
    if not theirs and not any(name in about["out"] for name in PEERS):
        return None
    them = min(
        theirs, key=lambda name: median([r["seconds"] for r in theirs[name].values()]), default=None
    )
    text = f"{race}: {us} at least {LEAST:g}× as fast as {them or 'a peer cut off at the limit'}"
    if not ours:
        return Goal(text, [0.0], at_least=LEAST)
    if them is None:
        values = [about["facts"]["limit"] / r["seconds"] for r in ours.values()]
        return Goal(text, values, at_least=LEAST)
    pairs = [(theirs[them][i], ours[i]) for i in sorted(ours.keys() & theirs[them].keys())]
    if not pairs:
        return None
    seconds = [a["seconds"] for a, _ in pairs], [b["seconds"] for _, b in pairs]
    return Goal(
        text,
        ratios(*seconds),
        at_least=LEAST,
        wanted=[max(r["threads"] + r["others"] for r in pair) for pair in pairs],
        also={"best ÷ best": min(seconds[0]) / min(seconds[1])},
    )


def good(runs: Runs, race: str, name: str) -> dict[int, Record]:
    """Successful runs, by round."""
    return {r["round"]: r for r in runs.of(race, name) if "error" not in r}


SUITE = Fitting()
