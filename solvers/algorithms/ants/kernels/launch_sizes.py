"""Number of ants per launch, such that each launch ends within 100 ms. Plain Python, without Numba."""

import numpy as np

from solvers.gpu.calibration import LAUNCH_ANTS


def portions(ants: int, maximum: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Return each launch's number of ants (at most `maximum`, but enough to keep a GPU busy) and its first ant."""
    maximum = max(LAUNCH_ANTS, maximum)
    return [(min(maximum, ants - first), (np.uint32(first),)) for first in range(0, ants, maximum)]
