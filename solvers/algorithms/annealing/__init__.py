"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) with 2-opt moves.

`cpu` anneals one chain per thread and finishes it by 2-opt; `reporter` turns chains into events in the order of their
index. `schedules` computes the temperatures, `replica_exchange` runs chains that exchange them. `cuda` is a run on a
GPU and the CPU's cores, `chains_cuda` the arrays and launches of its chains. `neighbours` finds the nearest cities of
instances of any size.
"""
