"""What a benchmark is made of: problems, contenders, goals, and suites that put them together."""

import hashlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from harness import paths

Record = dict[str, Any]
"""One measured run: what the contender printed, and what the runner saw of it."""


class Absent(Exception):
    """Something a problem or contender needs is not on this machine. It is left out, visibly."""


@dataclass(frozen=True)
class Problem(ABC):
    """Something to work on, made from a seed or from real data, the same everywhere."""

    name: str
    about: str

    @abstractmethod
    def prepare(self, scale: float) -> "File":
        """What lies in the cache, made where it is not there yet; may raise `Absent`."""


@dataclass(frozen=True)
class TextFile(Problem):
    """A file of text."""

    format: str
    make: Callable[[float], Iterable[bytes]]
    """Pieces of the file at a scale; may raise `Absent`."""
    mixed: bool = False
    """Has it columns of words?"""

    def prepare(self, scale: float) -> "File":
        suffix = "" if scale == 1 else f"@{scale:g}"
        path = paths.ready(paths.FILES / f"{self.name}{suffix}.{self.format}")
        stamp = path.with_name(path.name + ".sha256")
        if not stamp.exists():
            pieces = self.make(scale)
            print(f"making {path.name}", file=sys.stderr)
            digest = hashlib.sha256()
            with open(path, "wb") as out:
                for piece in pieces:
                    digest.update(piece)
                    out.write(piece)
            stamp.write_text(digest.hexdigest())
        return File(self, path, path.stat().st_size, stamp.read_text())


@dataclass(frozen=True)
class File:
    """A problem as it lies on the disk."""

    problem: Problem
    path: Path
    """A file, or a folder of files."""
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Contender(ABC):
    """Someone who takes part. Each run is a fresh process that prints one JSON object."""

    name: str
    """Unique; by convention ends in the number of threads where there is a choice."""
    about: str
    threads: int = 1
    ours: bool = False

    @abstractmethod
    def takes(self, problem: Problem) -> bool:
        """Does it take part in this problem?"""

    @abstractmethod
    def command(self, file: File) -> list[str]:
        """What to run."""

    def environment(self) -> dict[str, str]:
        """Environment variables to set."""
        return {}

    def build(self) -> None:  # noqa: B027, most have nothing to build
        """Makes it ready, once, before anything is measured; may raise `Absent`."""

    def version(self) -> dict[str, str]:
        """What it is made of."""
        return {}

    def examine(self, file: File, record: Record) -> Record:
        """What to add to the record of a run, found out after it has ended."""
        return {}


@dataclass(frozen=True)
class Race:
    """Who runs against whom on what: one table and one panel of the plot."""

    name: str
    about: str
    file: File
    contenders: Sequence[Contender]
    out: dict[str, str] = field(default_factory=dict)
    """Who takes part but is not measured, and what the table says instead of a time."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Numbers that belong to the race; a column finds them in the summary."""


@dataclass(frozen=True)
class Goal:
    """A promise about the measured numbers, with the numbers it is judged by, one per round."""

    text: str
    per_round: Sequence[float]
    at_least: float | None = None
    at_most: float | None = None
    wanted: Sequence[float] = ()
    """Processors wanted in each round, by the contenders and by others: are there so many?"""
    also: dict[str, float] = field(default_factory=dict)
    """Other numbers that should tell the same story; no verdict depends on them."""

    def holds(self, value: float) -> bool:
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)


@dataclass(frozen=True)
class Column:
    """A column of a suite's table."""

    head: str
    cell: Callable[[Record], str]
    """From the summary of a contender's runs."""


class Runs(Protocol):
    """All records of a suite."""

    def of(self, problem: str, contender: str) -> list[Record]: ...

    def problems(self) -> Iterator[str]: ...


class Suite(Protocol):
    """One kind of measurement: what is compared, must agree, is promised, and is shown."""

    name: str
    title: str
    problems: Sequence[Problem]
    contenders: Sequence[Contender]
    notes: str
    """Markdown below the table: what the numbers mean."""
    columns: Sequence[Column]
    agreed: str
    """What is said below the table if there are no faults."""

    def races(
        self, files: Sequence[File], contenders: Sequence[Contender], limit: float
    ) -> list[Race]:
        """Who runs on what; a contender that takes longer than `limit` seconds may be left out."""

    def faults(self, records: list[Record], race: dict[str, Any]) -> list[str]:
        """In what the contenders of one race disagree; `race` is that of results.json."""

    def checked(self, record: Record) -> bool:
        """Was this run one of those compared?"""

    def goals(self, runs: Runs, races: dict[str, Any]) -> list[Goal]:
        """What is promised; `races` are those of results.json."""

    def figure(self, record: Record) -> float:
        """The number that the plot shows."""

    figure_label: str
    panels_across: int
    """Races side by side in the plot."""


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
