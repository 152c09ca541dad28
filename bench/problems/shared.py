"""Functions common to several problems."""


def repeated(body: bytes, megabytes: float, scale: float) -> list[bytes]:
    """Repeats a file up to a size in megabytes."""
    return [body] * max(1, round(megabytes * 1e6 * scale / len(body)))
