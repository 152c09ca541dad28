"""Real files, which lie beside the project and not in it."""

from pathlib import Path

from harness import paths
from harness.kinds import Absent


def real(name: str) -> Path:
    """The path of a real file, if it is there."""
    path = paths.SHARED / name
    if not path.exists():
        raise Absent(f"there is no ../shared/data/{name} beside the project")
    return path
