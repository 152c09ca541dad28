"""Accuracy on unseen rows: linsep and scikit-learn with the same training rows and objective.

    python3 bench/accuracy.py [--out FOLDER]

Twenty newsgroups with their split by date (tf-idf of the training posts) and digits, by softmax
regression and by one-versus-rest with the squared hinge, C = 1. linsep runs as a command-line
program on LIBSVM files. Writes table.md; exits with 1 if an accuracy is more than 0.2 points below
that of scikit-learn.
"""

import argparse
import datetime
import gzip
import json
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

from harness import paths

POINTS = 0.2
METHODS = {
    "softmax": ["--method", "logistic", "--multiclass", "softmax"],
    "squared hinge, one-vs-rest": ["--method", "convex", "--loss", "squared-hinge"],
}


def newsgroups() -> tuple[Any, Any, Any, Any]:
    from harness.shared import real
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts: dict[str, list[str]] = {"train": [], "test": []}
    groups: dict[str, list[str]] = {"train": [], "test": []}
    with tarfile.open(real("20newsgroups/20news-bydate.tar.xz")) as archive:
        for member in archive:
            if member.isfile():
                part = "train" if "-train/" in member.name else "test"
                texts[part].append(archive.extractfile(member).read().decode("latin-1"))
                groups[part].append(member.name.split("/")[-2])
    numbers = {group: at for at, group in enumerate(sorted(set(groups["train"])))}
    vectorizer = TfidfVectorizer()
    x = vectorizer.fit_transform(texts["train"])
    y = [[numbers[group] for group in groups[part]] for part in ("train", "test")]
    return x, y[0], vectorizer.transform(texts["test"]), y[1]


def digits() -> tuple[Any, Any, Any, Any]:
    import numpy as np
    from harness.shared import real
    from scipy.sparse import csr_matrix

    def part(name: str) -> tuple[Any, Any]:
        with gzip.open(real(f"mnist/{name}-images-idx3-ubyte.gz")) as file:
            pixels = np.frombuffer(file.read()[16:], np.uint8).reshape(-1, 784)
        with gzip.open(real(f"mnist/{name}-labels-idx1-ubyte.gz")) as file:
            labels = np.frombuffer(file.read()[8:], np.uint8)
        return csr_matrix(pixels / 255.0), labels.tolist()

    return *part("train"), *part("t10k")


def ours(program: str, name: str, data: tuple[Any, Any, Any, Any], method: list[str]) -> Any:
    from sklearn.datasets import dump_svmlight_file

    files = []
    for part, x, y in (("train", *data[:2]), ("test", *data[2:])):
        file = paths.ready(paths.FILES / "accuracy" / f"{name}-{part}.libsvm")
        if not file.exists():
            dump_svmlight_file(x, y, str(file), zero_based=False)
        files.append(str(file))
    model = paths.FILES / "accuracy" / "model.linsep"
    command = [program, "fit", files[0], "-C", "1", "--json", "-o", str(model), *method]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(done.stderr)
    evaluated = subprocess.run(
        [program, "evaluate", str(model), files[1], "--json"], capture_output=True, check=True
    )
    return json.loads(evaluated.stdout)["accuracy"], seconds


def theirs(data: tuple[Any, Any, Any, Any], method: str) -> tuple[float, float]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    learner = LinearSVC() if "hinge" in method else LogisticRegression(max_iter=1000)
    start = time.perf_counter()
    learner.fit(*data[:2])
    return learner.score(*data[2:]), time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    paths.enter_environment()
    from harness import machine

    subprocess.run(
        ["cargo", "build", "--release", "--locked", "--package", "linsep-cli"],
        cwd=paths.PROJECT,
        check=True,
    )
    meta = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--no-deps"],
        cwd=paths.PROJECT,
        check=True,
        capture_output=True,
    )
    program = Path(json.loads(meta.stdout)["target_directory"]) / "release" / "linsep"
    about = machine.describe()
    lines = [
        "# Right on rows never seen",
        "",
        f"{about['cpu']}, {about['cores']} cores; linsep at {about['commit']}. One fit each; seconds of "
        "linsep include reading the file.",
        "",
        "| data | method | linsep | scikit-learn | points apart | s | s |",
        "|---|---|---|---|---|---|---|",
    ]
    short = False
    for name, make in (("newsgroups", newsgroups), ("digits", digits)):
        data = make()
        for method, flags in METHODS.items():
            own, own_seconds = ours(str(program), name, data, flags)
            other, other_seconds = theirs(data, method)
            apart = 100 * (own - other)
            short |= apart < -POINTS
            line = f"| {name} | {method} | {own:.4f} | {other:.4f} | {apart:+.2f} "
            lines.append(f"{line}| {own_seconds:.1f} | {other_seconds:.1f} |")
            print(lines[-1], flush=True)
    date = datetime.date.today().isoformat()
    folder = args.out or paths.BENCH / "runs" / f"{date}-accuracy"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.md").write_text("\n".join(lines) + "\n")
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
