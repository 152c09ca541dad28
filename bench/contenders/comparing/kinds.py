"""A contender that compares methods by folds, from a file to a table of accuracies."""

from dataclasses import dataclass

from harness.kinds import Contender, Problem

METHODS = ["logistic", "squared-hinge", "least-squares", "gaussian"]
"""What both know, under linsep's names."""
FOLDS = 5


@dataclass(frozen=True)
class Comparer(Contender):
    def takes(self, problem: Problem) -> bool:
        return True
