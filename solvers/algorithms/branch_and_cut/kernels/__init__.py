"""Kernels of branch-and-cut: exact reduced costs, and the cuts of a weighted graph."""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
