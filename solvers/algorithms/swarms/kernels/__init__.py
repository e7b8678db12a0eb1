"""Kernels of swarms on the CPU.

`span_cpu` has what all swarms use, such as local search; `swaps_cpu` adds, subtracts and shortens sequences of swaps;
`particles_cpu` moves particles; `bees_cpu` tries changes of food sources.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
