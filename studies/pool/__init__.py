"""Executes the runs of a study in parallel.

`pool` keeps cores and GPUs busy, `dispatch` knows what a run needs and chooses the next, `slot` does one run at a
time, `process` controls a slot's worker, `worker` is the program in it, `run_log` the improvements of a run, `eta` the
time left.
"""
