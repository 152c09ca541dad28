"""Film reviews, positive against negative: tf-idf of words and pairs of words, in 32 bits.

The archive is sorted by class. Here the reviews are sorted by the hashes of their names, so that a
solver that reads rows in order sees both classes.
"""

import hashlib
import tarfile
from typing import Any

from harness.shared import real
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    reviews = []
    with tarfile.open(real("imdb50k/aclImdb_labeled.tar.xz")) as archive:
        for member in archive:
            parts = member.name.split("/")
            if member.isfile() and parts[-2] in ("pos", "neg"):
                order = hashlib.sha256(member.name.encode()).digest()
                label = 1.0 if parts[-2] == "pos" else -1.0
                reviews.append((order, label, archive.extractfile(member).read().decode()))
    reviews = sorted(reviews)[::every]
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, dtype=np.float32)
    x = vectorizer.fit_transform(text for _, _, text in reviews)
    return x, np.array([label for _, label, _ in reviews])


MATRIX = Matrix("imdb", "film reviews, tf-idf of words and pairs, 32 bits, sparse; real", make)
