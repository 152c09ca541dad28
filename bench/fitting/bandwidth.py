"""How fast the machine reads memory: the greatest of many numbers, best of several times.

The numbers are far more than the caches hold. No solver can go through a matrix faster than this,
so the time of a fit over the time of one such pass says what is left to win.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

NUMBERS = 1 << 26
"""512 MiB of them."""
TIMES = 7


def measure() -> dict[str, float]:
    """Bytes a second, by the number of threads."""
    import numpy as np

    numbers = np.ones(NUMBERS)
    return {str(threads): rate(numbers, threads) for threads in (1, 2)}


def rate(numbers: Any, threads: int) -> float:
    import numpy as np

    parts = np.array_split(numbers, threads)
    best = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(TIMES):
            start = time.perf_counter()
            list(pool.map(np.max, parts))  # numpy lets go of the interpreter meanwhile
            best = max(best, numbers.nbytes / (time.perf_counter() - start))
    return best
