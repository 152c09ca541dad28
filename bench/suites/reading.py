"""Reading files: from text to a design matrix.

Goals: LIBSVM text at least 30 times as fast as scikit-learn and 4 times as fast as LIBLINEAR's own
reader; CSV of numbers at least 1.5 times as fast as polars with as many threads; peak memory at
most 1.3 times the final matrix plus a fixed buffer.
"""

from collections.abc import Sequence
from typing import Any

import problems as of
from contenders.reading import ALL
from harness import fingerprint
from harness.kinds import Column, Contender, File, Goal, Problem, Race, Record, Runs
from harness.stats import median, ratios

MIB = 2**20
BUFFER = 32 * MIB
"""Size of the fixed buffer: program, blocks of text, and queued parsed blocks."""

SPEED = [
    # # ours, theirs, minimum speedup, problem
    (["linsep-2", "linsep-1"], "scikit-learn", 30, [of.LIBSVM_ZIPF, of.A9A]),
    (["linsep-2", "linsep-1"], "liblinear", 4, [of.LIBSVM_ZIPF, of.A9A]),
    (["linsep-1"], "polars-1", 1.5, [of.CSV_NUMERIC, of.COVTYPE]),
    (["linsep-2"], "polars-2", 1.5, [of.CSV_NUMERIC, of.COVTYPE]),
]
MEMORY = (["linsep-1", "linsep-2"], 1.3, [of.CSV_NUMERIC, of.COVTYPE, of.LIBSVM_ZIPF, of.A9A])


def times(summary: dict[str, Any]) -> str:
    ratio = summary.get("ratio")
    if ratio is None or summary["ours"]:
        return "–"
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.1f}×"


def size(summary: dict[str, Any]) -> str:
    return f"{summary['result_bytes'] / 1e6:.0f}" if summary.get("result_bytes") else "–"


def share(summary: dict[str, Any]) -> str:
    if not summary.get("result_bytes"):
        return "–"
    return f"{summary['peak_bytes'] / summary['result_bytes']:.2f}"


class Reading:
    name = "reading"
    title = "Reading files"
    problems: Sequence[Problem] = [
        of.CSV_NUMERIC,
        of.COVTYPE,
        of.ADULT,
        of.LIBSVM_ZIPF,
        of.A9A,
    ]
    contenders: Sequence[Contender] = ALL
    figure_label = "MB/s"
    panels_across = 1
    agreed = "The results of all runs agree"

    def figure(self, record: Record) -> float:
        return record["file_bytes"] / 1e6 / record["seconds"]

    columns: Sequence[Column] = [
        Column("MB/s", lambda s: f"{s['figure']:.0f}"),
        Column("linsep is", times),
        Column("CPU s", lambda s: f"{s['cpu_seconds']:.2f}"),
        Column("peak MB", lambda s: f"{s['peak_bytes'] / 1e6:.0f}"),
        Column("result MB", size),
        Column("peak ÷ result", share),
    ]
    notes = """\
Every run is a fresh process on a file in the page cache; imports are not timed. The result of linsep
is a checked `Design` with labels (for adult a typed table); of scikit-learn a scipy matrix; of LIBLINEAR
its rows of nodes; of polars, pandas, pyarrow and DuckDB columns; of `polars-numpy` a numpy matrix.
*linsep is*: speedup of linsep over the contender with as many threads, the median of the ratios within
a round. *CPU s*: processor time of all threads. *peak*: VmHWM, with interpreter, libraries and mapped
pages of the file; *result*: size of the result. *p*: p-value of the agreement of rounds (sign test).
*crowded*: rounds in which the two contenders and other programs used more processors than exist; their
ratio of times is unreliable, so compare *best ÷ best* and *CPU ÷ CPU*.
"""

    def races(
        self, files: Sequence[File], contenders: Sequence[Contender], limit: float
    ) -> list[Race]:
        """Every file, with the contenders that read its format."""
        return [
            Race(f.problem.name, f.problem.about, f, [c for c in contenders if c.takes(f.problem)])
            for f in files
        ]

    def checked(self, record: Record) -> bool:
        return bool(record.get("fingerprint"))

    def faults(self, records: list[Record], race: dict[str, Any]) -> list[str]:
        """Compares every fingerprint with the first."""
        found = [(r["contender"], r["fingerprint"]) for r in records if r.get("fingerprint")]
        faults = []
        for name, theirs in found[1:]:
            first, wanted = found[0]
            for key in fingerprint.differences(theirs, wanted):
                faults.append(f"{name} and {first} differ in {key}")
        return sorted(set(faults))

    def goals(self, runs: Runs, races: dict[str, Any]) -> list[Goal]:
        goals = []
        for ours, theirs, least, on in SPEED:
            for problem in on:
                for us in ours:
                    goals.append(speed(runs, problem.name, us, theirs, least))
        names, most, on = MEMORY
        for problem in on:
            for us in names:
                shares = [
                    (r["peak_bytes"] - BUFFER) / r["result_bytes"]
                    for r in runs.of(problem.name, us)
                    if "error" not in r
                ]
                text = f"{problem.name}: peak of {us} at most {most}× the matrix and 32 MiB"
                goals.append(Goal(text, shares, at_most=most))
        return [goal for goal in goals if goal.per_round]


def speed(runs: Runs, problem: str, us: str, them: str, least: float) -> Goal:
    """Ratio of their time to ours, by round."""
    ours, theirs = (
        {r["round"]: r for r in runs.of(problem, name) if "error" not in r} for name in (us, them)
    )
    pairs = [(theirs[i], ours[i]) for i in sorted(ours.keys() & theirs.keys())]
    both = {
        key: ([a[key] for a, _ in pairs], [b[key] for _, b in pairs])
        for key in ("seconds", "cpu_seconds")
    }
    also = {}
    if pairs:
        also["best ÷ best"] = min(both["seconds"][0]) / min(both["seconds"][1])
        cpu = median(both["cpu_seconds"][1])
        if cpu > 0:  # the resolution is 0.01 s, and a small file may show 0
            also["CPU ÷ CPU"] = median(both["cpu_seconds"][0]) / cpu
    return Goal(
        f"{problem}: {us} at least {least:g}× as fast as {them}",
        ratios(*both["seconds"]),
        at_least=least,
        wanted=[max(r["threads"] + r["others"] for r in pair) for pair in pairs],
        also=also,
    )


SUITE = Reading()
