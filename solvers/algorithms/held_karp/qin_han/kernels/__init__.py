"""Kernels of Qin and Han's Held-Karp: pure functions of arrays.

`states` numbers a layer's sets and finds their places, for GPUs and in plain Python. `batch_cuda` computes a layer with
one thread per state, `route_cuda` finds the path of a state. `maps_cpu` contains the maps of their program for CPUs.
"""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
