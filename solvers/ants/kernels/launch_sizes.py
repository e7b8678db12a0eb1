"""The number of ants per launch, so that each launch ends within 100 ms. Plain Python, without Numba."""

import numpy as np

from solvers.gpu.calibration import LAUNCH_ANTS


def portions(ants: int, most: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Return the number of ants and the first ant of each launch: at most `most`, but enough to keep a GPU busy."""
    most = max(LAUNCH_ANTS, most)
    return [(min(most, ants - first), (np.uint32(first),)) for first in range(0, ants, most)]
