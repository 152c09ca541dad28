"""A matrix with labels as a folder of .npy files, made once and cached.

    sparse      indptr.npy (int64), indices.npy (int32, sorted within rows), data.npy
    dense       x.npy (row-major)
    both        y.npy (float64: +1 or −1, or 0, 1, …, k−1), meta.json {name, storage, n, d, k, nnz}

meta.json also contains the size of the arrays in bytes, and their hash.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import paths

META = "meta.json"


@dataclass(frozen=True)
class Matrix:
    """A matrix and its labels, made from real data by `make`, equal on every machine."""

    name: str
    about: str
    make: Callable[[int], tuple[Any, Any]]
    """Returns every k-th row, as a scipy CSR matrix or a numpy matrix, and the labels."""

    def prepare(self, scale: float) -> Path:
        """Returns the cached folder, made if necessary."""
        suffix = "" if scale == 1 else f"@{scale:g}"
        folder = paths.FILES / "matrices" / f"{self.name}{suffix}"
        if not (folder / META).exists():
            print(f"creating the matrix {folder.name}", file=sys.stderr)
            x, y = self.make(max(1, round(1 / scale)))
            write(folder, self.name, x, y)
        return folder


def write(folder: Path, name: str, x: Any, y: Any) -> None:
    """Stores a matrix; meta.json is written last and marks a complete folder."""
    import numpy as np

    if hasattr(x, "indptr"):
        x.sort_indices()
        parts = {
            "indptr": x.indptr.astype(np.int64),
            "indices": x.indices.astype(np.int32),
            "data": x.data,
        }
        meta = {"storage": "sparse", "nnz": int(x.nnz)}
    else:
        parts = {"x": np.ascontiguousarray(x)}
        meta = {"storage": "dense", "nnz": int(np.count_nonzero(x))}
    parts["y"] = np.asarray(y, dtype=np.float64)
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    for part, values in parts.items():
        np.save(folder / f"{part}.npy", values)
        digest.update(values.tobytes())
    n, d = x.shape
    meta = {"name": name, **meta, "n": n, "d": d, "k": len(np.unique(y))}
    meta |= {"bytes": sum(v.nbytes for v in parts.values()), "sha256": digest.hexdigest()}
    (folder / META).write_text(json.dumps(meta) + "\n")


def read_meta(folder: Path | str) -> dict[str, Any]:
    return json.loads((Path(folder) / META).read_text())


def read(folder: Path | str) -> tuple[Any, Any]:
    """Returns the matrix and its labels, as stored."""
    import numpy as np

    folder = Path(folder)
    meta = read_meta(folder)
    y = np.load(folder / "y.npy")
    if meta["storage"] == "dense":
        return np.load(folder / "x.npy"), y
    from scipy.sparse import csr_matrix

    data, indices, indptr = (np.load(folder / f"{p}.npy") for p in ("data", "indices", "indptr"))
    # # The libraries require one type for both kinds of index; 32 bits suffice for every matrix
    # here.
    x = csr_matrix((data, indices, indptr.astype(np.int32)), shape=(meta["n"], meta["d"]))
    x.has_sorted_indices = True
    return x, y
