"""Pure numeric functions, arrays in and arrays out. Importing this package sets Numba's cache up; nothing else does."""

from solvers.kernels.cache import use_cache

use_cache()
