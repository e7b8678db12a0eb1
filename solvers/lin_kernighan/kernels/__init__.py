"""Kernels on the CPU, and on a GPU.

`spatial_cpu` finds nearest cities, `start_cpu` takes greedy edges, `tour_cpu` has the tour and its exchanges,
`search_cpu` looks for them, `chain_cpu` kicks, `merge_cpu` merges tours, `pieces_cpu` cuts tours into pieces,
`moves_cpu` says which 2-opt moves an exchange is. `choose_cuda` finds the edges of kicks, `repair_cuda` makes and
repairs them on a tour of a thread's own, `overlay_cuda`, and `apply_cpu` makes on the tour what they found.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
