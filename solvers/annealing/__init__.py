"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) with 2-opt moves.

`cpu` anneals a chain a thread and ends it by 2-opt; `reporter` turns chains into events in the order of their index.
`cuda` is a run on a GPU with the cores beside it, `chains_cuda` the arrays and launches of its chains. `neighbours`
finds the nearest cities of instances of any size.
"""
