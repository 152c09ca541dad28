"""a9a, repeated: sparse rows in which every value is 1."""

from harness.kinds import TextFile
from harness.shared import real
from problems.shared import repeated


def make(scale: float) -> list[bytes]:
    body = real("a9a/a9a.txt").read_bytes()
    return repeated(body.rstrip() + b"\n", 100, scale)


PROBLEM = TextFile("a9a", "a9a again and again, every value 1, 100 MB; real", "libsvm", make)
