"""A contender that compares methods by cross-validation, from a file to a table of accuracies."""

from dataclasses import dataclass

from harness.kinds import Contender, Problem

METHODS = ["logistic", "squared-hinge", "least-squares", "gaussian"]
"""Methods of both contenders, by linsep's names."""
FOLDS = 5


@dataclass(frozen=True)
class Comparer(Contender):
    def takes(self, problem: Problem) -> bool:
        return True
