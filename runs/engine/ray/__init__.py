"""The engine of ``--engine ray``: runs in workers on a Ray cluster.

`engine` implements `runs.engine.protocol` and tracks the nodes, `pool` keeps warm workers for the next run.
`solvers.worker.ray` starts programs on nodes and transfers their input and output.
"""
