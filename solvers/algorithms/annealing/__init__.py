"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) with 2-opt moves.

`cpu` anneals one chain per thread and finishes it by 2-opt; `reporter` turns chains into events, in order of their
indices. `schedules` computes the temperatures; `replica_exchange` runs chains that exchange them. `cuda` runs chains on
GPUs and finishes them on the CPU's cores; `chains_cuda` holds the GPU's arrays and launches them. `neighbours` finds
each city's nearest cities, in instances of any size.
"""
