"""Cache of fits, one file per problem.

The key of a fit is the contender, its implementation (`stamp`) and its tolerance; the name of the
file contains the matrix. So a new version of linsep is calibrated again, and its peers are not.
"""

import json

from contenders.fitting.kinds import Fitter
from harness import measure, paths
from harness.kinds import File, Record

LOADING = 60
"""Time limit of a process in seconds, in addition to its fit."""
KEPT = ["seconds", "cpu_seconds", "objective", "slack", "error", "late", "limit", "others"]


class Store:
    """Fits of one problem."""

    def __init__(self, file: File) -> None:
        name = f"{file.problem.name}-{file.sha256[:12]}.json"
        self.file = file
        self.path = paths.ready(paths.CACHE / "bench-fits" / name)
        self.fits: dict[str, Record] = {}
        if self.path.exists():
            self.fits = json.loads(self.path.read_text())

    def least(self) -> tuple[float, str]:
        """Least objective of all fits, and its contender."""
        found = [(r["objective"], name) for name, r in self.fits.items() if "objective" in r]
        value, name = min(found)
        return value, " ".join(name.split("|")[::2])

    def slack(self) -> float | None:
        """Upper bound on the suboptimality of the least objective."""
        least = self.least()[0]
        known = [r for r in self.fits.values() if r.get("slack") is not None]
        return min((least - r["objective"] + r["slack"] for r in known), default=None)

    def kept(self, contender: Fitter) -> Record | None:
        """The contender's cached fit at its tolerance, if there is one."""
        return self.fits.get(key(contender))

    def fit(self, contender: Fitter, limit: float) -> Record:
        """The contender's fit at its tolerance, from the cache or newly made."""
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
        if "error" not in record or "late" in record:  # other failures may be temporary
            self.fits[key(contender)] = record
            self.path.write_text(json.dumps(self.fits, indent=1) + "\n")
        return record


def key(contender: Fitter) -> str:
    return f"{contender.name}|{contender.stamp()}|{contender.tol}"
