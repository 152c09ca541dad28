"""Folders of the project, and the Python environment of the benchmarks. Standard library only."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
PROJECT = BENCH.parent
SHARED = PROJECT.parent / "shared" / "data"
CACHE = Path(os.environ.get("LINSEP_CACHE") or Path.home() / ".cache" / "linsep")
FILES = CACHE / "bench-files"
BUILDS = CACHE / "bench-builds"


def enter_environment() -> None:
    """Restarts in the virtual environment with the pinned packages, which is made if necessary."""
    venv = CACHE / "bench-venv"
    python = venv / "bin" / "python"
    wanted = (BENCH / "requirements.txt").read_bytes()
    stamp = venv / "requirements.sha256"
    digest = hashlib.sha256(wanted).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest:
        print(f"creating the Python environment in {venv}", file=sys.stderr)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--requirement"]
        subprocess.run([*pip, str(BENCH / "requirements.txt")], check=True)
        stamp.write_text(digest)
    if Path(sys.prefix).resolve() != venv.resolve():
        os.execv(python, [str(python), *sys.argv])


def ready(path: Path) -> Path:
    """Makes the folder of a path; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
