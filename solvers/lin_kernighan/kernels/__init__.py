"""Kernels on the CPU.

`spatial_cpu` finds nearest cities, `start_cpu` takes greedy edges, `tour_cpu` has the tour and its exchanges,
`search_cpu` looks for them, `chain_cpu` kicks, `merge_cpu` merges tours, `moves_cpu` says which 2-opt moves an exchange
is.
"""
