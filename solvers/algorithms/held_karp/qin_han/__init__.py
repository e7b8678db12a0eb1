"""Held-Karp as in Y. Qin and D. Han, "Parallel TSP Solvers" (2022): on a GPU, with threads and with MPI.

`plan` computes the size of a problem, `cuda` implements their table on a GPU (section 2.1), `cpu` their lists and maps,
which threads share (section 2.3) or processes gather and broadcast (section 2.5).
"""
