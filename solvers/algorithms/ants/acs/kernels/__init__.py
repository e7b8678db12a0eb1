"""Kernels of Ant Colony System: pure functions of arrays.

On the CPU: `walk_cpu` (ants one after the other), `lockstep_cpu` (all ants step by step), `choice_cpu` (exploit or
explore), `trails_cpu`. On CUDA: `walk_warp_cuda` (one warp per ant), `walk_block_cuda` with `choice_block_cuda` (one
block per ant, Qin and Han, 2022), `trails_cuda` (local and global update).
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
