"""Kernels of the genetic algorithm: AB-cycles, edge assembly crossover, order crossover, and frequencies of edges."""
