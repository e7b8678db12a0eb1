"""Held-Karp as in Y. Qin and D. Han, "Parallel TSP Solvers" (2022): on a GPU, with threads and with MPI.

`plan` computes its size, `cuda` implements their table on a GPU (section 2.1), `cpu` their lists and maps, shared by
threads (section 2.3) or gathered and broadcast by processes (section 2.5).
"""
