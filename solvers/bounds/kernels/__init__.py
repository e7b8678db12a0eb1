"""Kernels of the bounds."""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
