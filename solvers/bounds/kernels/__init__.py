"""Kernels of the bounds, on CPUs."""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
