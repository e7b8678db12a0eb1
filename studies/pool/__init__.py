"""Executes the runs of a study in parallel.

`pool` keeps cores and GPUs busy, `dispatch` chooses the next run by its resources, `slot` executes one run at a time,
`process` controls a slot's worker, `worker` is the worker program, `run_log` records the improvements of a run, `eta`
estimates the time left.
"""
