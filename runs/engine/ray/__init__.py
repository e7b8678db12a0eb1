"""The engine of ``--engine ray``: runs in workers on a Ray cluster.

`engine` implements `runs.engine.protocol`, `pool` keeps warm workers for the next run, `watch` follows which nodes
there are. How a program gets to a node, and its output back, is in `solvers.worker.ray`.
"""
