"""Exact solution by dynamic programming (Held and Karp, 1962).

`plan` computes the size of a problem, `layers` is the interface of the layers on any device, `run` turns finished
layers into events, `reconstruct` finds the cities of a path, given its ends. `cpu`, `cuda` and `mpi` store the tables
and distribute a layer's sets.
"""
