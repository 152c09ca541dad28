"""Memory bandwidth of the machine, measured by the maximum of a large array, best of several runs.

The array is much larger than the caches. No solver can pass through a matrix faster, so the ratio
of the time of a fit to the time of one pass bounds the possible speedup.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

NUMBERS = 1 << 26
"""Number of doubles: 512 MiB."""
TIMES = 7


def measure() -> dict[str, float]:
    """Bytes per second, by number of threads."""
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
            list(pool.map(np.max, parts))  # numpy releases the interpreter lock
            best = max(best, numbers.nbytes / (time.perf_counter() - start))
    return best
