"""Parts of a benchmark: problems, contenders, goals, and suites that combine them."""

import hashlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from harness import paths

Record = dict[str, Any]
"""Record of one run: output of the contender, and measurements of the runner."""


class Absent(Exception):
    """A requirement of a problem or contender is missing on this machine. It is skipped, with a
    note."""


@dataclass(frozen=True)
class Problem(ABC):
    """Input of a benchmark, made from a seed or from real data, equal on every machine."""

    name: str
    about: str

    @abstractmethod
    def prepare(self, scale: float) -> "File":
        """Returns the cached input, made if necessary; may raise `Absent`."""


@dataclass(frozen=True)
class TextFile(Problem):
    """A text file."""

    format: str
    make: Callable[[float], Iterable[bytes]]
    """Pieces of the file at a scale; may raise `Absent`."""
    mixed: bool = False
    """Whether there are categorical columns."""

    def prepare(self, scale: float) -> "File":
        suffix = "" if scale == 1 else f"@{scale:g}"
        path = paths.ready(paths.FILES / f"{self.name}{suffix}.{self.format}")
        stamp = path.with_name(path.name + ".sha256")
        if not stamp.exists():
            pieces = self.make(scale)
            print(f"creating {path.name}", file=sys.stderr)
            digest = hashlib.sha256()
            with open(path, "wb") as out:
                for piece in pieces:
                    digest.update(piece)
                    out.write(piece)
            stamp.write_text(digest.hexdigest())
        return File(self, path, path.stat().st_size, stamp.read_text())


@dataclass(frozen=True)
class File:
    """A problem stored on disk."""

    problem: Problem
    path: Path
    """A file, or a folder of files."""
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Contender(ABC):
    """A program to measure. Each run is a fresh process that prints one JSON object."""

    name: str
    """Unique; by convention ends in the number of threads if there is a choice."""
    about: str
    threads: int = 1
    ours: bool = False

    @abstractmethod
    def takes(self, problem: Problem) -> bool:
        """Whether the contender supports this problem."""

    @abstractmethod
    def command(self, file: File) -> list[str]:
        """Command line of a run."""

    def environment(self) -> dict[str, str]:
        """Environment variables to set."""
        return {}

    def build(self) -> None:  # noqa: B027, most have nothing to build
        """Prepares the contender once, before all measurements; may raise `Absent`."""

    def version(self) -> dict[str, str]:
        """Versions of its components."""
        return {}

    def examine(self, file: File, record: Record) -> Record:
        """Returns additions to the record of a run, computed after the run."""
        return {}


@dataclass(frozen=True)
class Race:
    """A comparison of contenders on one problem: one table and one panel of the plot."""

    name: str
    about: str
    file: File
    contenders: Sequence[Contender]
    out: dict[str, str] = field(default_factory=dict)
    """Contenders that are not measured, with the text of the table instead of a time."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Figures of the comparison, available to columns in the summary."""


@dataclass(frozen=True)
class Goal:
    """A goal for the measurements, with its figures, one per round."""

    text: str
    per_round: Sequence[float]
    at_least: float | None = None
    at_most: float | None = None
    wanted: Sequence[float] = ()
    """Processors in use in each round, by the contenders and by other programs."""
    also: dict[str, float] = field(default_factory=dict)
    """Related figures, which should agree; the result does not depend on them."""

    def holds(self, value: float) -> bool:
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)


@dataclass(frozen=True)
class Column:
    """A column of a suite's table."""

    head: str
    cell: Callable[[Record], str]
    """Extracts the cell from the summary of a contender's runs."""


class Runs(Protocol):
    """All records of a suite."""

    def of(self, problem: str, contender: str) -> list[Record]: ...

    def problems(self) -> Iterator[str]: ...


class Suite(Protocol):
    """One kind of measurement: comparisons, required agreement, goals, and presentation."""

    name: str
    title: str
    problems: Sequence[Problem]
    contenders: Sequence[Contender]
    notes: str
    """Markdown below the table: meaning of the figures."""
    columns: Sequence[Column]
    agreed: str
    """Text below the table if there are no faults."""

    def races(
        self, files: Sequence[File], contenders: Sequence[Contender], limit: float
    ) -> list[Race]:
        """Comparisons of the suite; contenders slower than `limit` seconds may be omitted."""

    def faults(self, records: list[Record], race: dict[str, Any]) -> list[str]:
        """Disagreements of the contenders of one comparison; `race` is that of results.json."""

    def checked(self, record: Record) -> bool:
        """Whether this run was among those checked for agreement."""

    def goals(self, runs: Runs, races: dict[str, Any]) -> list[Goal]:
        """Goals of the suite; `races` are those of results.json."""

    def figure(self, record: Record) -> float:
        """Figure shown in the plot."""

    figure_label: str
    panels_across: int
    """Number of panels side by side in the plot."""


@dataclass
class Records:
    """All records, by problem and contender, in the order of the rounds."""

    all: dict[str, dict[str, list[Record]]] = field(default_factory=dict)

    def add(self, problem: str, contender: str, record: Record) -> None:
        self.all.setdefault(problem, {}).setdefault(contender, []).append(record)

    def of(self, problem: str, contender: str) -> list[Record]:
        return self.all.get(problem, {}).get(contender, [])

    def problems(self) -> Iterator[str]:
        return iter(self.all)
