"""Executes the runs of a study in parallel.

`pool` keeps cores and GPUs busy and estimates the time left, `dispatch` chooses the next run by its resources, `slot`
executes one run at a time, `process` controls a slot's worker, `worker` is the worker program, `run_log` records the
improvements of a run.
"""
