"""Kernels of the genetic algorithm: AB-cycles, edge assembly crossover, order crossover and edge frequencies."""

import solvers.kernels  # noqa: F401, which says where Numba keeps its cache
