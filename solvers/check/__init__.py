"""Holds a user's own solver against the contract of `solvers.solver`: ``python -m solvers check FILE``.

`contract` has the checks in their order, `observing` runs the solver and measures, `events` checks what a run has told,
`story` is what must be the same in two runs, `oracle` the shortest tours of few cities, `cli` the command line.
"""
