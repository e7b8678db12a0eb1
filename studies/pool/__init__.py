"""The runs of a study, done side by side.

`pool` keeps cores and GPUs busy, `dispatch` says which run is next, `resources` what it keeps busy, `slot` does one
run at a time, `process` is a slot's worker from outside, `worker` the program in it, `run_log` the improvements of a
run, `eta` the time left.
"""
