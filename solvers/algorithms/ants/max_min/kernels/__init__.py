"""Kernels of MAX-MIN Ant System: pure functions of arrays.

`schedule` is the deposit schedule, in plain Python for any compiler; `update_cuda` applies it between two iterations.
`walk_colony_cuda` constructs tours with one block per colony.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
