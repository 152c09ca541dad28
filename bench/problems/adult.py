"""adult, repeated: categorical and numeric columns.

The blanks after commas are removed and a header is added, because not every contender has options
for these.
"""

from harness.kinds import TextFile
from harness.shared import real
from problems.shared import repeated


def table(megabytes: float) -> list[bytes]:
    """Repeats the table up to a size in megabytes, at least once."""
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
