"""linsep, through its library: text to a checked matrix with labels, or to a table with words."""

import functools
import json
import subprocess
from dataclasses import dataclass

from harness import paths
from harness.kinds import Absent, Contender, File, Problem


@functools.cache
def program() -> str:
    """The path of linsep-bench, built."""
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


@dataclass(frozen=True)
class Linsep(Contender):
    def takes(self, problem: Problem) -> bool:
        return True

    def build(self) -> None:
        program()

    def command(self, file: File) -> list[str]:
        into = "table" if file.problem.mixed else "design"
        options = ["--format", file.problem.format, "--threads", str(self.threads), "--into", into]
        return [program(), "read", *options, str(file.path)]

    def version(self) -> dict[str, str]:
        done = subprocess.run([program(), "--version"], capture_output=True, text=True)
        return {"linsep": done.stdout.split()[-1]}


CONTENDERS = [
    Linsep("linsep-1", "linsep's reader on 1 thread", threads=1, ours=True),
    Linsep("linsep-2", "linsep's reader on 2 threads", threads=2, ours=True),
]
