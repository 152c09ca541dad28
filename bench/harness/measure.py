"""Prepares, builds, and measures: every contender in a fresh process, round after round.

* The file is read once before each run, so that every contender reads from the page cache.
* In a round every contender runs once in every comparison, and each round starts with another
  contender, so that disturbances affect all alike. A run common to two comparisons is made once.
* The processor time of other programs during a run is recorded; with a patience above 0 the runner
  waits for an idle machine before each run.
* A contender that fails is reported and skipped from then on; the others continue.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from harness import paths
from harness.kinds import Absent, Contender, File, Problem, Race, Record, Records, Suite

TIMEOUT = 900


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def prepare(problems: Sequence[Problem], scale: float) -> list[File]:
    """Prepares the problems that are available on this machine."""
    files = []
    for problem in problems:
        try:
            files.append(problem.prepare(scale))
        except Absent as why:
            say(f"SKIPPED: problem {problem.name}: {why}")
    return files


def build(contenders: Sequence[Contender]) -> list[Contender]:
    """Builds the contenders that are available on this machine."""
    ready = []
    for contender in contenders:
        try:
            contender.build()
            ready.append(contender)
        except Absent as why:
            say(f"SKIPPED: contender {contender.name}: {why}")
    return ready


def rounds(
    suite: Suite,
    races: Sequence[Race],
    count: int,
    patience: float,
) -> Records:
    """Makes all runs."""
    records, failed = Records(), set()
    for number in range(count):
        made: dict[str, Record] = {}
        for race in races:
            fits = list(race.contenders)
            turn = number % max(len(fits), 1)
            for contender in fits[turn:] + fits[:turn]:
                key = (race.name, contender.name)
                if key in failed:
                    continue
                same = json.dumps([contender.name, *contender.command(race.file)])
                if same not in made:
                    made[same] = run(contender, race.file, patience)
                record = {**made[same], "contender": contender.name, "round": number}
                if "error" in record:
                    failed.add(key)
                records.add(*key, record)
                took = record.get("error") or f"{record['seconds']:.3f} s"
                say(f"{suite.name} {number + 1}/{count}  {key[0]:<24} {key[1]:<22} {took}")
    return records


def run(contender: Contender, file: File, patience: float = 0, timeout: float = TIMEOUT) -> Record:
    """Makes one run: the output of the contender, with the wall time of the whole process."""
    warm(file)
    waited = quiet(patience)
    environment = {**os.environ, "PYTHONPATH": str(paths.BENCH), **contender.environment()}
    start, busy = time.perf_counter(), ticks()
    own = os.times()
    try:
        done = subprocess.run(
            contender.command(file), env=environment, capture_output=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {timeout:g} s", "late": True}
    wall, busy, after = time.perf_counter() - start, ticks() - busy, os.times()
    used = after.children_user + after.children_system - own.children_user - own.children_system
    others = max(0.0, busy / os.sysconf("SC_CLK_TCK") - used) / wall
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        return {"error": f"exit {done.returncode}: {words[-1][:200]}"}
    record = json.loads(done.stdout.splitlines()[-1])
    seen = {"process_seconds": wall, "others": others, "waited": waited}
    record = {"threads": contender.threads, **record, "file_bytes": file.bytes, **seen}
    return record | contender.examine(file, record)


def warm(file: File) -> None:
    """Reads a file, or all files of a folder, into the page cache."""
    buffer = bytearray(1 << 20)
    for path in sorted(file.path.iterdir()) if file.path.is_dir() else [file.path]:
        with open(path, "rb", buffering=0) as stream:
            while stream.readinto(buffer):
                pass


def ticks() -> int:
    """Clock ticks in which a processor was busy, or was taken by the host."""
    with open("/proc/stat") as lines:
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, next(lines).split()[1:9])
    return user + nice + system + irq + softirq + steal


def quiet(patience: float) -> float:
    """Waits until the machine is idle, at most `patience` seconds; returns the waiting time."""
    start, calm = time.perf_counter(), 0
    while calm < 5 and time.perf_counter() - start < patience:
        before = ticks()
        time.sleep(0.1)
        calm = calm + 1 if ticks() - before <= 1 else 0
    return time.perf_counter() - start
