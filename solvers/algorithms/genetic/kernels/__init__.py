"""Kernels of the genetic algorithm: AB-cycles, edge assembly crossover, order crossover, and frequencies of edges."""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
