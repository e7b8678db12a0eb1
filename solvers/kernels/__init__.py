"""Pure numeric functions, arrays in and arrays out. Importing this package sets Numba up; nothing else does."""

from solvers.kernels.cache import use_cache
from solvers.kernels.small_grids import allow_small_grids

use_cache()
allow_small_grids()
