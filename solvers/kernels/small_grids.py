"""Turns off Numba's warning about small grids, since a colony or a batch of climbers determines the grid's size.

Numba warns about fewer than 128 blocks; a colony of 100 ants with one block each has fewer, and so has a kernel that
sums results. Numba's other warnings stay on, such as the one about host arrays passed to a kernel, which are copied
each time.
"""

import os
import sys

_VARIABLE = "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"


def allow_small_grids() -> None:
    """Turn off the warning for this process and its children, unless the environment variable is set.

    To set only `numba.config` is not enough: once any of Numba's environment variables has changed, the next
    compilation reads all of them again, and overwrites the setting.
    """
    if _VARIABLE in os.environ:
        return
    os.environ[_VARIABLE] = "0"
    if "numba" in sys.modules:
        sys.modules["numba"].config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
