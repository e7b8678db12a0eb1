"""Turns off Numba's warning about small grids, whose size a colony or a batch of climbers determines.

Numba warns about fewer than 128 blocks; a colony of 100 ants with one block each has fewer, and so has a kernel that
sums results. Its other warnings stay on, such as that about host arrays passed to a kernel, which are copied each time.
"""

import os
import sys

_VARIABLE = "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"


def allow_small_grids() -> None:
    """Turn off the warning for this process and its children unless the environment variable is set.

    Setting only `numba.config` is not enough: after a change of one of its variables, Numba reads all of them again at
    the next compilation, and overwrites the setting.
    """
    if _VARIABLE in os.environ:
        return
    os.environ[_VARIABLE] = "0"
    if "numba" in sys.modules:
        sys.modules["numba"].config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
