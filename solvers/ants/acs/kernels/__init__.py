"""Kernels of Ant Colony System: pure functions of arrays.

On cores: `walk_cpu` (ants one after the other), `lockstep_cpu` (all of them step by step), `choice_cpu` (exploit or
explore), `trails_cpu`. On CUDA: `walk_warp_cuda` (a warp an ant), `walk_block_cuda` with `choice_block_cuda` (a block
an ant, Qin and Han, 2022), `trails_cuda` (local and global update).
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
