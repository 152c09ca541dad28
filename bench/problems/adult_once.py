"""adult: 32 561 rows of categorical and numeric columns, with a header, no blanks after commas."""

from harness.kinds import TextFile
from problems.adult import table

PROBLEM = TextFile(
    "adult-once",
    "5 folds × 4 methods on adult: 32 561 rows, 9 categorical and 6 numeric columns; real",
    "csv",
    lambda scale: table(4 * scale),
    mixed=True,
)
