"""How many ants a launch may have, so that it ends within 100 ms. Plain Python, without Numba."""

import numpy as np

#: Ants of a launch at least: one for each multiprocessor of a large card.
_FEWEST = 132


def portions(ants: int, most: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Ants of each launch, and its first ant; `most` in each, but no fewer than keep a card busy."""
    most = max(_FEWEST, most)
    return [(min(most, ants - first), (np.uint32(first),)) for first in range(0, ants, most)]
