"""Kernels of 2-opt: pure functions of arrays.

`climb_cpu` computes a climb on one core, `insertion_climb_cpu` one of a directed tour, `program_cpu` one as in Utne and
Hansen's program. On CUDA there are skeletons and their policies: `block_cuda` (one block per climber) with
`block_rows_cuda` and `block_pairs_cuda`, `thread_cuda` (one thread per climber) with `thread_tours_cuda`; `array_cuda`
is the program of array operations. ``strip`` and ``multi-move`` are `strip_cuda` and `multi_move_cuda`, with
`strip_geometry` (division of a scan among threads), `strip_scan_cuda` (the scan) and `strip_policy_cuda` (start,
layout, length). `metric_cuda` counts the distances that float32 rounds differently from TSPLIB.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
