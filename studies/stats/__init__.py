"""Statistics of a study: pure functions of its table of runs.

`table` holds the finished runs as columns, `logs` their improvements. `references` finds the lengths to which gaps
relate, `axes` the x axes of curves, `step_functions` the length of every run at points of an axis, `quantiles` handles
infinite values. Results: `anytime`, `targets`, `running_time`, `accuracy` (climbers against accuracy), `sweep` (over a
parameter). Tests: `rank_test` (Mann-Whitney with exact p-values, A12, Holm's correction), `compare` (all pairs),
`seeds` (number required), `ranks` (Friedman, Nemenyi).
"""
