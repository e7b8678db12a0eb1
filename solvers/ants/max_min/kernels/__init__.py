"""Kernels of MAX-MIN Ant System: pure functions of arrays.

`schedule` has the numbers of the deposit schedule for every device, `update_cuda` applies them between two iterations.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
