"""Executes the runs of a study in parallel.

`pool` keeps cores and GPUs busy, `dispatch` chooses the next run, `resources` is what a run needs, `slot` does one run
at a time, `process` controls a slot's worker, `worker` is the program in it, `run_log` the improvements of a run, `eta`
the time left.
"""
