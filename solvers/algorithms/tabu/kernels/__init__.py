"""Kernels of tabu search on the CPU: `edge_lists_cpu` the tabu lists, `scan_cpu` the best move, `tabu_cpu` a search.

`insertions_cpu` searches directed tours.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
