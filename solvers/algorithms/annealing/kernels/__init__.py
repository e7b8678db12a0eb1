"""Kernels of simulated annealing: pure functions of arrays.

`chain_cpu` and `chain_cuda` define a chain: its state, its draws and how it cools. `anneal_cpu` runs a chain on one
core, `anneal_cuda` one chain per warp. `rounds_cpu` and `rounds_cuda` draw several moves on the same tour, the latter
with one block per chain. `return_cpu` leads a chain back to its best tour. `acceptance` decides whether a longer tour
is accepted, in plain Python for any compiler; `acceptance_cuda` makes exactly the same decisions, mostly in 32 bits.
`insertion_cpu` anneals directed tours; `exchange_cpu` exchanges temperatures. `neighbours_cpu` finds nearest cities by
their x coordinates, without a matrix.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
