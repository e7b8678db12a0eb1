"""Kernels of Lin-Kernighan for the CPU and GPUs.

`spatial_cpu` finds nearest cities, `start_cpu` adds greedy edges, `tour_cpu` stores the tour and makes exchanges,
`search_cpu` searches for them, `chain_cpu` kicks, `merge_cpu` merges tours, `regions_cpu` cuts them into regions,
`moves_cpu` converts exchanges to 2-opt moves, `path_moves_cpu` differences of paths. On a GPU, `choose_cuda` chooses
the edges of kicks, `repair_cuda` makes and repairs them on each thread's own tour, `overlay_cuda`, and `apply_cpu`
applies the results to the tour.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
