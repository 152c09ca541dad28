"""Tests of the parts of the harness that affect conclusions. Standard library only."""

import json
import unittest
from dataclasses import dataclass
from unittest import mock

from harness import fingerprint, measure, report, stats
from harness.kinds import Contender, File, Goal, Problem, Race, Records, TextFile


class Statistics(unittest.TestCase):
    def test_the_sign_test_matches_the_binomial_distribution(self) -> None:
        self.assertEqual(stats.sign_test(5, 5), 1 / 32)
        self.assertEqual(stats.sign_test(4, 5), 6 / 32)
        self.assertEqual(stats.sign_test(0, 5), 1)

    def test_ratios_are_computed_by_round(self) -> None:
        self.assertEqual(stats.ratios([4, 9], [2, 3]), [2, 3])
        with self.assertRaises(ValueError):
            stats.ratios([1], [1, 2])


class Goals(unittest.TestCase):
    def test_goals_use_the_median_and_count_the_rounds_that_agree(self) -> None:
        goal = report.evaluated(Goal("g", [1.4, 1.6, 1.7], at_least=1.5), 2)
        self.assertEqual((goal["verdict"], goal["rounds"]), ("ok", "2 of 3"))
        self.assertEqual(goal["crowded"], 0)
        goal = report.evaluated(Goal("g", [1.6, 1.7], at_least=1.5, wanted=[2.1, 3.3]), 2)
        self.assertEqual(goal["crowded"], 1)
        goal = report.evaluated(Goal("g", [1.2, 1.4, 1.6], at_most=1.3), 2)
        self.assertEqual((goal["verdict"], goal["rounds"]), ("short", "2 of 3"))


class Fingerprints(unittest.TestCase):
    BASE = {"rows": 2, "sum": 11.0, "columns": [4.0, 7.0]}

    def test_only_rounding_differences_are_tolerated(self) -> None:
        near = {**self.BASE, "sum": 11.0 * (1 + 1e-12)}
        self.assertEqual(fingerprint.differences(near, self.BASE), [])
        far = {**self.BASE, "sum": 11.0 * (1 + 1e-8)}
        self.assertEqual(fingerprint.differences(far, self.BASE), ["sum"])
        swapped = {**self.BASE, "columns": [7.0, 4.0]}
        self.assertEqual(fingerprint.differences(swapped, self.BASE), ["columns"])
        fewer = {**self.BASE, "columns": [4.0]}
        self.assertEqual(fingerprint.differences(fewer, self.BASE), ["columns"])


@dataclass(frozen=True)
class Fake(Contender):
    def takes(self, problem: Problem) -> bool:
        return True

    def command(self, file: File) -> list[str]:
        return []


class Rounds(unittest.TestCase):
    def test_the_first_contender_rotates_and_failures_are_isolated(self) -> None:
        order = []

        def run(contender: Contender, file: File, patience: float) -> dict[str, object]:
            order.append(contender.name)
            return {"error": "no"} if contender.name == "b" else {"seconds": 1.0}

        file = File(TextFile("p", "", "csv", lambda scale: []), mock.Mock(), 1, "")
        race = Race("p", "", file, [Fake(n, "") for n in "abc"])
        suite = mock.Mock()
        with mock.patch.object(measure, "run", run), mock.patch.object(measure, "say"):
            records = measure.rounds(suite, [race], 3, 0)
        self.assertEqual("".join(order), "abc" + "ca" + "ca")
        self.assertEqual([r["round"] for r in records.of("p", "a")], [0, 1, 2])
        self.assertEqual(len(records.of("p", "b")), 1)


class Results(unittest.TestCase):
    def test_results_are_json_with_one_run_per_line(self) -> None:
        runs = Records()
        runs.add("p", "a", {"seconds": 1.0})
        runs.add("p", "a", {"seconds": 2.0})
        results = {"suite": "s", "runs": runs.all, "goals": []}
        text = report.lines(results)
        self.assertEqual(json.loads(text), results)
        self.assertEqual(sum('"seconds"' in line for line in text.splitlines()), 2)


if __name__ == "__main__":
    unittest.main()
