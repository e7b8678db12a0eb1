"""Tests a user's own solver against the contract of `solvers.core.solver`: ``python -m solvers check FILE``.

`contract` contains the checks in order, `observing` runs the solver and measures it, `events` checks a run's events,
`story` compares two runs, `oracle` finds the lengths of shortest tours of a few cities.
"""
