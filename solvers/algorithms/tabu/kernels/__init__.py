"""Kernels of tabu search on the CPU.

`edge_lists_cpu` has the tabu lists, `scan_cpu` finds the best move, `tabu_cpu` runs a search, and `insertions_cpu` runs
a search of directed tours.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
