"""Kernels of Held-Karp: pure functions of arrays.

`layer_cpu` computes one layer on one core; `simd_cpu` contains its inner loops, with 32 states in registers.
`layer_cuda` is the kernel for all layers, and `set_cuda` a warp's work on one set of outer cities, in the memory of
`workspace_cuda`: `inner_cuda` computes the paths that end in a low city (the sets of low cities correspond to a warp's
lanes), `extend_cuda` extends paths to the cities that a set lacks. `packed_cuda` handles words of states in the lanes
of a warp, `packed_memory_cuda` words in shared memory and in tables. `path_cpu` and `directed_path_cpu` find short
paths in one call.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
