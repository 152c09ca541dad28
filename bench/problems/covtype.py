"""Forest cover types: 581 012 × 54 integers and a class, most of them 0 or 1."""

import gzip

from harness.kinds import TextFile
from harness.shared import real


def make(scale: float) -> list[bytes]:
    with gzip.open(real("covtype/covtype.csv.gz")) as file:
        return [file.read()]


PROBLEM = TextFile("covtype", "581 012 × 55 whole numbers, mostly flags, 75 MB; real", "csv", make)
