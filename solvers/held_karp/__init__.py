"""Held-Karp, the exact solution by dynamic programming (Held and Karp, 1962).

`plan` says what so many cities take, `layers` is the contract of layers on any device, `run` turns them into events,
`reconstruct` finds the cities of a path from its ends. `cpu`, `cuda` and `mpi` hold the tables and share out the sets
of a layer.
"""
