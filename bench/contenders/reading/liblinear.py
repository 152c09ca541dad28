"""LIBLINEAR's reader, `read_problem` in its program `train`.

The source is not part of this repository. It is fetched from the Debian mirror in the apt settings
of this machine, because the Python package of LIBLINEAR does not contain `train.c`, and verified by
its hash. It is built with the optimization level of its own Makefile, together with `liblinear.c`,
which calls and times the reader. Without apt, set LIBLINEAR_SOURCE to a folder with `train.c` and
`linear.h`.
"""

import functools
import hashlib
import io
import os
import subprocess
import tarfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from harness import paths
from harness.kinds import Absent, Contender, File, Problem

PACKAGE = "liblinear-tools"
ARCHIVE = "liblinear_2.3.0%2bdfsg.orig.tar.xz"
SHA256 = "8e3b935fdf638c6269111f0c9f3da6a8074b2b34c640f24108f38a13322d9039"
VERSION = "2.30"
FLAGS = ["-O3", "-Wall", "-Wno-unused-result"]


def source() -> Path:
    """Returns the folder with the source."""
    given = os.environ.get("LIBLINEAR_SOURCE")
    if given:
        return Path(given)
    folder = paths.BUILDS / f"liblinear-{VERSION}"
    if not (folder / "train.c").exists():
        paths.ready(folder)
        body = fetch()
        if hashlib.sha256(body).hexdigest() != SHA256:
            raise Absent(f"{ARCHIVE} is not the file it was")
        with tarfile.open(fileobj=io.BytesIO(body)) as archive:
            archive.extractall(paths.BUILDS, filter="data")
    return folder


def fetch() -> bytes:
    """Returns the source archive, from the mirror of apt."""
    hint = "set LIBLINEAR_SOURCE to a folder with its source"
    try:
        ask = ["apt-get", "download", "--print-uris", PACKAGE]
        printed = subprocess.run(ask, capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise Absent(f"there is no apt-get; {hint}") from None
    if "'" not in printed:
        raise Absent(f"apt knows no {PACKAGE}; {hint}")
    folder = printed.split("'")[1].rpartition("/")[0]
    try:
        with urllib.request.urlopen(f"{folder}/{ARCHIVE}", timeout=120) as answer:
            return answer.read()
    except OSError as error:
        raise Absent(f"its source cannot be fetched ({error}); {hint}") from None


@functools.cache
def program() -> str:
    """Builds the reader; returns its path."""
    text = Path(__file__).with_suffix(".c")
    built = paths.ready(paths.BUILDS / "liblinear-reader")
    # # The solvers of `train` are not built, and the functions that call them are dropped.
    drop = ["-ffunction-sections", "-Wl,--gc-sections"]
    command = ["cc", *FLAGS, *drop, f"-I{source()}", "-o", str(built), str(text), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Absent("there is no C compiler (cc)") from None
    if done.returncode != 0:
        raise Absent(f"it does not build: {done.stderr.strip().splitlines()[-1]}")
    return str(built)


@dataclass(frozen=True)
class Liblinear(Contender):
    def takes(self, problem: Problem) -> bool:
        return problem.format == "libsvm"

    def build(self) -> None:
        program()

    def command(self, file: File) -> list[str]:
        return [program(), str(file.path)]

    def version(self) -> dict[str, str]:
        compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout
        name = "given" if os.environ.get("LIBLINEAR_SOURCE") else VERSION
        return {"LIBLINEAR": name, "cc": compiler.splitlines()[0]}


CONTENDERS = [Liblinear("liblinear", "read_problem of its program train")]
