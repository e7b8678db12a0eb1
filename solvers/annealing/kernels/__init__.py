"""Kernels of simulated annealing: pure functions of arrays.

`anneal_cpu` runs a chain on one core, `anneal_cuda` one chain per warp. `acceptance` decides when a longer tour is
accepted, for every compiler; `acceptance_cuda` makes exactly the same decisions, mostly in 32 bits. `neighbours_cpu`
finds nearest cities by x, without a matrix.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
