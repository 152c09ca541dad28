"""Tests of the evaluation of the fitting suite: objective, ladders, and choice of peers."""

import importlib.util
import math
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from contenders.fitting.kinds import Fitter
from fitting import ladder, objective
from fitting.store import Store
from harness import measure, paths
from harness.kinds import File, Race, Records
from suites import fitting


@dataclass(frozen=True)
class Fake(Fitter):
    def command(self, file: File) -> list[str]:
        return [self.name, str(self.tol)]


def a_file() -> File:
    return File(mock.Mock(loss="logistic", penalty="l2"), mock.Mock(), 1, "0" * 64)


class Ladders(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = a_file()
        file.problem.name = "p"
        self.made: list[float] = []
        for patch in [
            mock.patch.object(paths, "CACHE", Path(folder.name)),
            mock.patch.object(measure, "run", self.run_),
            mock.patch.object(measure, "say"),
        ]:
            patch.start()
            self.addCleanup(patch.stop)
        self.store = Store(file)

    def run_(self, contender: Fitter, file: File, timeout: float) -> dict[str, Any]:
        """The objective exceeds its minimum, 1, by the tolerance; the time is 1/√tolerance."""
        self.made.append(contender.tol)
        return {"seconds": contender.tol**-0.5, "objective": 1 + contender.tol, "others": 0.0}

    def test_the_largest_sufficient_tolerance_is_found_to_half_a_step(self) -> None:
        who = Fake("a", "", reference={("logistic", "l2"): 1e-12})
        ladder.reference(self.store, [who], limit=1e6)
        ladder.climb(self.store, who, [5e-3, 1e-4], limit=1e6)
        self.assertEqual(self.store.least()[0], 1 + 1e-12)
        self.assertEqual(ladder.rung(self.store, who, 5e-3, 1e6), 3.2e-3)
        self.assertEqual(ladder.rung(self.store, who, 1e-4, 1e6), 1e-4)
        self.assertNotIn(1e-5, self.made, "no further than needed")

    def test_fits_beyond_the_limit_fail_until_the_limit_is_raised(self) -> None:
        who = Fake("a", "")
        self.store.fits["other||1e-12"] = {"objective": 1.0}
        ladder.climb(self.store, who, [1e-3, 1e-6], limit=50)
        self.assertEqual(self.made, [10, 1, 1e-1, 1e-2, 1e-3, 1e-4, 3.2e-3])
        self.assertEqual(ladder.rung(self.store, who, 1e-3, 50), 1e-3)
        self.assertIsNone(ladder.rung(self.store, who, 1e-6, 50))
        self.made.clear()
        ladder.climb(self.store, who, [1e-3, 1e-6], limit=5000)
        self.assertEqual(self.made[:2], [1e-4, 1e-5], "what was kept is not made again")
        self.assertEqual(ladder.rung(self.store, who, 1e-6, 5000), 1e-6)

    def test_fits_are_cached_between_runs(self) -> None:
        who = Fake("a", "").at(0.1)
        self.store.fit(who, 60)
        again = Store(self.store.file)
        self.assertEqual(again.fit(who, 60), self.store.fits["a||0.1"])
        self.assertEqual(self.made, [0.1])


class Comparisons(unittest.TestCase):
    def runs(self, seconds: dict[str, float]) -> Records:
        runs = Records()
        for name, each in seconds.items():
            for number in range(3):
                record = {"seconds": each, "round": number, "threads": 1, "others": 0.0}
                runs.add("p", name, record)
        return runs

    def speed(self, seconds: dict[str, float], us: str, **out: str) -> Any:
        about = {"out": out, "facts": {"limit": 60}}
        return fitting.speed(self.runs(seconds), "p", about, us)

    def test_speed_compares_with_the_fastest_peer_of_equal_threads(self) -> None:
        seconds = {"linsep-1": 1.0, "linsep-2": 0.5, "liblinear-s0": 4.0, "snapml-2": 3.0}
        seconds["null"] = 1e-6
        one, two = self.speed(seconds, "linsep-1"), self.speed(seconds, "linsep-2")
        self.assertEqual((one.per_round, two.per_round), ([4.0] * 3, [6.0] * 3))
        self.assertIn("liblinear-s0", one.text)
        self.assertIn("snapml-2", two.text)

    def test_a_peer_beyond_the_limit_counts_with_the_limit(self) -> None:
        goal = self.speed({"linsep-1": 2.0}, "linsep-1", **{"sklearn-saga": "> 60"})
        self.assertEqual(goal.per_round, [30.0] * 3)

    def test_missing_the_level_fails_the_goal(self) -> None:
        goal = self.speed({"liblinear-s0": 4.0}, "linsep-1", **{"linsep-1": "never"})
        self.assertFalse(goal.holds(goal.per_round[0]))

    def test_a_missed_level_is_a_fault(self) -> None:
        race = {"facts": {"level": 1e-3, "least": 0.5}}
        near, far = ({"objective": 0.5 * x, "tol": 0.1} for x in (1.0009, 1.0011))
        records = [{**r, "contender": "a", "round": 0} for r in (near, far)]
        self.assertEqual(len(fitting.SUITE.faults(records, race)), 1)
        wrong = {**records[0], "primal": 1.0}
        self.assertIn("says 1.0", fitting.SUITE.faults([wrong], race)[0])

    def test_a_run_common_to_two_races_is_made_once(self) -> None:
        file, made = a_file(), []

        def run(contender: Fitter, file: File, patience: float) -> dict[str, object]:
            made.append(contender.tol)
            return {"seconds": 1.0}

        who = Fake("a", "")
        races = [Race(str(i), "", file, [who.at(tol)]) for i, tol in enumerate([0.1, 0.1, 0.01])]
        with mock.patch.object(measure, "run", run), mock.patch.object(measure, "say"):
            records = measure.rounds(mock.Mock(), races, 2, 0)
        self.assertEqual(made, [0.1, 0.01] * 2)
        self.assertEqual([r["round"] for r in records.of("1", "a")], [0, 1])


@unittest.skipUnless(importlib.util.find_spec("numpy"), "without numpy")
class Objectives(unittest.TestCase):
    def setUp(self) -> None:
        import numpy as np

        self.x = np.array([[1.0, 2.0], [-1.0, 0.5], [0.5, -1.0], [2.0, 1.0]])
        self.y = np.array([1.0, -1.0, -1.0, 1.0])
        self.zero = np.zeros(2)

    def test_losses_at_a_margin_of_a_half(self) -> None:
        import numpy as np

        at = np.array([0.5])
        wanted = {"hinge": 0.5, "squared-hinge": 0.25, "perceptron": 0.0}
        wanted["logistic"] = math.log(1 + math.exp(-0.5))
        for loss, value in wanted.items():
            self.assertAlmostEqual(float(objective.losses(loss, at)[0]), value, places=15)

    def test_the_penalty_is_multiplied_by_lambda(self) -> None:
        import numpy as np

        w = np.array([3.0, -4.0])
        parts = [objective.value(self.x, self.y, w, "hinge", "l2", a) for a in (0.0, 2.0)]
        self.assertAlmostEqual(parts[1] - parts[0], 2 * 12.5)
        self.assertEqual(objective.penalty("l1", w), 7)

    def test_multiclass_objectives_match_a_sum_over_rows(self) -> None:
        import numpy as np

        y = np.array([0.0, 2.0, 1.0, 0.0])
        planes = np.array([[0.5, 0.25], [-1.0, 0.5], [0.75, -0.5]])
        ahead, apart = 0.0, 0.0
        for x, own in zip(self.x, y.astype(int), strict=True):
            z = planes @ x
            ahead += max(z[j] - z[own] + (j != own) for j in range(3)) / 4
            signs = [1 if j == own else -1 for j in range(3)]
            apart += sum(max(0, 1 - s * v) ** 2 for s, v in zip(signs, z, strict=True)) / 4
        penalty = 0.1 * (planes**2).sum() / 2
        w = planes.ravel()
        loss = "one-vs-rest-squared-hinge"
        for name, value in [("crammer-singer", ahead), (loss, apart)]:
            found = objective.value(self.x, y, w, name, "l2", 0.1)
            self.assertAlmostEqual(found, value + penalty, places=14)
        each = objective.apart(self.x, y, w)
        slacks = [objective.slack(self.x, *one, "squared-hinge", "l2", 0.1) for one in each]
        found = objective.slack(self.x, y, w, loss, "l2", 0.1)
        self.assertAlmostEqual(found, sum(slacks), places=14)

    def test_the_slack_bounds_the_suboptimality(self) -> None:
        import numpy as np

        for loss, kind in [("logistic", "l2"), ("squared-hinge", "l2"), ("logistic", "l1")]:
            rest = (loss, kind, 0.1)
            grid = [
                np.array([a, b]) for a in np.linspace(-3, 3, 61) for b in np.linspace(-3, 3, 61)
            ]
            values = [objective.value(self.x, self.y, w, *rest) for w in grid]
            least = min(values)
            for w in grid[::37]:
                won = objective.value(self.x, self.y, w, *rest) - least
                self.assertGreaterEqual(objective.slack(self.x, self.y, w, *rest) + 1e-12, won)
            best = grid[values.index(least)]
            self.assertLess(objective.slack(self.x, self.y, best, *rest), 0.1)
        self.assertIsNone(objective.slack(self.x, self.y, self.zero, "hinge", "l2", 0.1))


if __name__ == "__main__":
    unittest.main()
