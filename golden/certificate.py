"""Writes a golden file with its provenance."""

import datetime
import json
import pathlib
import platform
import sys
from importlib.metadata import version

FOLDER = pathlib.Path(__file__).parent


def write(name: str, packages: list[str], data: str, values: dict) -> None:
    """Writes golden/<name>.json: provenance, then the values."""
    certificate = {
        "script": pathlib.Path(sys.argv[0]).name,
        "data": data,
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
        "date": datetime.date.today().isoformat(),
    }
    text = json.dumps({"certificate": certificate, **values}, indent=1)
    (FOLDER / f"{name}.json").write_text(text + "\n")
