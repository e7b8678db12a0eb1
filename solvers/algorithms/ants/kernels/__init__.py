"""Kernels of all ant algorithms: pure functions of arrays.

On the CPU: `walk_cpu` (resumable walks), `choice_cpu` (choice of a city), `draw_cpu` (vectorised sums), `pheromone_cpu`
(fitness, evaporation, deposit), `trail_statistics_cpu` (entropy, branching factor), `heatmap_cpu`. On CUDA:
`walk_warp_cuda` and `choice_warp_cuda` (one warp per ant), `random_cuda`, `scan_cuda` (prefix sums), `pheromone_cuda`
(everything between two iterations). For both: `retrace_cpu` and `edge_counts_cpu` (explanations). `launch_sizes`
computes the number of ants per launch.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
