"""Tests a user's own solver against the contract of `solvers.core.solver`: ``python -m solvers check FILE``.

`contract` contains the checks in order, `observing` runs the solver and measures it, `events` checks the events of a
run, `story` compares two runs, `oracle` finds shortest tours of few cities.
"""
