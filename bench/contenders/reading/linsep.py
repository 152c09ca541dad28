"""linsep, through its library: from text to a checked matrix with labels, or to a typed table."""

from dataclasses import dataclass

from contenders.program import program, version
from harness.kinds import Contender, File, Problem


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
        return version()


CONTENDERS = [
    Linsep("linsep-1", "linsep's reader on 1 thread", threads=1, ours=True),
    Linsep("linsep-2", "linsep's reader on 2 threads", threads=2, ours=True),
]
