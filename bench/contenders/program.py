"""linsep-bench, the program that runs linsep in every suite."""

import functools
import json
import subprocess

from harness import paths
from harness.kinds import Absent


@functools.cache
def program() -> str:
    """Builds linsep-bench; returns its path."""
    command = ["cargo", "build", "--release", "--locked", "--package", "linsep-bench"]
    try:
        done = subprocess.run(
            [*command, "--message-format=json-render-diagnostics"],
            cwd=paths.PROJECT,
            stdout=subprocess.PIPE,
        )
    except FileNotFoundError:
        raise Absent("there is no cargo") from None
    if done.returncode != 0:
        raise Absent("linsep-bench does not build")
    for line in map(json.loads, done.stdout.splitlines()):
        if line.get("executable") and line["target"]["name"] == "linsep-bench":
            return line["executable"]
    raise Absent("cargo names no program linsep-bench")


def version() -> dict[str, str]:
    done = subprocess.run([program(), "--version"], capture_output=True, text=True)
    return {"linsep": done.stdout.split()[-1]}
