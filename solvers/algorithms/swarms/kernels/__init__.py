"""Kernels of swarms on the CPU.

`span_cpu` processes individuals with local search, `swaps_cpu` implements the algebra of swap sequences,
`particles_cpu` moves particles, `bees_cpu` tries changes of food sources.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
