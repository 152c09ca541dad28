"""linsep, through its library; and the Gram matrix alone, the main cost of its closed forms."""

from dataclasses import dataclass

from contenders.closed.kinds import Computer
from contenders.program import program, version
from harness.kinds import File
from matrices.kinds import read_meta


@dataclass(frozen=True)
class Linsep(Computer):
    bare: bool = False

    def build(self) -> None:
        program()

    def command(self, file: File) -> list[str]:
        problem = file.problem
        # # α‖w‖² relative to the sum of squares is (λ/2)‖w‖² relative to their mean.
        weight = 2 * problem.alpha / read_meta(file.path)["n"]
        method = {"gaussian": "gaussian", "ridge": "least-squares"}[problem.method]
        options = {
            "matrix": file.path,
            "method": "gram" if self.bare else method,
            "lambda": repr(weight),
            "threads": self.threads,
            "out": self.planes(file),
        }
        words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
        return [program(), "closed", *words]

    def version(self) -> dict[str, str]:
        return version()


CONTENDERS = [
    *(
        Linsep(
            f"linsep-{threads}",
            f"linsep on {threads} thread{'s'[: threads - 1]}",
            threads,
            ours=True,
            methods=["gaussian", "ridge"],
        )
        for threads in (1, 2)
    ),
    *(
        Linsep(
            f"gram-{threads}",
            f"linsep's plain Gram matrix, {threads} thread{'s'[: threads - 1]}: a yardstick",
            threads,
            ours=True,
            methods=["gaussian", "ridge"],
            sparse=False,
            evaluated=False,
            bare=True,
        )
        for threads in (1, 2)
    ),
]
