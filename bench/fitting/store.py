"""Fits that were made once and are kept in the cache, a file per problem.

A fit is known by the contender, by what it is made of (`stamp`) and by its tolerance; the matrix is
in the name of the file. So a new linsep is calibrated again and its peers are not.
"""

import json

from contenders.fitting.kinds import Fitter
from harness import measure, paths
from harness.kinds import File, Record

LOADING = 60
"""Seconds that a process may take for anything but its fit."""
KEPT = ["seconds", "cpu_seconds", "objective", "slack", "error", "late", "limit", "others"]


class Store:
    """The fits of one problem."""

    def __init__(self, file: File) -> None:
        name = f"{file.problem.name}-{file.sha256[:12]}.json"
        self.file = file
        self.path = paths.ready(paths.CACHE / "bench-fits" / name)
        self.fits: dict[str, Record] = {}
        if self.path.exists():
            self.fits = json.loads(self.path.read_text())

    def least(self) -> tuple[float, str]:
        """The least objective ever seen here, and who found it."""
        found = [(r["objective"], name) for name, r in self.fits.items() if "objective" in r]
        value, name = min(found)
        return value, " ".join(name.split("|")[::2])

    def slack(self) -> float | None:
        """How far at most the least objective is from the minimum."""
        least = self.least()[0]
        known = [r for r in self.fits.values() if r.get("slack") is not None]
        return min((least - r["objective"] + r["slack"] for r in known), default=None)

    def kept(self, contender: Fitter) -> Record | None:
        """The contender's fit on its rung, if it was made."""
        return self.fits.get(key(contender))

    def fit(self, contender: Fitter, limit: float) -> Record:
        """The contender's fit on its rung: the one kept, or a new one."""
        kept = self.kept(contender)
        if kept and (not kept.get("late") or kept["limit"] >= limit):
            return kept
        record = measure.run(contender, self.file, timeout=limit + LOADING)
        if record.get("seconds", 0) > limit:
            record = {"error": f"took {record['seconds']:.1f} s", "late": True}
        record["limit"] = limit
        took = record.get("error") or f"{record['seconds']:.3f} s, {record['objective']:.9f}"
        tol = "" if contender.tol is None else f" at {contender.tol:.2g}"
        measure.say(f"{self.file.problem.name}: {contender.name}{tol}: {took}")
        record = {k: record[k] for k in KEPT if k in record}
        if "error" not in record or "late" in record:  # other failures may pass
            self.fits[key(contender)] = record
            self.path.write_text(json.dumps(self.fits, indent=1) + "\n")
        return record


def key(contender: Fitter) -> str:
    return f"{contender.name}|{contender.stamp()}|{contender.tol}"
