"""Turns off Numba's warning about small grids: here a grid has the size of a colony or a batch of climbers.

Numba warns of fewer than 128 blocks; a colony of 100 ants with a block each has fewer, and so has a kernel that sums
results. Its other warnings stay on, such as that of host arrays passed to a kernel, which are copied each time.
"""

import os
import sys

_VARIABLE = "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"


def allow_small_grids() -> None:
    """Turn the warning off for this process and its children, unless the environment variable is set.

    Setting only `numba.config` is not enough: when one of its variables has changed, Numba reads all of them again at
    the next compilation, and overwrites the setting.
    """
    if _VARIABLE in os.environ:
        return
    os.environ[_VARIABLE] = "0"
    if "numba" in sys.modules:
        sys.modules["numba"].config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
