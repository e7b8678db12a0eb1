"""Studies: many runs (instances by algorithms by seeds) in one file, with statistics. See docs/studies.md.

`spec` defines the runs of a study, `file` stores them, `pool` executes them, `tuning` searches for parameters by
trials, `stats` computes statistics, `report` describes them in sentences, `export` writes other formats, `cli` is the
command line, `errors` the exceptions.
"""
