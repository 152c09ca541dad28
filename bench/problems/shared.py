"""What problems have in common."""


def repeated(body: bytes, megabytes: float, scale: float) -> list[bytes]:
    """A file again and again until it has so many megabytes."""
    return [body] * max(1, round(megabytes * 1e6 * scale / len(body)))
