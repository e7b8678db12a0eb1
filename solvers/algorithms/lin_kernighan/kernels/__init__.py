"""Kernels of Lin-Kernighan for the CPU and GPUs.

`spatial_cpu` finds nearest cities, `start_cpu` takes greedy edges, `tour_cpu` stores the tour and makes exchanges,
`search_cpu` searches for exchanges, `chain_cpu` kicks, `merge_cpu` merges tours, `regions_cpu` cuts tours into regions,
`moves_cpu` converts exchanges to 2-opt moves, and `path_moves_cpu` differences between paths. On a GPU, `choose_cuda`
chooses the edges of kicks; `repair_cuda` makes and repairs kicks on each thread's own tour, which is an
`overlay_cuda`. On the CPU, `apply_cpu` applies the results to the tour.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
