"""Null contender: reads the file into a buffer. A lower bound on the time of every reader."""

from collections.abc import Callable
from typing import Any

from harness.python import Job, PythonContender


def prepare(job: Job) -> Callable[[], None]:
    buffer = bytearray(1 << 20)

    def run() -> None:
        with open(job.path, "rb", buffering=0) as stream:
            while stream.readinto(buffer):
                pass

    return run


def describe(value: None, job: Job) -> tuple[None, dict[str, Any]]:
    return None, {}


CONTENDERS = [
    PythonContender(
        "null", "reads the bytes and does nothing", module=__name__, formats=["csv", "libsvm"]
    )
]
