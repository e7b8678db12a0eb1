"""Numba's warning of small grids, which stays off: grids are as large as a colony or a batch of climbers, knowingly.

What Numba takes for a beginner's error, fewer than 128 blocks, is a colony of 100 ants with a block each, or a kernel
that sums what others left. Its other warnings stay on: arrays of the host handed to a kernel are copied each time.
"""

import os
import sys

_VARIABLE = "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"


def allow_small_grids() -> None:
    """Turn the warning off for this process and those that it starts, unless the variable already says otherwise.

    The variable, and not `numba.config` alone: whenever one of its variables has changed, Numba reads all of them again
    at the next compilation, and what was set by hand is lost.
    """
    if _VARIABLE in os.environ:
        return
    os.environ[_VARIABLE] = "0"
    if "numba" in sys.modules:
        sys.modules["numba"].config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
