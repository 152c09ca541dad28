"""Forest cover types: 581 012 × 54 whole numbers and a class, most of them 0 or 1."""

import gzip

from harness.kinds import Problem
from problems.shared import real


def make(scale: float) -> list[bytes]:
    with gzip.open(real("covtype/covtype.csv.gz")) as file:
        return [file.read()]


PROBLEM = Problem("covtype", "581 012 × 55 whole numbers, mostly flags, 75 MB; real", "csv", make)
