"""Statistics of a study: pure functions of its table of runs.

`table` has the finished runs as columns, `logs` their improvements. `references` is what lengths are compared with,
`axes` what a curve goes along, `step_functions` the length of every run at every place, `quantiles` those of numbers
some of which are infinite. What is shown: `anytime`, `cutoffs` (at a budget), `targets`, `running_time`, `accuracy`
(climbers against accuracy), `sweep` (over a parameter). Tests: `rank_test` (Mann-Whitney, A12, Holm's correction),
`permutations` (exact), `compare` (all pairs), `ranks` (Friedman, Nemenyi).
"""
