"""Kernels of all ant algorithms: pure functions of arrays.

On cores: `walk_cpu` (ants, resumable), `selection_cpu` (how a city is drawn), `draw_cpu` (sums as vectors),
`pheromone_cpu` (fitness, evaporation, deposit), `trail_statistics_cpu` (entropy, branching factor), `heatmap_cpu`. On
CUDA: `walk_warp_cuda` and `choice_warp_cuda` (a warp an ant), `random_cuda`, `scan_cuda` (prefix sums),
`pheromone_cuda` (everything between two iterations). `launch_sizes` is how many ants a launch may have.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
