"""Kernels of Held-Karp: pure functions of arrays.

`layer_cpu` is one layer on one core, `simd_cpu` its inner loops: 32 states in registers. `layer_cuda` is the kernel
for all layers, `set_cuda` a warp's work on one set of outer cities, in the memory that `workspace_cuda` lays out:
`inner_cuda` makes the paths that end in a low city (one whose sets are a warp's lanes), `extend_cuda` takes paths on
to the cities that a set lacks. `packed_cuda` has words of states in the lanes of a warp, `packed_memory_cuda` in
shared memory and in tables.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
