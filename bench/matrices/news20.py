"""Twenty newsgroups: tf-idf of words in all 18 846 posts, in 32 bits.

The posts are sorted by the hashes of their names, as in `imdb`.
"""

import hashlib
import tarfile
from typing import Any

from harness.shared import real
from matrices.kinds import Matrix


def make(every: int) -> tuple[Any, Any]:
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    posts = []
    with tarfile.open(real("20newsgroups/20news-bydate.tar.xz")) as archive:
        for member in archive:
            if member.isfile():
                order = hashlib.sha256(member.name.encode()).digest()
                text = archive.extractfile(member).read().decode("latin-1")
                posts.append((order, member.name.split("/")[-2], text))
    posts = sorted(posts)[::every]
    groups = sorted({group for _, group, _ in posts})
    x = TfidfVectorizer(dtype=np.float32).fit_transform(text for _, _, text in posts)
    return x, np.array([groups.index(group) for _, group, _ in posts], dtype=np.float64)


MATRIX = Matrix("news20", "newsgroup posts, tf-idf of words, 32 bits, sparse; real", make)
