"""adult, repeated: columns of words and columns of numbers.

The blanks behind its commas are taken out and a header is put in front, because not every contender
can be told of the one and the other.
"""

from harness.kinds import TextFile
from harness.shared import real
from problems.shared import repeated


def table(megabytes: float) -> list[bytes]:
    """The table again and again until it has so many megabytes, and once at least."""
    body = real("adult/adult-train.csv").read_bytes().strip().replace(b", ", b",") + b"\n"
    header = ",".join(f"c{j}" for j in range(1, 15)) + ",class\n"
    return [header.encode(), *repeated(body, megabytes, 1)]


PROBLEM = TextFile(
    "adult",
    "15 columns, 9 of them words, `?` is missing, 100 MB; real",
    "csv",
    lambda scale: table(100 * scale),
    mixed=True,
)
