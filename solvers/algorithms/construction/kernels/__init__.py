"""Kernels of tour constructions: pure functions of arrays."""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
