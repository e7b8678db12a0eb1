"""Kernels of MAX-MIN Ant System: pure functions of arrays.

`schedule` is the deposit schedule for every compiler, `update_cuda` applies it between two iterations.
`walk_colony_cuda` builds tours with a block per colony.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
