"""Real data files, which are stored beside the project."""

from pathlib import Path

from harness import paths
from harness.kinds import Absent


def real(name: str) -> Path:
    """Path of a real data file; raises `Absent` if it does not exist."""
    path = paths.SHARED / name
    if not path.exists():
        raise Absent(f"there is no ../shared/data/{name} beside the project")
    return path
