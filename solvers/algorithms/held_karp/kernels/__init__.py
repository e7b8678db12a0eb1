"""Kernels of Held-Karp: pure functions of arrays.

`layer_cpu` computes one layer on one core, `simd_cpu` contains its inner loops: 32 states in registers. `layer_cuda` is
the kernel for all layers, `set_cuda` a warp's work on one set of outer cities, in the memory of `workspace_cuda`:
`inner_cuda` computes the paths that end in a low city (one whose sets are a warp's lanes), `extend_cuda` extends paths
to the cities that a set lacks. `packed_cuda` handles words of states in the lanes of a warp, `packed_memory_cuda` in
shared memory and in tables.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
