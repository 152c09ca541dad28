"""linsep, through its library: the work of `linsep compare`."""

from dataclasses import dataclass

from contenders.comparing.kinds import FOLDS, METHODS, Comparer
from contenders.program import program, version
from harness.kinds import File


@dataclass(frozen=True)
class Linsep(Comparer):
    def build(self) -> None:
        program()

    def command(self, file: File) -> list[str]:
        options = {
            "data": file.path,
            "methods": ",".join(METHODS),
            "folds": FOLDS,
            "threads": self.threads,
        }
        words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
        return [program(), "compare", *words]

    def version(self) -> dict[str, str]:
        return version()


CONTENDERS = [
    Linsep(f"linsep-{threads}", f"linsep on {threads} thread{'s'[: threads - 1]}", threads, ours=True)
    for threads in (1, 2)
]
